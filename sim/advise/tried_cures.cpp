#include "sim/advise/tried_cures.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace aftershock::sim::advise {

std::string_view name_of(Help help) {
  return help == Help::kCures ? "cures" : help == Help::kHelps ? "helps" : "not";
}

namespace {

/// More useful work by a hundredth, by the lower end of its interval.
bool does_more(const TriedCure& cure, const ChoiceResult& without) {
  constexpr double kMore = 0.01;
  const auto& useful = cure.result.summary.useful_share;
  const auto& before = without.summary.useful_share;
  return useful && useful->interval && before && useful->interval->low > before->value + kMore;
}

/// By survival alone.
Help saves(const TriedCure& cure, const ChoiceResult& without) {
  constexpr double kSaved = 5;
  const auto& alive = cure.result.summary.alive;
  const auto& before = without.summary.alive;
  if (!alive || !before || alive->value <= before->value) {
    return Help::kNot;
  }
  if (without.keeps == Keeps::kSurely) {
    const double saved =
        (alive->value - before->value) * static_cast<double>(cure.result.summary.runs);
    return std::round(saved) < kSaved ? Help::kNot
           : alive->value >= 1        ? Help::kCures
                                      : Help::kHelps;
  }
  if (cure.result.keeps == Keeps::kSurely) {
    return Help::kCures;
  }
  return alive->interval && alive->interval->low > before->value ? Help::kHelps : Help::kNot;
}

}  // namespace

Help help_of(const TriedCure& cure, const ChoiceResult& without) {
  const Help saved = saves(cure, without);
  const auto& alive = cure.result.summary.alive;
  const auto& before = without.summary.alive;
  const bool kills = alive && before && alive->interval && alive->interval->high < before->value;
  return saved == Help::kNot && !kills && does_more(cure, without) ? Help::kHelps : saved;
}

std::vector<TriedCure> by_help(std::vector<TriedCure> cures, const scenario::Expression& goal,
                               const ChoiceResult& without) {
  const auto keeps = [](const TriedCure& cure) { return cure.result.keeps == Keeps::kSurely; };
  const auto rank = [&](const TriedCure& cure) { return rank_by(goal, cure.result); };
  constexpr double kAlike = 0.01;
  std::optional<double> best;
  for (const TriedCure& cure : cures) {
    best = keeps(cure) && (!best || rank(cure) < *best) ? rank(cure) : best;
  }
  std::ranges::stable_sort(cures, {}, [&](const TriedCure& cure) {
    const bool alike = best && keeps(cure) && rank(cure) <= *best + kAlike * std::abs(*best);
    const auto& alive = cure.result.summary.alive;
    return std::tuple(help_of(cure, without), !keeps(cure), !alike,
                      alike && alive ? -alive->value : rank(cure));
  });
  return cures;
}

}  // namespace aftershock::sim::advise
