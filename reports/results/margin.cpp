#include "reports/results/margin.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace aftershock::reports {
namespace {

struct UsualMargin {
  std::string_view metric;
  Rank rank;
  std::optional<Margin> margin;  ///< none: it is judged in place of others (judge.h)
};

constexpr double kMinuteUs = 60e6;

// A run of the same seed is the same to the byte, so any difference is a true one: margins only say
// which are too small to stop somebody for. 0.0005 of ETTR are 40 min in 54 days.
constexpr auto kUsual = std::to_array<UsualMargin>({
    {"completed", Rank::kOutcome, Margin{}},
    {"alive", Rank::kOutcome, Margin{}},
    {"violations", Rank::kOutcome, Margin{}},
    {"useful_us", Rank::kWork, Margin{kMinuteUs, 0.0005}},
    {"useful_accelerator_us", Rank::kWork, Margin{kMinuteUs, 0.0005}},
    {"useful_steps", Rank::kWork, Margin{1, 0.0005}},
    {"useful_share", Rank::kWork, std::nullopt},
    {"finish_us", Rank::kWork, Margin{kMinuteUs, 0.0005}},
    {"failed", Rank::kLifetime, Margin{}},
    {"stuck", Rank::kLifetime, Margin{}},
    {"exhausted", Rank::kLifetime, Margin{}},
    {"exhausted_us", Rank::kLifetime, Margin{kMinuteUs, 0.01}},
    {"ettr", Rank::kCost, Margin{0.0005, 0}},
    {"lost_us", Rank::kCost, Margin{kMinuteUs, 0.01}},
    {"charges", Rank::kCost, Margin{}},
    {"false_alarms", Rank::kCost, Margin{}},
    {"cost", Rank::kCost, Margin{0, 0.01}},
});

const UsualMargin* find_usual(std::string_view metric) {
  const auto* found = std::ranges::find(kUsual, metric, &UsualMargin::metric);
  return found == kUsual.end() ? nullptr : found;
}

}  // namespace

double Margin::of(double old) const { return std::max(absolute, share * std::abs(old)); }

std::optional<Margin> usual_margin(std::string_view metric) {
  const UsualMargin* usual = find_usual(metric);
  return usual == nullptr ? std::nullopt : usual->margin;
}

Rank rank_of(std::string_view metric) {
  const UsualMargin* usual = find_usual(metric);
  return usual == nullptr ? Rank::kCost : usual->rank;
}

Change change_of(const MetricValue& old, const MetricValue& now, Better better,
                 const Margin& margin) {
  if (old == now) {
    return Change::kSame;
  }
  const auto before = number_of(old);
  const auto after = number_of(now);
  if (!before || !after || better == Better::kNeither) {
    return Change::kWithin;
  }
  const double gain = better == Better::kHigher ? *after - *before : *before - *after;
  if (std::abs(gain) <= margin.of(*before)) {
    return gain == 0 ? Change::kSame : Change::kWithin;
  }
  return gain > 0 ? Change::kBetter : Change::kWorse;
}

}  // namespace aftershock::reports
