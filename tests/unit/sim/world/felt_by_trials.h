#pragma once

#include <cstdint>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "tests/unit/sim/world/harness.h"

// Rows of (fault, phase) to (doings of the trials, time, charge). Every number follows by hand from
// the base experiment: trials 0 and 1 on p-0, 2 and 3 on p-1, an iteration of 10 s after the other.
// With storage there are four of them: 10 s of computing, 1 s that blocks, 5 s of upload
// (100 MB at 20 MB/s), so they end at 16, 32, 48 and 64 s; a download takes 2 s.
namespace aftershock::sim::world {

inline constexpr const char* kWithStorage = R"({
  "cluster": {"storage": [{"name": "s", "read": "50MB/s", "write": "20MB/s"}]},
  "experiments": [{"checkpoint": {"bytes": "100MB", "blocking": "1s"}, "steps": 4}]})";
inline constexpr const char* kPlain = R"({"experiments": [{}]})";

struct Felt {
  const char* what;
  const char* base;
  const char* patch;   ///< a JSON merge patch of it
  const char* faults;  ///< a JSON list
  std::string trial_0;
  std::string trial_2;
  std::string trial_3;
  std::int64_t wall_us;
  Buckets ledger;
};

inline constexpr const char* kWell = "TERMINATED 10 failures 0 restored 0 lost 0 steps 0 s";
inline constexpr const char* kWellFour = "TERMINATED 4 failures 0 restored 0 lost 0 steps 0 s";
inline constexpr const char* kCrash18 =
    R"({"kind": "worker_crash", "target": "experiment:x/trial:0", "at": "18s"})";

/// Runs the row and compares.
inline void expect_felt(const Felt& row) {
  SCOPED_TRACE(row.what);
  nlohmann::json patch = policies::json_from_text(row.base);
  const nlohmann::json change = policies::json_from_text(row.patch);
  nlohmann::json faults = policies::json_from_text(row.faults);
  // A load is there to be disturbed when the trial has crashed.
  if (!faults.is_array()) {
    faults = nlohmann::json::array({policies::json_from_text(kCrash18), faults});
  }
  for (const auto& [key, value] : change.items()) {
    if (key == "experiments") {
      patch["experiments"][0].merge_patch(value[0]);
    } else {
      patch[key] = value;
    }
  }
  patch["faults"] = faults;
  const Outcomes run = simulated(policies::text_from_json(patch));
  EXPECT_EQ(run.trial(0), row.trial_0);
  EXPECT_EQ(run.trial(2), row.trial_2);
  EXPECT_EQ(run.trial(3), row.trial_3);
  EXPECT_EQ(run.experiment().at("wall_us"), row.wall_us);
  EXPECT_EQ(run.trials_ledger(), row.ledger);
}

}  // namespace aftershock::sim::world
