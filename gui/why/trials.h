#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gui/trace/trace.h"

namespace aftershock::gui {

/// A trial of an experiment, as the run's summary tells of it.
struct TrialEnd {
  std::string experiment;
  std::int64_t number = 0;  ///< in its experiment, from 0
  std::string id;           ///< the vendor's
  std::string status;       ///< the vendor's word for how it ended
  std::int64_t iterations = 0;
  std::int64_t failures = 0;
  std::int64_t restores = 0;  ///< starts from a checkpoint
  std::int64_t lost_us = 0;
};

/// Of all experiments, in their order; none where the recording does not end.
std::vector<TrialEnd> trial_ends(const Trace& trace);

}  // namespace aftershock::gui
