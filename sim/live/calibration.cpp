#include "sim/live/calibration.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace aftershock::sim::live {

namespace {

std::int64_t total_us(const Measured& run, scenario::Phase phase) {
  std::int64_t us = 0;
  for (const LiveRun::Stay& stay : run.stays) {
    us += stay.phase == phase ? stay.us : 0;
  }
  return us;
}

/// The start of the attempts from `from` to `to`.
Calibration::Start start_of(const Measured& run, std::int64_t from, std::int64_t to) {
  Calibration::Start start;
  for (const LiveRun::Stay& stay : run.stays) {
    if (stay.attempt < from || stay.attempt > to) {
      continue;
    }
    std::int64_t* const length = stay.phase == scenario::Phase::kLaunching    ? &start.launching_us
                                 : stay.phase == scenario::Phase::kRendezvous ? &start.rendezvous_us
                                 : stay.phase == scenario::Phase::kRestoring  ? &start.restoring_us
                                 : stay.phase == scenario::Phase::kWarmingUp  ? &start.warming_up_us
                                                                              : nullptr;
    if (length != nullptr) {
      *length += stay.us;
    }
  }
  return start;
}

std::optional<std::int64_t> first_us(const Measured& run, scenario::Phase phase) {
  const auto found = std::ranges::find(run.stays, phase, &LiveRun::Stay::phase);
  return found == run.stays.end() ? std::nullopt : std::optional(found->us);
}

std::string milliseconds(std::int64_t us) { return fmt::format("\"{}ms\"", (us + 500) / 1000); }

std::string start_text(const Calibration::Start& start, const std::vector<std::string>& more) {
  std::vector<std::string> members{
      fmt::format("\"launching\": {}", milliseconds(start.launching_us)),
      fmt::format("\"rendezvous\": {}", milliseconds(start.rendezvous_us)),
      fmt::format("\"restoring\": {}", milliseconds(start.restoring_us)),
      fmt::format("\"warming_up\": {}", milliseconds(start.warming_up_us))};
  members.insert(members.end(), more.begin(), more.end());
  return fmt::format("{{{}}}", fmt::join(members, ", "));
}

}  // namespace

Calibration calibrate(const Measured& calm, const Measured& struck) {
  Calibration found;
  found.first = start_of(calm, 0, 1);
  const bool restarted = std::ranges::any_of(
      struck.stays, [](const LiveRun::Stay& stay) { return stay.attempt == 2; });
  if (restarted) {
    // The agents' part of a restart comes before its processes, as launching of the attempt before.
    found.restart = start_of(struck, 2, 2);
    const auto second = std::ranges::find(struck.stays, 2, &LiveRun::Stay::attempt);
    const auto stopped = std::find_if(struck.stays.begin(), second, [](const LiveRun::Stay& stay) {
      return stay.phase == scenario::Phase::kTearingDown;
    });
    for (auto stay = stopped; stay != second; ++stay) {
      found.restart->launching_us += stay->phase == scenario::Phase::kLaunching ? stay->us : 0;
    }
    found.tearing_down_us = first_us(struck, scenario::Phase::kTearingDown);
    found.undetected_us = first_us(struck, scenario::Phase::kUndetected);
  }
  found.finalizing_us = first_us(calm, scenario::Phase::kFinalizing);
  if (calm.steps > 0) {
    found.step_us = total_us(calm, scenario::Phase::kTraining) / calm.steps;
  }
  if (calm.checkpoints > 0) {
    found.blocking_us = total_us(calm, scenario::Phase::kCheckpointing) / calm.checkpoints;
  }
  return found;
}

std::string patch_text(const Calibration& calibration) {
  std::vector<std::string> ends;
  if (calibration.tearing_down_us) {
    ends.push_back(fmt::format("\"tearing_down\": {}", milliseconds(*calibration.tearing_down_us)));
  }
  if (calibration.finalizing_us) {
    ends.push_back(fmt::format("\"finalizing\": {}", milliseconds(*calibration.finalizing_us)));
  }
  std::string out = fmt::format("\"step\": {},\n", milliseconds(calibration.step_us));
  if (calibration.blocking_us > 0) {
    out += fmt::format("\"checkpoint\": {{\"blocking\": {}}},\n",
                       milliseconds(calibration.blocking_us));
  }
  out += fmt::format("\"phases\": {}", start_text(calibration.first, ends));
  if (calibration.restart) {
    out += fmt::format(",\n\"restart_phases\": {}", start_text(*calibration.restart, ends));
  }
  out += "\n";
  if (calibration.undetected_us) {
    constexpr double kSecondUs = 1e6;
    out += fmt::format("from the fault to the decision: {:.3f} s\n",
                       static_cast<double>(*calibration.undetected_us) / kSecondUs);
  }
  return out;
}

}  // namespace aftershock::sim::live
