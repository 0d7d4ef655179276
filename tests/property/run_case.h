#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "sim/engine/drive.h"
#include "sim/scenario/scenario.h"
#include "sim/world/world.h"

namespace aftershock::sim {

/// The scenario, or what the reader says against it.
std::variant<std::shared_ptr<const scenario::Scenario>, std::string> read_text(
    const std::string& text);

/// The result of one run, whichever way it was made.
struct RunResult {
  std::vector<std::string> problems;  ///< seen during the run
  std::string summary;                ///< as a line of JSON
  std::string recording;              ///< its size and digest, where one was asked for
};

/// An ordinary run of the whole in a process of its own. The end of that process, and a run that
/// takes too long, are problems of the result.
RunResult run_ordinarily(const std::shared_ptr<const scenario::Scenario>& scenario,
                         engine::Driver driver, bool recorded);

/// The same, looking at the whole world after every entry played.
RunResult run_watched(const std::shared_ptr<const scenario::Scenario>& scenario);

/// Runs the whole, then once more to the middle, copies the world there, and lets both come to
/// their ends, the copy first. For scenarios in which nothing contends. Three results that must be
/// alike: the whole's, the original's and the copy's.
std::vector<RunResult> run_copied(const std::shared_ptr<const scenario::Scenario>& scenario);

/// The laws of every summary.
std::vector<std::string> problems_of(const nlohmann::json& summary,
                                     const scenario::Scenario& scenario);

}  // namespace aftershock::sim
