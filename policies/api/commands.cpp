#include "policies/api/commands.h"

namespace aftershock::policies {

std::string_view name_of(const Command& command) {
  return std::visit([](const auto& message) { return message.kName; }, command);
}

}  // namespace aftershock::policies
