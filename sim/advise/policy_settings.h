#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policies/api/policy.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::advise {

/// A setting of the only job's policy, as its family declares it.
struct PolicySetting {
  std::string name;
  std::string type;  ///< "boolean", "\"own\" or \"both\"", "number or null", ...
  std::string unit;  ///< "" where it has none
  std::string meaning;
  std::string pointer;                 ///< where the scenario has it, or would
  std::optional<std::string> present;  ///< as JSON; none: absent, which is a case of its own
};

/// All settings of the policy, in the order of its family; none where there are several jobs.
std::vector<PolicySetting> settings_of(const scenario::Scenario& scenario);

/// Values that may be tried in place of the present one, as `--set` takes them: the other words of
/// a setting that has few, the other truth, and of a limit in time four times as much, or half an
/// hour where there is none. Never null, which `--set` takes as the way back to the default.
std::vector<std::string> other_values(const PolicySetting& setting);

/// Whether the setting reads the vendor's documents in another way, which nobody can switch on.
bool is_reading(const PolicySetting& setting);

/// The value at a place of the scenario, as `--set` takes it: the written one, else the default of
/// its key or of the policy's setting; none where absence is a case of its own.
std::optional<std::string> present_value(const scenario::Scenario& scenario,
                                         std::string_view pointer);

/// Whether both mean the same: alike but for quotes, or the same amount ("60s", "1min").
bool is_same_value(std::string_view left, std::string_view right);

/// Where in the policy of the only job a setting of this name is, or would be: below `metadata`
/// where annotations are, and it is one; "a/b" in the object "a", where that is one of
/// `parameters`.
std::string place_of_setting(const scenario::Scenario& scenario,
                             std::span<const policies::Parameter> parameters,
                             std::string_view name);

}  // namespace aftershock::sim::advise
