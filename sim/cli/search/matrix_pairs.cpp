#include "sim/cli/search/matrix_pairs.h"

#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/config.h"
#include "policies/api/json_as_text.h"
#include "reports/matrix/matrix.h"
#include "reports/render/format.h"
#include "sim/cli/command.h"

namespace aftershock::sim::cli {
namespace {

using reports::CellState;

std::int64_t count_of(const chaos::ExploreStore& store, CellState state) {
  return store.covered()[static_cast<std::size_t>(state)].runs;
}

/// Of the pairs of phases: how many were struck.
std::int64_t phases_struck(const chaos::ExploreStore& store) {
  std::int64_t struck = 0;
  for (std::size_t i = reports::kCellStates; i < store.covered().size(); ++i) {
    struck += store.covered()[i].runs > 0 ? 1 : 0;
  }
  return struck;
}

std::string pairs_text(const chaos::PairPlan& plan, chaos::ExploreStore& store,
                       const std::string& show) {
  using enum CellState;
  const auto count = [&store](CellState state) {
    return reports::format_count(count_of(store, state));
  };
  std::string text = fmt::format(
      "{} under {}: {} of {} pairs of faults, in {} pairs of phases\n"
      "  {:>9}  recovered\n  {:>9}  ended by the policy\n  {:>9}  out of time\n"
      "  {:>9}  past recovery\n"
      "  {:>9}  documented findings\n"
      "  {:>9}  red\n  {:>9}  the second fault found nothing left to break\n",
      printable(plan.plan.scenario), plan.plan.cells.front().about.policy,
      reports::format_count(store.runs()),
      reports::format_count(static_cast<std::int64_t>(plan.pairs.size())), phases_struck(store),
      count(kRecovered), count(kEnded), count(kUnfinished), count(kLost), count(kExpected),
      reports::format_count(count_of(store, kFinding) + count_of(store, kBroken)),
      count(kUnbitten));
  return text + failures_text(store, [&](std::uint64_t number) {
           return show + chaos::pair_id(plan, plan.pairs[number]);
         });
}

nlohmann::ordered_json pairs_json(const chaos::PairPlan& plan, chaos::ExploreStore& store) {
  nlohmann::ordered_json counts;
  nlohmann::ordered_json phases = nlohmann::ordered_json::array();
  const auto names = chaos::pair_marks();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const chaos::Covered& mark = store.covered()[i];
    if (i < reports::kCellStates) {
      counts[names[i]] = mark.runs;
    } else if (mark.runs > 0) {
      phases.push_back({{"phases", names[i]}, {"runs", mark.runs}});
    }
  }
  auto failures = failures_json(store, "number");
  for (auto& failure : failures) {
    failure["pair"] = chaos::pair_id(plan, plan.pairs[failure["number"].get<std::size_t>()]);
  }
  return {{"schema", 1},
          {"scenario", plan.plan.scenario},
          {"policy", plan.plan.cells.front().about.policy},
          {"pairs", plan.pairs.size()},
          {"runs", store.runs()},
          {"counts", std::move(counts)},
          {"phases", std::move(phases)},
          {"failures", std::move(failures)}};
}

}  // namespace

int run_pairs_command(const PairArguments& arguments, const chaos::PairPlan& plan) {
  SearchArguments search = arguments.search;
  search.runs = plan.pairs.size();
  auto searched = search_runs(search, plan.plan, plan.digest, chaos::pair_marks(),
                              [&plan](chaos::ExploreStore& store, sweep::WorkerPool& pool,
                                      const chaos::ExploreOptions& options) {
                                return chaos::run_pairs(plan, store, pool, options.go_on);
                              });
  if (const int* code = std::get_if<int>(&searched)) {
    return *code;
  }
  auto& store = std::get<chaos::ExploreStore>(searched);
  if (arguments.json) {
    print_json(pairs_json(plan, store));
  } else if (!arguments.quiet) {
    print(pairs_text(plan, store,
                     fmt::format("aftershock matrix {}{} --pair ",
                                 reports::shell_word(arguments.path), arguments.options)));
  }
  if (!arguments.outputs.junit.empty() || !arguments.outputs.html.empty()) {
    reports::MatrixReport report = chaos::pairs_report(plan, store);
    report.path = arguments.path;
    report.options = arguments.options;
    if (!write_outputs(arguments.outputs, report)) {
      return kUnusable;
    }
  }
  return search_exit_code(store);
}

int print_pair(const std::string& id, const chaos::PairPlan& plan) {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < plan.pairs.size(); ++i) {
    ids.push_back(chaos::pair_id(plan, plan.pairs[i]));
    if (ids.back() == id) {
      print_json(chaos::pair_scenario(plan, i));
      return kOk;
    }
  }
  const std::vector<std::string_view> names(ids.begin(), ids.end());
  const std::string_view nearest = policies::nearest_name(id, names);
  complain(fmt::format(
      "--pair {}: the matrix has no such pair; expected PHASE/FAULT,PHASE/FAULT, such as {}",
      scenario::in_quotes(id), nearest.empty() ? "training/F03,rendezvous/F01" : nearest));
  return kUnusable;
}

}  // namespace aftershock::sim::cli
