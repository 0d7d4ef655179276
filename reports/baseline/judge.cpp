#include "reports/baseline/judge.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/assert.h"

namespace aftershock::reports {
namespace {

/// A run that has no prices costs nothing: 0 and nothing are the same.
MetricValue without_zero(const MetricValue& value) {
  return number_of(value) == 0 ? MetricValue{} : value;
}

bool is_known(const BaselineRun& old, std::size_t metric) {
  return old.known.empty() || old.known[metric];
}

std::vector<MetricChange> changes_between(const BaselineRun& old, const BaselineRun& now,
                                          const Margins& margins) {
  std::vector<MetricChange> changes;
  const std::size_t count = std::min(old.values.size(), now.values.size());
  for (std::size_t i = 0; i < count; ++i) {
    const Metric& metric = metrics()[i];
    MetricValue before = without_zero(old.values[i]);
    MetricValue after = without_zero(now.values[i]);
    if (!is_known(old, i) || before == after) {
      continue;
    }
    // A measure that a run did not reach has no amount, but one that every run has stands for 0.
    constexpr std::array<std::string_view, 4> kNotAlways{"exhausted_us", "recovery_us", "finish_us",
                                                         "cost_per_useful_hour"};
    const bool always_there = std::ranges::find(kNotAlways, metric.name) == kNotAlways.end();
    if (always_there) {
      before = before.index() == 0 ? MetricValue{std::int64_t{0}} : before;
      after = after.index() == 0 ? MetricValue{std::int64_t{0}} : after;
    }
    MetricChange change{i, before, after, Change::kWithin, margin_for(metric.name, margins), false};
    if (before.index() == 0 || after.index() == 0) {
      change.margin.reset();  // there is no amount by which it changed
    }
    change.change = change_of(before, after, metric.better, change.margin.value_or(Margin{}));
    changes.push_back(change);
  }
  return changes;
}

/// Accelerator time and steps that changed as useful time did say nothing more, and are not judged:
/// they are for a job of another size, or whose steps take another time. A margin of the scenario's
/// own asks for them all the same.
void leave_out_what_follows(std::vector<MetricChange>& changes, const BaselineRun& old,
                            const BaselineRun& now, const Margins& margins) {
  const auto ratio_of = [&](std::size_t metric) -> std::optional<double> {
    if (metric >= std::min(old.values.size(), now.values.size()) || !is_known(old, metric)) {
      return std::nullopt;
    }
    const double before = number_of(old.values[metric]).value_or(0);
    return before > 0 ? std::optional(number_of(now.values[metric]).value_or(0) / before)
                      : std::nullopt;
  };
  const auto time = ratio_of(*metric_named("useful_us"));
  for (const char* name : {"useful_accelerator_us", "useful_steps"}) {
    const std::size_t metric = *metric_named(name);
    const auto amount = ratio_of(metric);
    const auto change = std::ranges::find(changes, metric, &MetricChange::metric);
    constexpr double kAsMuch = 0.0005;
    if (change != changes.end() && !margins.contains(name) && time && amount &&
        std::abs(*amount - *time) <= kAsMuch) {
      change->margin.reset();
    }
  }
}

/// 0.05 points of useful work, as of ETTR.
constexpr Margin kShareMargin{0.0005, 0};

/// The horizon that a run went on to, alive; none of a run that ended before, or is stuck.
std::optional<std::int64_t> horizon_us(const BaselineRun& run) {
  const auto value = [&run](std::string_view metric) {
    const std::size_t place = *metric_named(metric);
    return place < run.values.size() && is_known(run, place) ? run.values[place] : MetricValue{};
  };
  const bool went_on =
      number_of(value("alive")) == 1 && number_of(value("completed")).value_or(0) == 0;
  const MetricValue simulated = value("simulated_us");
  const auto* us = std::get_if<std::int64_t>(&simulated);
  return went_on && us != nullptr ? std::optional(*us) : std::nullopt;
}

/// Whether both went on to a horizon, and that is another one: amounts of time, work, charges and
/// cost are of other lengths then.
bool is_other_length(const BaselineRun& old, const BaselineRun& now) {
  const auto before = horizon_us(old);
  const auto after = horizon_us(now);
  return before && after && before != after;
}

/// Of runs with other horizons outcomes and shares are judged, and what the scenario has margins
/// for.
void judge_by_shares(std::vector<MetricChange>& changes, const Margins& margins) {
  constexpr std::array<std::string_view, 7> kOfAnyLength{
      "completed", "alive", "violations", "failed", "stuck", "exhausted", "ettr"};
  for (MetricChange& change : changes) {
    const std::string_view name = metrics()[change.metric].name;
    if (margins.contains(name)) {
      continue;
    }
    if (name == "useful_share") {
      change.margin = kShareMargin;
      change.change =
          change_of(change.old, change.now, metrics()[change.metric].better, kShareMargin);
    } else if (std::ranges::find(kOfAnyLength, name) == kOfAnyLength.end()) {
      change.margin.reset();
    }
  }
}

/// The first rank in which something changed by more than its margin; marks what decides. A gain
/// does not make up for a loss beside it: how much of the one is worth how much of the other is the
/// user's to say, who takes such a run in, or gives the metric another margin.
Standing decide(std::vector<MetricChange>& changes, std::span<const Rank> ranks) {
  for (const Rank rank : ranks) {
    bool better = false;
    bool worse = false;
    for (MetricChange& change : changes) {
      if (change.margin && rank_of(metrics()[change.metric].name) == rank) {
        better = better || change.change == Change::kBetter;
        worse = worse || change.change == Change::kWorse;
      }
    }
    if (better || worse) {
      for (MetricChange& change : changes) {
        change.decides = change.margin && rank_of(metrics()[change.metric].name) == rank &&
                         change.change == (worse ? Change::kWorse : Change::kBetter);
      }
      return worse ? Standing::kWorse : Standing::kBetter;
    }
  }
  return Standing::kChanged;
}

constexpr std::array<Rank, 4> kRanks{Rank::kOutcome, Rank::kWork, Rank::kLifetime, Rank::kCost};

/// Whether neither run lives, one by standing still and one by ending: a job that dies after five
/// hours is not better than one that is stuck after eleven days, and a scenario that expects
/// nothing passes with the first.
bool only_lived_otherwise(const BaselineRun& old, const BaselineRun& now) {
  const std::size_t alive = *metric_named("alive");
  const auto missed = [](const BaselineRun& run) {
    return run.verdict == Verdict::kFailed || run.verdict == Verdict::kStuck;
  };
  const auto dead = [&](const BaselineRun& run) {
    const bool told = alive < run.values.size() && is_known(run, alive);
    return (missed(run) || run.verdict == Verdict::kPassed) && told &&
           number_of(run.values[alive]).value_or(0) == 0;
  };
  return (missed(old) && missed(now)) || (dead(old) && dead(now));
}

/// Whether a run came to a result, which has an outcome.
bool is_result(const BaselineRun& run) { return badness(run.verdict) <= badness(Verdict::kStuck); }

}  // namespace

std::string_view name_of(Standing standing) {
  constexpr std::array<std::string_view, 7> kNames{"no_baseline", "same", "changed", "better",
                                                   "worse",       "new",  "missing"};
  return kNames[static_cast<std::size_t>(standing)];
}

std::optional<Margin> margin_for(std::string_view metric, const Margins& margins) {
  const auto found = margins.find(metric);
  return found == margins.end() ? usual_margin(metric) : std::optional(found->second);
}

int badness(Verdict verdict) {
  constexpr std::array<Verdict, 9> kRising{
      Verdict::kPassed,   Verdict::kInconclusive, Verdict::kWorse,
      Verdict::kFailed,   Verdict::kStuck,        Verdict::kInvalid,
      Verdict::kUnusable, Verdict::kPolicyFailed, Verdict::kInternalError};
  return static_cast<int>(std::ranges::find(kRising, verdict) - kRising.begin());
}

namespace {

/// A baseline from before the useful work of a smaller group was the part that the group is has
/// other figures of the same events: the accelerator time agrees, and what follows from it for a
/// whole group does not. Those are unknown in what is returned; none: it has none of them.
std::optional<BaselineRun> without_old_useful_work(const BaselineRun& old, const BaselineRun& now) {
  const std::size_t share = *metric_named("useful_share");
  const std::size_t time = *metric_named("useful_us");
  const std::size_t amount = *metric_named("useful_accelerator_us");
  const std::size_t count = std::min(old.values.size(), now.values.size());
  if (old.hash != now.hash || std::max({share, time, amount}) >= count || !is_known(old, amount) ||
      number_of(old.values[amount]).value_or(0) <= 0 || old.values[amount] != now.values[amount] ||
      !is_known(old, time) || old.values[time] == now.values[time]) {
    return std::nullopt;
  }
  BaselineRun without = old;
  without.known.resize(without.values.size(), true);
  without.known[share] = false;
  without.known[time] = false;
  return without;
}

}  // namespace

Judgement judge(const BaselineRun& told, const BaselineRun& now, const TimedTrace& trace,
                const Margins& margins) {
  AFTERSHOCK_ASSERT(told.known.empty() || told.known.size() == told.values.size());
  AFTERSHOCK_ASSERT(told.values.size() <= metrics().size() &&
                    now.values.size() <= metrics().size());
  const auto without = without_old_useful_work(told, now);
  const BaselineRun& old = without ? *without : told;
  Judgement judged;
  judged.verdict_changed = old.verdict != now.verdict;
  judged.text_changed = old.text != now.text;
  judged.changes = changes_between(old, now, margins);
  judged.length_changed = is_other_length(old, now);
  if (judged.length_changed) {
    judge_by_shares(judged.changes, margins);
  } else {
    leave_out_what_follows(judged.changes, old, now, margins);
  }
  for (std::size_t i = 0; i < std::min(old.values.size(), now.values.size()); ++i) {
    if (!is_known(old, i) && margin_for(metrics()[i].name, margins)) {
      judged.not_judged.push_back(i);
    }
  }
  TraceDifferences found = trace_difference(old.decisions, trace);
  judged.decision = std::move(found.acts);
  judged.limit = std::move(found.limit);
  if (judged.verdict_changed) {
    const bool lives = only_lived_otherwise(old, now);
    judged.standing =
        lives ? decide(judged.changes, std::span(kRanks).first(2)) : Standing::kChanged;
    // An old baseline does not say which of them got more done.
    if (lives && !is_known(old, *metric_named("useful_us"))) {
      judged.standing = Standing::kWorse;
    }
    if (judged.standing == Standing::kChanged) {
      judged.standing =
          badness(now.verdict) > badness(old.verdict) ? Standing::kWorse : Standing::kBetter;
    }
    // An expectation about the part that was lived, such as of ETTR, may be met by a job that dies.
    if (judged.standing == Standing::kBetter && is_result(old) && is_result(now)) {
      std::vector<MetricChange> changes = judged.changes;
      if (decide(changes, std::span(kRanks).first(1)) == Standing::kWorse) {
        judged.changes = std::move(changes);
        judged.standing = Standing::kWorse;
      }
    }
    return judged;
  }
  const bool same = old.hash == now.hash && old.outcome == now.outcome && !judged.text_changed &&
                    judged.changes.empty() && judged.not_judged.empty() && !judged.decision &&
                    !judged.limit;
  judged.standing = same ? Standing::kSame : decide(judged.changes, kRanks);
  return judged;
}

}  // namespace aftershock::reports
