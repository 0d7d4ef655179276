#include "gui/compare/time_map.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "gui/compare/fault_pairs.h"
#include "gui/trace/find.h"

namespace aftershock::gui {

namespace {

// Products of two times stay exact: of equal runs every time stands beside itself. And sums of any
// two that a file may have stay what they are.
__extension__ using Wide = __int128;

/// `t_us` and `by` more, or the furthest there is.
std::int64_t moved(std::int64_t t_us, Wide by) {
  constexpr Wide kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr Wide kMost = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::clamp(t_us + by, kLeast, kMost));
}

/// From the time in `from` to the one in `to`.
std::int64_t mapped(const std::vector<TimePair>& pairs, std::int64_t TimePair::* from,
                    std::int64_t TimePair::* to, std::int64_t t_us) {
  if (pairs.empty()) {
    return t_us;
  }
  const auto after = std::ranges::upper_bound(pairs, t_us, {}, from);
  const TimePair& before = after == pairs.begin() ? *after : *std::prev(after);
  const Wide past = Wide{t_us} - before.*from;
  if (after == pairs.begin() || after == pairs.end()) {
    return moved(before.*to, past);
  }
  const Wide from_span = Wide{(*after).*from} - before.*from;
  const Wide to_span = Wide{(*after).*to} - before.*to;
  return moved(before.*to, past * to_span / from_span);
}

/// Steps and when they were first reached.
struct Reached {
  std::int64_t steps = 0;
  std::int64_t t_us = 0;
};

std::vector<Reached> first_reached(const Trace& trace, std::uint32_t entity) {
  std::vector<Reached> reached;
  const Counter* counter = find_counter(trace, entity, "steps");
  if (counter == nullptr) {
    return reached;
  }
  for (std::size_t i = 0; i < counter->value.size(); ++i) {
    if (reached.empty() || counter->value[i] > reached.back().steps) {
      reached.push_back({counter->value[i], counter->t_us[i]});
    }
  }
  return reached;
}

/// When `steps` were first reached, straight between what was counted.
std::optional<std::int64_t> when(const std::vector<Reached>& reached, std::int64_t steps) {
  const auto at = std::ranges::lower_bound(reached, steps, {}, &Reached::steps);
  if (at == reached.end()) {
    return std::nullopt;
  }
  if (at == reached.begin() || at->steps == steps) {
    return at->steps == steps ? std::optional(at->t_us) : std::nullopt;
  }
  const Reached& before = *std::prev(at);
  const Wide part = Wide{steps} - before.steps;
  const Wide whole = Wide{at->steps} - before.steps;
  return moved(before.t_us, part * (Wide{at->t_us} - before.t_us) / whole);
}

std::vector<TimePair> by_progress(const Trace& a, const Trace& b) {
  for (const auto& job : a.header.jobs) {
    const std::string name = "job:" + job.name;
    const auto in_a = a.entities.find(name);
    const auto in_b = b.entities.find(name);
    if (!in_a || !in_b) {
      continue;
    }
    const std::vector<Reached> reached_a = first_reached(a, *in_a);
    const std::vector<Reached> reached_b = first_reached(b, *in_b);
    std::vector<TimePair> pairs;
    for (const Reached& each : reached_a) {
      if (const auto b_us = when(reached_b, each.steps)) {
        pairs.push_back({each.t_us, *b_us});
      }
    }
    for (const Reached& each : reached_b) {
      if (const auto a_us = when(reached_a, each.steps)) {
        pairs.push_back({*a_us, each.t_us});
      }
    }
    if (!pairs.empty()) {
      return pairs;
    }
  }
  return {};
}

std::vector<TimePair> by_fault(const Trace& a, const Trace& b) {
  std::vector<TimePair> pairs;
  for (const FaultPair& pair : pair_faults(a, b)) {
    pairs.push_back({a.faults[pair.a].t_us, b.faults[pair.b].t_us});
  }
  return pairs;
}

}  // namespace

TimeMap::TimeMap(std::vector<TimePair> pairs) {
  std::ranges::stable_sort(pairs, {},
                           [](const TimePair& pair) { return std::pair(pair.a_us, pair.b_us); });
  for (const TimePair& pair : pairs) {
    if (pairs_.empty() || (pair.b_us >= pairs_.back().b_us && pair != pairs_.back())) {
      pairs_.push_back(pair);
    }
  }
}

std::int64_t TimeMap::to_b(std::int64_t a_us) const {
  return mapped(pairs_, &TimePair::a_us, &TimePair::b_us, a_us);
}

std::int64_t TimeMap::to_a(std::int64_t b_us) const {
  return mapped(pairs_, &TimePair::b_us, &TimePair::a_us, b_us);
}

std::int64_t TimeMap::a_reaching(std::int64_t b_us) const {
  const auto after = std::ranges::lower_bound(pairs_, b_us, {}, &TimePair::b_us);
  if (pairs_.empty()) {
    return b_us;
  }
  if (after == pairs_.begin() || after == pairs_.end()) {
    const TimePair& edge = after == pairs_.begin() ? pairs_.front() : pairs_.back();
    return moved(edge.a_us, Wide{b_us} - edge.b_us);
  }
  const TimePair& before = *std::prev(after);
  const Wide past = Wide{b_us} - before.b_us;
  const Wide b_span = Wide{after->b_us} - before.b_us;
  const Wide a_span = Wide{after->a_us} - before.a_us;
  return moved(before.a_us, (past * a_span + b_span - 1) / b_span);
}

TimeMap time_map(const Trace& a, const Trace& b, Alignment alignment) {
  switch (alignment) {
    case Alignment::kFault:
      return TimeMap(by_fault(a, b));
    case Alignment::kProgress:
      return TimeMap(by_progress(a, b));
    case Alignment::kTime:
      break;
  }
  return TimeMap();
}

}  // namespace aftershock::gui
