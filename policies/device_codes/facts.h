#pragma once

#include <string>
#include <vector>

#include "policies/device_codes/device_code.h"

namespace aftershock::policies {

/// One thing that is known, or assumed, of a code.
struct DeviceFact {
  std::string what;    ///< "level", "severity", ...
  std::string value;   ///< in words
  std::string source;  ///< where it is from; says so where it is an assumption of ours
};

/// All that is known of a code, in the order in which people want to read it.
std::vector<DeviceFact> facts_of(const DeviceCode& code);

/// Whether our sources say more of a code than which list it stands in, or that it exists: the
/// party to blame, that it comes to a higher level, its meaning, or, of an Xid, the action that it
/// asks for.
bool is_told_of(const DeviceCode& code);

/// "2 in 24 h -> ManuallySeparateNPU"
std::string describe(const FrequencyRule& rule);
/// "longer than 20 s -> PreSeparateNPU, until healthy for 60 s"
std::string describe(const DurationRule& rule);

}  // namespace aftershock::policies
