#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace aftershock::sim::sweep {

/// How `--vary` calls it.
inline constexpr std::string_view kRates = "rates";

/// The factor that a text says, above 0; none for anything else.
std::optional<double> rate_factor(std::string_view text);

/// Makes everything that fails at random in a checked scenario fail so many times as often: the
/// rate of each source, or its mean time the other way round. Scripted faults, and the consequences
/// of a failure, stay. An error in words where nothing is random, or a rate becomes nothing; then
/// the scenario is as it was.
std::optional<std::string> scale_rates(nlohmann::ordered_json& scenario, double factor);

}  // namespace aftershock::sim::sweep
