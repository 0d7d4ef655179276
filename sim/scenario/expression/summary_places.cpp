#include "sim/scenario/expression/summary_places.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policies/api/config.h"
#include "reports/ledger/bucket.h"
#include "sim/scenario/text/lookup.h"
#include "sim/scenario/text/numerals.h"

namespace aftershock::sim::scenario {
namespace {

/// The type of a leaf of a summary; truths are taken for numbers.
enum class Holds : std::uint8_t { kNumber, kText };

/// A leaf, or what is left of the way to it.
struct Leaf {
  std::string_view path;
  Holds holds = Holds::kNumber;
};

// The leaves of a summary: # is the index of a list, * any name, @ a bucket of the ledger.
constexpr auto kLeaves = std::to_array<Leaf>({
    {"schema"},
    {"scenario", Holds::kText},
    {"question", Holds::kText},
    {"policy", Holds::kText},
    {"seed"},
    {"verdict", Holds::kText},
    {"verdict_reason", Holds::kText},
    {"hash", Holds::kText},
    {"simulated_us"},
    {"warnings/#", Holds::kText},
    {"jobs/#/name", Holds::kText},
    {"jobs/#/outcome", Holds::kText},
    {"jobs/#/reason", Holds::kText},
    {"jobs/#/unplaced", Holds::kText},
    {"jobs/#/left_reserved", Holds::kText},
    {"jobs/#/vendor_state", Holds::kText},
    {"jobs/#/wall_us"},
    {"jobs/#/steps"},
    {"jobs/#/steps_done"},
    {"jobs/#/at_end", Holds::kText},
    {"jobs/#/useful_us"},
    {"jobs/#/useful_of_us"},
    {"jobs/#/useful_share"},
    {"jobs/#/useful_accelerator_us"},
    {"jobs/#/finish_us"},
    {"jobs/#/useful_steps"},
    {"jobs/#/ettr"},
    {"jobs/#/ledger_us/@"},
    {"jobs/#/ledger_accelerator_us/@"},
    {"jobs/#/ledger_accelerator_us/reduced"},
    {"jobs/#/lost/steps"},
    {"jobs/#/lost/us"},
    {"jobs/#/lost/accelerator_us"},
    {"jobs/#/stranded/steps"},
    {"jobs/#/stranded/accelerator_us"},
    {"jobs/#/stale_accelerator_us"},
    {"jobs/#/attempts"},
    {"jobs/#/false_alarms"},
    {"jobs/#/recoveries/#/fault", Holds::kText},
    {"jobs/#/recoveries/#/rules/#", Holds::kText},
    {"jobs/#/recoveries/#/detected_us"},
    {"jobs/#/recoveries/#/running_us"},
    {"jobs/#/recoveries/#/caught_up_us"},
    {"jobs/#/recoveries/#/lost_us"},
    {"jobs/#/budgets/*/used"},
    {"jobs/#/budgets/*/limit"},
    {"jobs/#/budgets/*/exhausted"},
    {"jobs/#/budgets/*/charges/#/t_us"},
    {"jobs/#/budgets/*/charges/#/fault", Holds::kText},
    {"jobs/#/budgets/*/charges/#/cause", Holds::kText},
    {"jobs/#/budgets/*/charges/#/decision", Holds::kText},
    {"jobs/#/budgets/*/charges/#/rule", Holds::kText},
    {"jobs/#/budgets/*/charges/#/used"},
    {"jobs/#/budgets/*/charges/#/exempt"},
    {"jobs/#/result/path", Holds::kText},
    {"jobs/#/result/checkpoint", Holds::kText},
    {"jobs/#/result/best", Holds::kText},
    {"jobs/#/result/artifacts/synced_us"},
    {"jobs/#/result/artifacts/lost_us"},
    {"jobs/#/rules/#", Holds::kText},
    {"jobs/#/pods/#/ranks", Holds::kText},
    {"jobs/#/pods/#/env/*", Holds::kText},
    {"experiments/#/name", Holds::kText},
    {"experiments/#/policy", Holds::kText},
    {"experiments/#/outcome", Holds::kText},
    {"experiments/#/reason", Holds::kText},
    {"experiments/#/vendor_state", Holds::kText},
    {"experiments/#/wall_us"},
    {"experiments/#/at_end", Holds::kText},
    {"experiments/#/useful_us"},
    {"experiments/#/useful_of_us"},
    {"experiments/#/useful_share"},
    {"experiments/#/useful_accelerator_us"},
    {"experiments/#/finish_us"},
    {"experiments/#/statuses/*"},
    {"experiments/#/ledger_us/@"},
    {"experiments/#/ledger_accelerator_us/@"},
    {"experiments/#/lost/steps"},
    {"experiments/#/lost/us"},
    {"experiments/#/lost/accelerator_us"},
    {"experiments/#/attempts"},
    {"experiments/#/budgets/*/used"},
    {"experiments/#/budgets/*/limit"},
    {"experiments/#/budgets/*/exhausted"},
    {"experiments/#/budgets/*/charges/#/t_us"},
    {"experiments/#/budgets/*/charges/#/fault", Holds::kText},
    {"experiments/#/budgets/*/charges/#/cause", Holds::kText},
    {"experiments/#/budgets/*/charges/#/decision", Holds::kText},
    {"experiments/#/budgets/*/charges/#/rule", Holds::kText},
    {"experiments/#/budgets/*/charges/#/used"},
    {"experiments/#/budgets/*/charges/#/exempt"},
    {"experiments/#/rules/#", Holds::kText},
    {"experiments/#/restores/#/t_us"},
    {"experiments/#/restores/#/trials"},
    {"experiments/#/lost_trials/#", Holds::kText},
    {"experiments/#/trials/#/id", Holds::kText},
    {"experiments/#/trials/#/status", Holds::kText},
    {"experiments/#/trials/#/iterations"},
    {"experiments/#/trials/#/failures"},
    {"experiments/#/trials/#/restores"},
    {"experiments/#/trials/#/lost/steps"},
    {"experiments/#/trials/#/lost/us"},
    {"cluster/idle_us/spares"},
    {"cluster/idle_us/isolated"},
    {"cluster/idle_us/repairing"},
    {"cluster/unavailability"},
    {"cluster/cost"},
    {"cluster/cost_reserved"},
    {"faults/*/injected"},
    {"faults/*/fired"},
    {"faults/*/masked"},
    {"faults/*/detected"},
    {"never_struck/#/fault", Holds::kText},
    {"never_struck/#/kind", Holds::kText},
    {"never_struck/#/why", Holds::kText},
    {"invariants/checked"},
    {"invariants/violated/#/id", Holds::kText},
    {"invariants/violated/#/what", Holds::kText},
    {"invariants/violated/#/t_us"},
    {"driver_runs/#/job", Holds::kText},
    {"driver_runs/#/nth"},
    {"driver_runs/#/run", Holds::kText},
    {"driver_runs/#/found", Holds::kText},
    {"driver_runs/#/started_us"},
    {"driver_runs/#/started_by", Holds::kText},
    {"driver_runs/#/ended_us"},
    {"driver_runs/#/ended_by", Holds::kText},
    {"events"},
});

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
std::vector<std::string_view> names_of(const std::vector<Leaf>& ways) {
  std::vector<std::string_view> names;
  for (const Leaf& way : ways) {
    const std::string_view step = first_of(way.path);
    if (step == "@") {
      names.assign(reports::kBucketNames.begin(), reports::kBucketNames.end());
    } else if (const std::string_view name = step == "#" ? "the index of an element" : step;
               names.empty() || names.back() != name) {
      names.push_back(name);
    }
  }
  return names;
}

/// Goes one key on: leaves the ways that it fits, from there on.
void go_on(std::vector<Leaf>& ways, std::string_view key) {
  std::erase_if(ways, [key](const Leaf& way) { return !fits(first_of(way.path), key); });
  for (Leaf& way : ways) way.path = rest_of(way.path);
}

/// Takes away the ways that have come to their end.
void drop_ended(std::vector<Leaf>& ways) {
  std::erase_if(ways, [](const Leaf& way) { return way.path.empty(); });
}

/// The leaves at a place and below it, from there on.
std::vector<Leaf> ways_on(std::string_view pointer) {
  std::vector<Leaf> ways(kLeaves.begin(), kLeaves.end());
  std::string_view left = pointer.substr(std::min<std::size_t>(1, pointer.size()));
  for (; !left.empty(); left = rest_of(left)) go_on(ways, first_of(left));
  return ways;
}

/// The place of a number below this one: "/jobs/0/budgets/NAME/used"; empty where there is none.
std::string number_below(std::string_view pointer, const std::vector<Leaf>& ways) {
  const auto number = std::ranges::find(ways, Holds::kNumber, &Leaf::holds);
  if (number == ways.end()) return {};
  std::string place(pointer);
  for (std::string_view left = number->path; !left.empty(); left = rest_of(left)) {
    const std::string_view step = first_of(left);
    place += fmt::format("/{}", step == "#"   ? "0"
                                : step == "*" ? "NAME"
                                : step == "@" ? "productive"
                                              : step);
  }
  return place;
}

}  // namespace

std::optional<TextProblem> check_number_place(std::string_view pointer) {
  if (first_of(pointer.substr(std::min<std::size_t>(1, pointer.size()))) == "expect") {
    return std::nullopt;
  }
  std::vector<Leaf> ways = ways_on(pointer);
  const bool is_text = std::ranges::find(ways, Holds::kText, &Leaf::holds) != ways.end();
  drop_ended(ways);
  if (!ways.empty()) {
    const std::string number = number_below(pointer, ways);
    return TextProblem{fmt::format("{} of the summary is {}", in_quotes(pointer),
                                   first_of(ways.front().path) == "#" ? "a list" : "an object"),
                       number.empty() ? "a number" : fmt::format("a number, such as {}", number),
                       {}};
  }
  if (!is_text) return std::nullopt;
  return TextProblem{
      fmt::format("{} of the summary is text", in_quotes(pointer)),
      fmt::format(R"(a number, such as completed or ettr; "expect" of a scenario compares text, )"
                  R"(as in {{"at": "{}", "is": "{}"}})",
                  pointer, pointer.ends_with("/outcome") ? "completed" : "..."),
      {}};
}

std::optional<TextProblem> check_summary_place(std::string_view pointer) {
  std::vector<Leaf> ways(kLeaves.begin(), kLeaves.end());
  std::string_view left = pointer.substr(std::min<std::size_t>(1, pointer.size()));
  if (first_of(left) == "expect") return std::nullopt;  // as many as there are, judged in turn
  while (!left.empty()) {
    const std::string_view key = first_of(left);
    std::vector<Leaf> on = ways;
    go_on(on, key);
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
    drop_ended(on);
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
        kLeaves, [&](const Leaf& leaf) { return first_of(leaf.path) == first; });
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

}  // namespace aftershock::sim::scenario
