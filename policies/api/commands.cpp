#include "policies/api/commands.h"

namespace aftershock::policies {

Command::Command() = default;
Command::Command(const Command&) = default;
Command::Command(Command&&) noexcept = default;
Command& Command::operator=(const Command&) = default;
Command& Command::operator=(Command&&) noexcept = default;
Command::~Command() = default;

std::string_view name_of(const Command& command) {
  return std::visit([](const auto& message) { return message.kName; }, command);
}

}  // namespace aftershock::policies
