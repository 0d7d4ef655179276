#include "sim/check/check_recordings.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "reports/compare/recordings.h"
#include "sim/check/check_runs.h"
#include "sim/check/files.h"

namespace aftershock::sim::check {
namespace {

/// The text of a member of a summary; none where the file is not one that a run has written.
std::optional<std::string> text_at(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? std::optional(found->get<std::string>())
                                                     : std::nullopt;
}

/// The first job or experiment that did not complete, as a row of a sweep has it.
void add_outcome(const nlohmann::json& summary, reports::RunRow& row) {
  row.outcome = "completed";
  for (const char* kind : {"jobs", "experiments"}) {
    const auto parts = summary.find(kind);
    if (parts == summary.end() || !parts->is_array()) {
      continue;
    }
    for (const auto& part : *parts) {
      const auto outcome = part.is_object() ? text_at(part, "outcome") : std::nullopt;
      if (outcome && *outcome != "completed") {
        row.outcome = *outcome;
        row.reason = text_at(part, "reason").value_or("");
        return;
      }
    }
  }
}

/// The run of a recording, or what is wrong with that.
std::variant<reports::CheckedRun, std::string> checked(const std::string& path) {
  auto read = reports::read_run(path);
  if (auto* problem = std::get_if<std::string>(&read)) {
    return std::move(*problem);
  }
  auto& recorded = std::get<reports::RecordedRun>(read);
  // Without its last line nothing vouches for those before.
  if (recorded.summary.empty() || recorded.hash.empty()) {
    return fmt::format("{}: is cut off, and has no verdict that holds", path);
  }
  const auto summary = policies::json_or_discarded(recorded.summary);
  const auto word = summary.is_object() ? text_at(summary, "verdict") : std::nullopt;
  const auto verdict = word ? reports::verdict_named(*word) : std::nullopt;
  if (!verdict) {
    return fmt::format("{}: its summary has no verdict that is known", path);
  }
  reports::RunRow row;
  row.seed = recorded.seed;
  row.verdict = *verdict;
  add_outcome(summary, row);
  const char* end = recorded.hash.data() + recorded.hash.size();
  if (std::from_chars(recorded.hash.data(), end, row.hash, 16).ec != std::errc()) {
    return fmt::format("{}: its hash is not one", path);
  }
  if (*verdict != reports::Verdict::kPassed) {
    row.verdict_reason = text_at(summary, "verdict_reason").value_or("");
  }
  CheckedScenario scenario;
  scenario.path = path;
  scenario.policy = std::move(recorded.policy);
  scenario.digest = reports::scenario_digest(recorded.text);
  reports::CheckedRun run;
  run.run = baseline_run_of(scenario, row);
  run.name = std::move(recorded.scenario);
  run.reason = row.verdict_reason;
  run.recorded = true;
  return run;
}

}  // namespace

void check_recordings(const std::vector<std::filesystem::path>& files,
                      reports::CheckReport& report) {
  std::set<std::string> seen;
  for (const auto& file : files) {
    const std::string path = plain_path(file);
    if (!seen.insert(path).second) {
      continue;
    }
    auto made = checked(path);
    if (auto* run = std::get_if<reports::CheckedRun>(&made)) {
      report.runs.push_back(std::move(*run));
    } else {
      report.unusable.push_back({path, 0, 0, std::get<std::string>(std::move(made))});
    }
  }
  std::ranges::sort(report.runs, {}, [](const reports::CheckedRun& run) { return run.run.key; });
}

}  // namespace aftershock::sim::check
