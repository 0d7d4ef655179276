#include "sim/scenario/summary_places.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policies/api/config.h"
#include "reports/ledger/bucket.h"
#include "sim/scenario/lookup.h"
#include "sim/scenario/numerals.h"

namespace aftershock::sim {
namespace {

// The leaves of a summary: # is the index of a list, * any name, @ a bucket of the ledger.
constexpr auto kPlaces =
    std::to_array<std::string_view>({"schema",
                                     "scenario",
                                     "question",
                                     "policy",
                                     "seed",
                                     "verdict",
                                     "verdict_reason",
                                     "hash",
                                     "simulated_us",
                                     "warnings/#",
                                     "jobs/#/name",
                                     "jobs/#/outcome",
                                     "jobs/#/reason",
                                     "jobs/#/unplaced",
                                     "jobs/#/vendor_state",
                                     "jobs/#/wall_us",
                                     "jobs/#/steps",
                                     "jobs/#/steps_done",
                                     "jobs/#/ettr",
                                     "jobs/#/ledger_us/@",
                                     "jobs/#/ledger_accelerator_us/@",
                                     "jobs/#/ledger_accelerator_us/reduced",
                                     "jobs/#/lost/steps",
                                     "jobs/#/lost/us",
                                     "jobs/#/lost/accelerator_us",
                                     "jobs/#/stranded/steps",
                                     "jobs/#/stranded/accelerator_us",
                                     "jobs/#/stale_accelerator_us",
                                     "jobs/#/attempts",
                                     "jobs/#/false_alarms",
                                     "jobs/#/recoveries/#/fault",
                                     "jobs/#/recoveries/#/rules/#",
                                     "jobs/#/recoveries/#/detected_us",
                                     "jobs/#/recoveries/#/running_us",
                                     "jobs/#/recoveries/#/caught_up_us",
                                     "jobs/#/recoveries/#/lost_us",
                                     "jobs/#/budgets/*/used",
                                     "jobs/#/budgets/*/limit",
                                     "jobs/#/budgets/*/exhausted",
                                     "jobs/#/budgets/*/charges/#/t_us",
                                     "jobs/#/budgets/*/charges/#/fault",
                                     "jobs/#/budgets/*/charges/#/cause",
                                     "jobs/#/budgets/*/charges/#/decision",
                                     "jobs/#/budgets/*/charges/#/rule",
                                     "jobs/#/budgets/*/charges/#/used",
                                     "jobs/#/budgets/*/charges/#/exempt",
                                     "jobs/#/result/path",
                                     "jobs/#/result/checkpoint",
                                     "jobs/#/result/best",
                                     "jobs/#/result/artifacts/synced_us",
                                     "jobs/#/result/artifacts/lost_us",
                                     "jobs/#/rules/#",
                                     "jobs/#/pods/#/ranks",
                                     "jobs/#/pods/#/env/*",
                                     "experiments/#/name",
                                     "experiments/#/outcome",
                                     "experiments/#/reason",
                                     "experiments/#/vendor_state",
                                     "experiments/#/wall_us",
                                     "experiments/#/statuses/*",
                                     "experiments/#/ledger_us/@",
                                     "experiments/#/ledger_accelerator_us/@",
                                     "experiments/#/lost/steps",
                                     "experiments/#/lost/us",
                                     "experiments/#/lost/accelerator_us",
                                     "experiments/#/attempts",
                                     "experiments/#/budgets/*/used",
                                     "experiments/#/budgets/*/limit",
                                     "experiments/#/budgets/*/exhausted",
                                     "experiments/#/budgets/*/charges/#/t_us",
                                     "experiments/#/budgets/*/charges/#/fault",
                                     "experiments/#/budgets/*/charges/#/cause",
                                     "experiments/#/budgets/*/charges/#/decision",
                                     "experiments/#/budgets/*/charges/#/rule",
                                     "experiments/#/budgets/*/charges/#/used",
                                     "experiments/#/budgets/*/charges/#/exempt",
                                     "experiments/#/rules/#",
                                     "experiments/#/restores/#/t_us",
                                     "experiments/#/restores/#/trials",
                                     "experiments/#/lost_trials/#",
                                     "experiments/#/trials/#/id",
                                     "experiments/#/trials/#/status",
                                     "experiments/#/trials/#/iterations",
                                     "experiments/#/trials/#/failures",
                                     "experiments/#/trials/#/restores",
                                     "experiments/#/trials/#/lost/steps",
                                     "experiments/#/trials/#/lost/us",
                                     "cluster/idle_us/spares",
                                     "cluster/idle_us/isolated",
                                     "cluster/idle_us/repairing",
                                     "cluster/unavailability",
                                     "cluster/cost",
                                     "cluster/cost_reserved",
                                     "faults/*/injected",
                                     "faults/*/fired",
                                     "faults/*/masked",
                                     "faults/*/detected",
                                     "invariants/checked",
                                     "invariants/violated/#/id",
                                     "invariants/violated/#/what",
                                     "invariants/violated/#/t_us",
                                     "driver_runs/#/job",
                                     "driver_runs/#/nth",
                                     "driver_runs/#/run",
                                     "driver_runs/#/found",
                                     "driver_runs/#/started_us",
                                     "driver_runs/#/started_by",
                                     "driver_runs/#/ended_us",
                                     "driver_runs/#/ended_by",
                                     "events"});

std::string_view first_of(std::string_view path) { return path.substr(0, path.find('/')); }

std::string_view rest_of(std::string_view path) {
  const std::size_t slash = path.find('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
}

bool fits(std::string_view step, std::string_view key) {
  if (step == "#") return parse_index(key).has_value();
  if (step == "@")
    return std::ranges::find(reports::kBucketNames, key) != reports::kBucketNames.end();
  return step == "*" || step == key;
}

/// The words for what may stand where these ways go on.
std::vector<std::string_view> names_of(const std::vector<std::string_view>& ways) {
  std::vector<std::string_view> names;
  for (const std::string_view way : ways) {
    const std::string_view step = first_of(way);
    if (step == "@") {
      names.assign(reports::kBucketNames.begin(), reports::kBucketNames.end());
    } else if (const std::string_view name = step == "#" ? "the index of an element" : step;
               names.empty() || names.back() != name) {
      names.push_back(name);
    }
  }
  return names;
}

/// The leaves at a place and below it, from there on.
std::vector<std::string_view> ways_on(std::string_view pointer) {
  std::vector<std::string_view> ways(kPlaces.begin(), kPlaces.end());
  std::string_view left = pointer.substr(std::min<std::size_t>(1, pointer.size()));
  for (; !left.empty(); left = rest_of(left)) {
    std::erase_if(ways, [&](std::string_view way) { return !fits(first_of(way), first_of(left)); });
    std::ranges::transform(ways, ways.begin(), rest_of);
  }
  return ways;
}

/// Whether the leaf at this place is text: by its name, as a list's element or an environment's.
bool is_text(std::string_view pointer) {
  constexpr auto kTexts = std::to_array<std::string_view>(
      {"best",         "cause",          "checkpoint", "decision", "ended_by", "fault",
       "found",        "hash",           "id",         "job",      "name",     "outcome",
       "path",         "policy",         "question",   "ranks",    "reason",   "rule",
       "run",          "scenario",       "started_by", "status",   "unplaced", "verdict",
       "vendor_state", "verdict_reason", "what"});
  const std::size_t last = pointer.rfind('/');
  const std::string_view name = pointer.substr(last + 1);
  const std::string_view above = pointer.substr(0, last);
  return std::ranges::find(kTexts, name) != kTexts.end() || above.ends_with("/env") ||
         above.ends_with("/rules") || above.ends_with("/warnings") ||
         above.ends_with("/lost_trials");
}

/// The place of a number below this one: "/jobs/0/budgets/NAME/used"; empty where there is none.
std::string number_below(std::string_view pointer, const std::vector<std::string_view>& ways) {
  for (const std::string_view way : ways) {
    std::string place(pointer);
    for (std::string_view left = way; !left.empty(); left = rest_of(left)) {
      const std::string_view step = first_of(left);
      place += fmt::format("/{}", step == "#"   ? "0"
                                  : step == "*" ? "NAME"
                                  : step == "@" ? "productive"
                                                : step);
    }
    if (!is_text(place)) return place;
  }
  return {};
}

}  // namespace

std::optional<TextProblem> check_number_place(std::string_view pointer) {
  if (first_of(pointer.substr(std::min<std::size_t>(1, pointer.size()))) == "expect") {
    return std::nullopt;
  }
  std::vector<std::string_view> ways = ways_on(pointer);
  std::erase(ways, std::string_view());
  if (!ways.empty()) {
    const std::string number = number_below(pointer, ways);
    return TextProblem{fmt::format("{} of the summary is {}", in_quotes(pointer),
                                   first_of(ways.front()) == "#" ? "a list" : "an object"),
                       number.empty() ? "a number" : fmt::format("a number, such as {}", number),
                       {}};
  }
  if (!is_text(pointer)) return std::nullopt;
  return TextProblem{
      fmt::format("{} of the summary is text", in_quotes(pointer)),
      fmt::format(R"(a number, such as completed or ettr; "expect" of a scenario compares text, )"
                  R"(as in {{"at": "{}", "is": "{}"}})",
                  pointer, pointer.ends_with("/outcome") ? "completed" : "..."),
      {}};
}

std::optional<TextProblem> check_summary_place(std::string_view pointer) {
  std::vector<std::string_view> ways(kPlaces.begin(), kPlaces.end());
  std::string_view left = pointer.substr(std::min<std::size_t>(1, pointer.size()));
  if (first_of(left) == "expect") return std::nullopt;  // as many as there are, judged in turn
  while (!left.empty()) {
    const std::string_view key = first_of(left);
    std::vector<std::string_view> on;
    for (const std::string_view way : ways) {
      if (fits(first_of(way), key)) on.push_back(rest_of(way));
    }
    if (on.empty()) {
      const auto above = static_cast<std::size_t>(key.data() - pointer.data()) - 1;
      const std::vector<std::string_view> names = names_of(ways);
      return TextProblem{
          fmt::format("the summary has no {} in {}", in_quotes(key),
                      above == 0 ? "it" : in_quotes(pointer.substr(0, above))),
          fmt::format("{}{}", names.size() > 1 ? "one of " : "", fmt::join(names, ", ")),
          std::string(policies::nearest_name(key, names))};
    }
    left = rest_of(left);
    std::erase(on, std::string_view());
    if (on.empty() && !left.empty()) {
      return TextProblem{
          fmt::format("the summary has nothing below {}",
                      in_quotes(pointer.substr(
                          0, static_cast<std::size_t>(left.data() - pointer.data()) - 1))),
          "that place itself",
          {}};
    }
    ways = std::move(on);
  }
  return std::nullopt;
}

std::variant<std::string, TextProblem> metric_place(std::string_view name,
                                                    const Scenario& scenario) {
  std::string pointer(name);
  if (!name.starts_with('/')) {
    std::ranges::replace(pointer, '.', '/');
    const std::string_view first = first_of(pointer);
    const auto job = index_by_name(scenario.jobs, first);
    const auto experiment = index_by_name(scenario.experiments, first);
    const bool on_top = std::ranges::any_of(
        kPlaces, [&](std::string_view place) { return first_of(place) == first; });
    if (on_top) {
      pointer = "/" + pointer;
    } else if (job || experiment) {
      pointer = fmt::format("/{}/{}/{}", job ? "jobs" : "experiments", job ? *job : *experiment,
                            rest_of(pointer));
    } else if (scenario.jobs.size() + scenario.experiments.size() == 1) {
      pointer = fmt::format("/{}/0/{}", scenario.jobs.empty() ? "experiments" : "jobs", pointer);
    } else {
      const std::string_view one =
          scenario.jobs.empty() ? scenario.experiments.front().name : scenario.jobs.front().name;
      return TextProblem{fmt::format("of which job is {}", in_quotes(name)),
                         fmt::format("the job before it, as in \"{}.{}\"", one, name),
                         {}};
    }
  }
  if (auto problem = check_summary_place(pointer)) return std::move(*problem);
  return pointer;
}

}  // namespace aftershock::sim
