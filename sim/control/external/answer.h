#pragma once

#include <string>
#include <string_view>
#include <variant>

#include <nlohmann/json_fwd.hpp>

namespace aftershock::sim::control {

/// Whether a number in it is larger than 2^53: such are not whole in every language, and times
/// would not add up.
bool too_large(const nlohmann::json& value);
inline constexpr std::string_view kTooLarge = "a number is larger than 2^53";

/// An answer of this type, or in words what is wrong with it. `what` was asked; `or_type` is
/// another type that will do, where there is one. An `error` that the policy says of itself is told
/// as such.
std::variant<nlohmann::json, std::string> parse_answer(std::string_view line, std::string_view what,
                                                       std::string_view type,
                                                       std::string_view or_type = {});

}  // namespace aftershock::sim::control
