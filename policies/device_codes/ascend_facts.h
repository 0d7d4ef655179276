#pragma once

#include <optional>
#include <string_view>

#include "policies/device_codes/device_code.h"

// Facts of single Ascend codes beyond the list that they stand in. All of MindCluster 22bb3d9.
namespace aftershock::policies {

/// The root cause, by the table of Ascend's fault diagnosis; unknown for codes that it lacks.
RootCause ascend_root_cause(std::string_view code);

/// The rule of the device plugin for codes that come again and again, or none.
std::optional<FrequencyRule> ascend_frequency(std::string_view code);

/// The rule of the device plugin for a code that stays, or none.
std::optional<DurationRule> ascend_duration(std::string_view code);

/// The common name of a code, and its special facts. Empty: nothing, or what module and kind say.
struct AscendGloss {
  std::string_view code;
  std::string_view name;
  std::string_view kind;
  std::string_view note;
};
/// The gloss of a code, or null.
const AscendGloss* ascend_gloss(std::string_view code);

}  // namespace aftershock::policies
