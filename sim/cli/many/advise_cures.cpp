#include "sim/cli/many/advise_cures.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/render/format.h"
#include "sim/advise/cures.h"
#include "sim/advise/tried_cures.h"

namespace aftershock::sim::cli {
namespace {

constexpr std::size_t kDeadSeeds = 6;  ///< of runs that died, on which each change is tried first
constexpr std::size_t kMostTried = 5;  ///< so many changes at most are tried by many runs
/// Of 200 runs that all live the interval ends at 1.9 %.
constexpr std::uint32_t kCureRuns = 200;
constexpr int kRounds = 3;  ///< so many changes together at most

std::vector<sweep::Point> points_of(const sweep::Point& choice,
                                    const std::vector<advise::Cure>& cures) {
  std::vector<sweep::Point> points;
  for (const advise::Cure& cure : cures) {
    sweep::Point& point = points.emplace_back(choice);
    for (const auto& set : cure.sets) {
      const auto there = std::ranges::find(point, set.first, &sweep::Point::value_type::first);
      if (there == point.end()) {
        point.push_back(set);
      } else {
        there->second = set.second;
      }
    }
  }
  return points;
}

double value_of(const std::optional<reports::Estimate>& estimate) {
  return estimate ? estimate->value : 0;
}

/// The changes that save most of some runs that died, at most kMostTried: by how many live, and by
/// how much more useful work those have that die later. `begun` is what the changes begin with.
std::vector<advise::Cure> those_that_save(std::vector<advise::Cure> cures,
                                          const advise::Cure& begun, const sweep::Point& choice,
                                          std::vector<std::uint64_t> died,
                                          const TryChoices& try_choices) {
  constexpr double kMore = 0.01;
  std::ranges::sort(died);
  died.resize(std::min(died.size(), kDeadSeeds));
  std::vector<double> saved(cures.size());
  cures.push_back(begun);
  const std::vector<sweep::Point> points = points_of(choice, cures);
  cures.pop_back();
  for (const std::uint64_t seed : died) {
    const auto results = try_choices(points, 1, seed);
    for (std::size_t i = 0; results && i < cures.size(); ++i) {
      const reports::CellSummary& run = (*results)[i].summary;
      const double more =
          value_of(run.useful_share) - value_of(results->back().summary.useful_share);
      saved[i] += value_of(run.alive) + (more > kMore ? more : 0);
    }
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < cures.size(); ++i) {
    if (saved[i] > 0) {
      order.push_back(i);
    }
  }
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return saved[i]; });
  order.resize(std::min(order.size(), kMostTried));
  std::vector<advise::Cure> kept;
  for (const std::size_t i : order) {
    kept.push_back(std::move(cures[i]));
  }
  return kept;
}

/// By so many runs each.
std::vector<advise::TriedCure> tried(const std::vector<advise::Cure>& cures,
                                     const sweep::Point& choice, std::uint32_t runs,
                                     const TryChoices& try_choices) {
  std::vector<advise::TriedCure> all;
  auto results =
      cures.empty() ? std::nullopt : try_choices(points_of(choice, cures), runs, std::nullopt);
  for (std::size_t i = 0; results && i < results->size(); ++i) {
    std::vector<std::string> flags;
    for (const auto& [pointer, value] : cures[i].sets) {
      flags.push_back("--set " + reports::shell_word(fmt::format("{}={}", pointer, value)));
    }
    all.push_back(
        {cures[i].words, fmt::format("{}", fmt::join(flags, " ")), std::move((*results)[i])});
  }
  return all;
}

/// Whether the next changes begin with this one: more runs live, or they do more before they end.
bool goes_on(const advise::TriedCure& cure, const advise::ChoiceResult& without) {
  const auto& useful = cure.result.summary.useful_share;
  return advise::help_of(cure, without) != advise::Help::kNot ||
         (useful && useful->interval &&
          useful->interval->low > value_of(without.summary.useful_share));
}

/// Whether it is bought: more machines.
bool takes_nodes(const advise::Cure& cure) {
  return std::ranges::any_of(cure.sets, [](const auto& set) {
    return set.first.starts_with("/cluster/pools/") &&
           (set.first.ends_with("nodes") || set.first.ends_with("/spares"));
  });
}

std::pair<double, double> rank_of(const advise::TriedCure& cure) {
  const reports::CellSummary& summary = cure.result.summary;
  return {value_of(summary.alive), value_of(summary.useful_share)};
}

}  // namespace

std::vector<advise::TriedCure> try_cures(const advise::Advice& advice,
                                         const advise::AdviceQuestion& question,
                                         const sweep::Plan& plan, const TryChoices& try_choices) {
  const std::size_t told = advice.chosen.value_or(advice.nearest);
  const advise::ChoiceResult& first = advice.results[0][told];
  if (first.died.empty()) {
    return {};
  }
  const sweep::Point& choice = question.choices[told];
  const std::uint32_t runs = advice.chosen ? plan.replicas : std::min(plan.replicas, kCureRuns);
  const std::vector<advise::Cure> all = advise::cures_for(sweep::scenario_of(plan.cells[told]));
  std::vector<advise::TriedCure> told_of;
  advise::Cure begun{"", {}};
  advise::ChoiceResult without = first;
  bool bought = false;  // by more nodes: what does without them is looked for yet
  // The few failures of a choice that keeps the goal are not worth a second change.
  const int rounds = advice.chosen ? 1 : kRounds;
  for (int round = 0; round < rounds && !without.died.empty(); ++round) {
    std::vector<advise::Cure> cures;
    for (const advise::Cure& cure : all) {
      if (auto both = advise::both_of(begun, cure)) {
        cures.push_back(*std::move(both));
      }
    }
    cures = those_that_save(std::move(cures), begun, choice, without.died, try_choices);
    const std::vector<advise::TriedCure> results = tried(cures, choice, runs, try_choices);
    std::optional<std::size_t> best;
    bool cured = false;
    for (std::size_t i = 0; i < results.size(); ++i) {
      const bool on = goes_on(results[i], without);
      if (round == 0 || on) {
        told_of.push_back(results[i]);
      }
      const bool cures_it = advise::help_of(results[i], first) == advise::Help::kCures;
      cured = cured || (cures_it && !takes_nodes(cures[i]));
      bought = bought || (cures_it && takes_nodes(cures[i]));
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (goes_on(results[i], without) && !(bought && takes_nodes(cures[i])) &&
          (!best || rank_of(results[i]) > rank_of(results[*best]))) {
        best = i;
      }
    }
    if (cured || !best) {
      break;
    }
    begun = cures[*best];
    without = results[*best].result;
  }
  return advise::by_help(std::move(told_of), question.goal, first);
}

}  // namespace aftershock::sim::cli
