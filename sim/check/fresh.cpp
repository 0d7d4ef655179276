#include "sim/check/fresh.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "sim/sweep/other_build.h"
#include "sim/sweep/schedule.h"
#include "sim/sweep/temporary_folder.h"

namespace aftershock::sim::check {
namespace {

using reports::Better;
using reports::Change;
using reports::Rank;

/// Pairs of one metric's values, and of which run each is.
struct MetricPairs {
  std::vector<reports::Pair> values;
  std::vector<std::size_t> of;
  bool differ = false;
};

MetricPairs pairs_of(std::span<const reports::RunRow> old, std::span<const reports::RunRow> now,
                     std::size_t metric) {
  MetricPairs pairs;
  for (std::size_t i = 0; i < std::min(old.size(), now.size()); ++i) {
    if (metric >= old[i].values.size() || metric >= now[i].values.size()) {
      continue;  // its worker died
    }
    const auto before = reports::number_of(old[i].values[metric]);
    const auto after = reports::number_of(now[i].values[metric]);
    if (before && after) {
      pairs.values.push_back({*before, *after});
      pairs.of.push_back(i);
      pairs.differ = pairs.differ || *before != *after;
    }
  }
  return pairs;
}

/// By the interval alone; without one nothing is known.
Change change_by(const reports::Estimate& mean, Better better, double allowed) {
  if (!mean.interval) {
    return Change::kWithin;
  }
  const double least_gain = better == Better::kHigher ? mean.interval->low : -mean.interval->high;
  const double most_gain = better == Better::kHigher ? mean.interval->high : -mean.interval->low;
  return most_gain < -allowed   ? Change::kWorse
         : least_gain > allowed ? Change::kBetter
                                : Change::kWithin;
}

/// The run whose pair lost most.
std::size_t worst_of(const MetricPairs& pairs, Better better) {
  const auto loss = [better](const reports::Pair& pair) {
    return better == Better::kHigher ? pair.first - pair.second : pair.second - pair.first;
  };
  const auto worst = std::ranges::max_element(pairs.values, {}, loss);
  return pairs.of[static_cast<std::size_t>(worst - pairs.values.begin())];
}

/// The scenario without what only says how this build judges it, which the other may not know.
std::string without_check(const std::string& text) {
  auto scenario = policies::json_from_text<nlohmann::ordered_json>(text);
  scenario.erase("check");
  return policies::text_from_json(scenario);
}

/// This build's rows, by cell.
sweep::DispatchResult run_this_build(const sweep::Plan& fresh, sweep::WorkerPool& pool,
                                     std::vector<std::vector<reports::RunRow>>& rows,
                                     const std::function<void(std::uint64_t)>& progress) {
  const auto cells = static_cast<std::uint32_t>(fresh.cells.size());
  const std::uint64_t total = std::uint64_t{cells} * fresh.replicas;
  sweep::Schedule schedule(cells, fresh.replicas, sweep::runs_a_task(total, pool.size()),
                           [](std::uint32_t, std::uint32_t) { return true; });
  std::uint64_t done = 0;
  sweep::Work work;
  work.next = [&schedule] { return schedule.next(); };
  work.row = [&](reports::RunRow&& row) {
    ++done;
    rows[row.cell].push_back(std::move(row));
    return true;
  };
  work.trouble = [](const sweep::Task&, const std::string&) {};
  work.not_recorded = [](const std::string&) {};
  work.tick = [&] { progress(done); };
  const sweep::DispatchResult result = sweep::dispatch(pool, fresh, work);
  for (auto& of_cell : rows) {
    std::ranges::sort(of_cell, {}, &reports::RunRow::replica);
  }
  return result;
}

}  // namespace

sweep::Plan fresh_plan(const CheckPlan& plan, const FreshOptions& options) {
  sweep::Plan fresh = plan.plan;
  fresh.replicas = options.runs;
  for (sweep::PlannedCell& cell : fresh.cells) {
    cell.first_seed = options.first_seed;
    cell.traced = 0;
  }
  return fresh;
}

std::uint32_t questions_in(std::span<const reports::RunRow> old,
                           std::span<const reports::RunRow> now, const reports::Margins& margins) {
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < reports::metrics().size(); ++i) {
    const bool judged = reports::margin_for(reports::metrics()[i].name, margins).has_value();
    count += judged && pairs_of(old, now, i).differ ? 1U : 0U;
  }
  return count;
}

