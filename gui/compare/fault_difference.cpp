#include "gui/compare/fault_difference.h"

#include <algorithm>
#include <limits>
#include <string_view>

namespace aftershock::gui {

namespace {

std::size_t faults_until(const Trace& trace, std::int64_t t_us) {
  return static_cast<std::size_t>(std::ranges::upper_bound(trace.faults, t_us, {}, &Fault::t_us) -
                                  trace.faults.begin());
}

/// A fault drawn for a node names the rank that it found there, and one of a rank strikes where
/// that runs: both are up to the policy, but not at once.
bool is_same_place(const Trace& a, const Fault& in_a, const Trace& b, const Fault& in_b) {
  const std::string_view node = a.entities[in_a.entity];
  return a.texts[in_a.target] == b.texts[in_b.target] ||
         (!node.empty() && node == b.entities[in_b.entity]);
}

/// Real processes come to a step or a phase at other times each time that they run.
bool is_real(const Trace& a, const Trace& b) { return a.header.live || b.header.live; }

bool is_same(const Trace& a, const Fault& in_a, const Trace& b, const Fault& in_b) {
  return (in_a.t_us == in_b.t_us || is_real(a, b)) && a.texts[in_a.kind] == b.texts[in_b.kind] &&
         is_same_place(a, in_a, b, in_b);
}

std::vector<std::uint32_t> not_in(const std::vector<bool>& paired, std::size_t count) {
  std::vector<std::uint32_t> left;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!paired[i]) {
      left.push_back(i);
    }
  }
  return left;
}

}  // namespace

FaultDifference compare_faults(const Trace& a, const Trace& b) {
  const std::int64_t until_us =
      is_real(a, b) ? std::max(a.last_us, b.last_us) : std::min(a.last_us, b.last_us);
  const std::size_t count_a = faults_until(a, until_us);
  const std::size_t count_b = faults_until(b, until_us);
  std::vector<bool> paired_a(a.faults.size());
  std::vector<bool> paired_b(b.faults.size());
  FaultDifference out;
  for (const FaultPair& pair : pair_faults(a, b)) {
    paired_a[pair.a] = true;
    paired_b[pair.b] = true;
    if (pair.a >= count_a && pair.b >= count_b) {
      continue;
    }
    if (is_same(a, a.faults[pair.a], b, b.faults[pair.b])) {
      ++out.same;
    } else {
      out.changed.push_back(pair);
    }
  }
  out.only_a = not_in(paired_a, count_a);
  out.only_b = not_in(paired_b, count_b);
  return out;
}

std::optional<FaultPair> first_difference(const Trace& a, const Trace& b,
                                          const FaultDifference& difference) {
  std::vector<FaultPair> firsts;
  if (!difference.only_a.empty()) {
    firsts.push_back({difference.only_a.front(), kNone});
  }
  if (!difference.only_b.empty()) {
    firsts.push_back({kNone, difference.only_b.front()});
  }
  const auto time_of = [&](const FaultPair& pair) {
    constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
    return std::min(pair.a == kNone ? kNever : a.faults[pair.a].t_us,
                    pair.b == kNone ? kNever : b.faults[pair.b].t_us);
  };
  if (const auto changed = std::ranges::min_element(difference.changed, {}, time_of);
      changed != difference.changed.end()) {
    firsts.push_back(*changed);
  }
  const auto first = std::ranges::min_element(firsts, {}, time_of);
  return first == firsts.end() ? std::nullopt : std::optional(*first);
}

}  // namespace aftershock::gui
