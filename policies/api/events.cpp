#include "policies/api/events.h"

#include <variant>
#include <vector>

namespace aftershock::policies {

Event::Event() = default;
Event::Event(const Event&) = default;
Event::Event(Event&&) noexcept = default;
Event& Event::operator=(const Event&) = default;
Event& Event::operator=(Event&&) noexcept = default;
Event::~Event() = default;

std::string_view name_of(const Event& event) {
  return std::visit([](const auto& message) { return message.kName; }, event);
}

const std::vector<GivenBack>* released_with(const Event& event) {
  return std::visit(
      [](const auto& message) -> const std::vector<GivenBack>* {
        if constexpr (requires { message.released; }) {
          return message.released.empty() ? nullptr : &message.released;
        } else {
          return nullptr;
        }
      },
      event);
}

Event in_protocol_1_0(Event event) {
  std::visit(
      [](auto& message) {
        if constexpr (requires { message.released; }) {
          message.released.clear();
        }
      },
      event);
  return event;
}

}  // namespace aftershock::policies
