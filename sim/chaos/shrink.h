#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "sim/chaos/failure.h"

// A failing run, made as small as it can be while it fails alike (chaos.md 5.7).
namespace aftershock::sim::chaos {

/// How hard to try.
struct ShrinkOptions {
  std::int64_t most_runs = 20'000;
  /// Asked before every run, with those that were made: false ends it with what there is.
  std::function<bool(std::int64_t runs)> go_on;
  std::shared_ptr<policies::PolicySource> policies{};  ///< see Scenario
};

/// The outcome of shrinking.
struct Shrunk {
  nlohmann::ordered_json scenario;
  Failure failure;
  std::int64_t runs = 0;
  bool whole = true;  ///< nothing more can be taken away by one step; else it was ended before
};

/// `scenario` is one that fails with `failure`; its faults are scripted. Each step takes something
/// away, or makes it rounder, and stays only where the run still fails alike: faults,
/// one by one and in blocks; jobs; nodes, with the workers on them; steps; keys that have defaults,
/// but those of policies; and times, to round ones.
Shrunk shrink(nlohmann::ordered_json scenario, Failure failure, const std::string& name,
              const ShrinkOptions& options);

}  // namespace aftershock::sim::chaos
