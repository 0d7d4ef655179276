#include "policies/api/events.h"

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

}  // namespace aftershock::policies