void judge_fresh(reports::FreshRuns& runs, std::span<const reports::RunRow> old,
                 std::span<const reports::RunRow> now, const reports::Margins& margins,
                 double level) {
  runs.level = level;
  std::vector<MetricPairs> all;
  for (std::size_t i = 0; i < reports::metrics().size(); ++i) {
    const reports::Metric& metric = reports::metrics()[i];
    const auto margin = reports::margin_for(metric.name, margins);
    MetricPairs pairs = margin ? pairs_of(old, now, i) : MetricPairs{};
    if (!pairs.differ) {
      continue;
    }
    auto difference = reports::paired_difference(pairs.values, {.level = level, .resamples = 0});
    if (!difference) {
      continue;
    }
    double sum = 0;
    for (const reports::Pair& pair : pairs.values) {
      sum += pair.first;
    }
    reports::FreshMetric tested{.metric = i,
                                .difference = *std::move(difference),
                                .old_mean = sum / static_cast<double>(pairs.values.size()),
                                .margin = *margin};
    tested.allowed = margin->of(tested.old_mean);
    tested.change = change_by(tested.difference.mean, metric.better, tested.allowed);
    runs.metrics.push_back(std::move(tested));
    all.push_back(std::move(pairs));
  }
  runs.standing = runs.metrics.empty() ? reports::Standing::kSame : reports::Standing::kChanged;
  for (const Rank rank : {Rank::kOutcome, Rank::kLifetime, Rank::kCost}) {
    for (std::size_t i = 0; i < runs.metrics.size(); ++i) {
      reports::FreshMetric& tested = runs.metrics[i];
      const reports::Metric& metric = reports::metrics()[tested.metric];
      if (reports::rank_of(metric.name) != rank) {
        continue;
      }
      tested.decides = tested.change == Change::kBetter || tested.change == Change::kWorse;
      if (tested.change == Change::kWorse) {
        if (runs.standing != reports::Standing::kWorse) {
          runs.worst_seed = now[worst_of(all[i], metric.better)].seed;
        }
        runs.standing = reports::Standing::kWorse;
      } else if (tested.change == Change::kBetter && runs.standing != reports::Standing::kWorse) {
        runs.standing = reports::Standing::kBetter;
      }
    }
    if (runs.standing == reports::Standing::kWorse || runs.standing == reports::Standing::kBetter) {
      return;
    }
  }
}

FreshResult run_fresh(const CheckPlan& plan, const sweep::Plan& fresh,
                      std::unique_ptr<sweep::WorkerPool> pool, const FreshOptions& options,
                      const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  FreshResult result;
  const std::size_t cells = plan.scenarios.size();
  const std::uint64_t half = std::uint64_t{cells} * options.runs;
  std::vector<std::vector<reports::RunRow>> now(cells);
  const sweep::DispatchResult made =
      run_this_build(fresh, *pool, now, [&](std::uint64_t done) { progress(done, 2 * half); });
  result.ended = made.ended;
  result.why = made.why;
  // While it lives nothing but it hears of Ctrl-C.
  pool.reset();
  const sweep::TemporaryFolder folder;
  if (made.ended != sweep::Ended::kDone) {
    return result;
  }
  if (!folder.problem().empty()) {
    return {sweep::Ended::kNoWorkers, folder.problem(), {}};
  }
  std::vector<std::vector<reports::RunRow>> old(cells);
  std::uint32_t questions = 0;
  for (std::size_t i = 0; i < cells; ++i) {
    const CheckedScenario& scenario = plan.scenarios[i];
    reports::FreshRuns runs;
    runs.file = scenario.path;
    runs.name = scenario.name;
    runs.policy = scenario.policy;
    runs.first_seed = options.first_seed;
    runs.pairs = options.runs;
    const auto name = std::filesystem::path(folder.path()) / fmt::format("scenario-{}", i);
    const std::string text = name.string() + ".json";
    std::ofstream(text) << without_check(fresh.cells[i].text);
    auto swept = sweep::sweep_by_other_build({.program = options.against,
                                              .scenario = text,
                                              .options = options.options,
                                              .pointers = {},
                                              .first_seed = options.first_seed,
                                              .runs = options.runs,
                                              .workers = options.workers,
                                              .results = name.string() + ".sqlite",
                                              .timeout_s = options.timeout_s});
    if (const auto* failed = std::get_if<sweep::NotRun>(&swept)) {
      if (failed->interrupted) {
        return {sweep::Ended::kInterrupted, failed->why, {}};
      }
      runs.problem = fmt::format("{}: {}", options.against, failed->why);
    } else {
      old[i] = std::get<sweep::OtherRows>(std::move(swept)).rows;
      questions += questions_in(old[i], now[i], scenario.margins);
    }
    result.runs.push_back(std::move(runs));
    progress(half + (i + 1) * options.runs, 2 * half);
  }
  const double level = 1 - 0.05 / std::max(questions, 1U);
  for (std::size_t i = 0; i < cells; ++i) {
    if (result.runs[i].problem.empty()) {
      judge_fresh(result.runs[i], old[i], now[i], plan.scenarios[i].margins, level);
    }
  }
  return result;
}

}  // namespace aftershock::sim::check
