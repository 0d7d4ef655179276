#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/recording/header.h"

namespace aftershock::gui {

/// In what two resolved scenarios differ.
struct ScenarioDifference {
  bool is_known = true;               ///< else one of the headers has no scenario
  std::vector<std::string> pointers;  ///< "/jobs/0/policy", of values that differ
  std::size_t more = 0;               ///< that are not named
};

/// At most `most` of the pointers, in the order of their names. Two policies of another name are
/// one difference.
ScenarioDifference compare_scenarios(const reports::RecordingHeader& a,
                                     const reports::RecordingHeader& b, std::size_t most);

}  // namespace aftershock::gui
