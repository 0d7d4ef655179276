#include "policies/api/events.h"

namespace aftershock::policies {

std::string_view name_of(const Event& event) {
  return std::visit([](const auto& message) { return message.kName; }, event);
}

}  // namespace aftershock::policies
