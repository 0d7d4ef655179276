#include "sim/conform/comparison.h"

#include <algorithm>
#include <set>
#include <utility>

namespace aftershock::sim::conform {
namespace {

bool is_known(const Known& known, Kind kind) {
  return !known.why.empty() &&
         (known.kinds.empty() || std::ranges::find(known.kinds, kind) != known.kinds.end());
}

void add(Comparison& made, const ComparedRun& run, const Difference& difference, bool known) {
  KindTally& tally = made.kinds[difference.kind];
  ++tally.differ;
  tally.known += known ? 1U : 0U;
  if (!tally.first || (tally.first->known && !known)) {
    tally.first = Found{.of = run.of, .seed = run.seed, .difference = difference, .known = known};
  }
}

std::vector<Stale> stale_in(std::span<const Case> cases,
                            const std::map<std::size_t, std::set<Kind>>& seen) {
  std::vector<Stale> stale;
  for (const auto& [of, kinds] : seen) {
    const Known& known = cases[of].known;
    if (known.why.empty()) {
      continue;
    }
    Stale gone{.of = of, .kinds = {}};
    std::ranges::copy_if(known.kinds, std::back_inserter(gone.kinds),
                         [&kinds](Kind kind) { return !kinds.contains(kind); });
    if (kinds.empty()) {
      gone.kinds.clear();
    }
    if (kinds.empty() || !gone.kinds.empty()) {
      stale.push_back(std::move(gone));
    }
  }
  return stale;
}

}  // namespace

Comparison compare_runs(std::span<const Case> cases, std::span<const ComparedRun> runs,
                        bool whole) {
  Comparison made;
  std::map<std::size_t, std::set<Kind>> seen;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const ComparedRun& run = runs[i];
    ++made.runs;
    made.counts.decisions += run.counts.decisions;
    made.counts.charges += run.counts.charges;
    made.differ += run.differences.empty() ? 0U : 1U;
    std::set<Kind>& kinds = seen[run.of];
    bool beyond = false;
    for (const Difference& difference : run.differences) {
      const bool known = is_known(cases[run.of].known, difference.kind);
      kinds.insert(difference.kind);
      add(made, run, difference, known);
      beyond = beyond || !known;
    }
    if (beyond) {
      made.beyond.push_back(i);
    }
  }
  made.scenarios = seen.size();
  if (whole) {
    made.stale = stale_in(cases, seen);
  }
  return made;
}

}  // namespace aftershock::sim::conform
