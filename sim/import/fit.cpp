#include "sim/import/fit.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace aftershock::sim::imports {

namespace {

constexpr double kFitHourUs = 3.6e9;

enum class Beginning : std::uint8_t { kUp, kAway, kBeforeTrace };

/// An outage, and how long its node had been up by then.
struct DatedOutage {
  const Outage* outage = nullptr;
  Beginning beginning = Beginning::kUp;
  std::int64_t up_us = 0;
};

/// The time that nodes are up.
struct UpTime {
  std::vector<DatedOutage> outages;
  std::map<std::uint32_t, std::int64_t> total_us;  ///< of nodes that had an outage
};

/// The clock of one node, which stands while it is away.
struct NodeClock {
  std::int64_t up_us = 0;
  std::optional<std::int64_t> well_since_us = 0;  ///< none: it does not come back
};

UpTime up_time_of(const Trace& trace, std::int64_t end_us) {
  // A dated trace starts its clock with its first row, which is not an outage like others.
  const std::int64_t start_us = trace.zero_us ? trace.first_us : 0;
  UpTime time;
  std::map<std::uint32_t, NodeClock> clocks;
  for (const Outage& outage : trace.outages) {
    NodeClock& clock = clocks[outage.node];
    Beginning beginning = Beginning::kAway;
    if (outage.down_us <= start_us) {
      beginning = Beginning::kBeforeTrace;
    } else if (clock.well_since_us && outage.down_us > *clock.well_since_us) {
      beginning = Beginning::kUp;
      clock.up_us += outage.down_us - *clock.well_since_us;
    }
    time.outages.push_back({.outage = &outage, .beginning = beginning, .up_us = clock.up_us});
    if (!outage.up_us) {
      clock.well_since_us.reset();
    } else if (clock.well_since_us) {
      clock.well_since_us = std::max(*clock.well_since_us, *outage.up_us);
    }
  }
  for (const auto& [node, clock] : clocks) {
    const std::int64_t since_us = clock.well_since_us.value_or(end_us);
    time.total_us[node] = clock.up_us + std::max<std::int64_t>(0, end_us - since_us);
  }
  return time;
}

/// Time before and between outages, node by node; `outages` are those of one cause.
Lengths lengths_between(const std::vector<DatedOutage>& outages, const UpTime& time,
                        std::uint32_t nodes, std::int64_t end_us) {
  Lengths lengths;
  std::map<std::uint32_t, std::int64_t> last_us;
  for (const DatedOutage& dated : outages) {
    if (dated.beginning == Beginning::kUp) {
      std::int64_t& from_us = last_us[dated.outage->node];
      if (dated.up_us > from_us) {
        lengths.seen.push_back(static_cast<double>(dated.up_us - from_us) / kFitHourUs);
      }
      from_us = dated.up_us;
    }
  }
  std::map<double, double> cut;
  const auto cut_short = [&cut](std::int64_t us, double count) {
    if (us > 0 && count > 0) {
      cut[static_cast<double>(us) / kFitHourUs] += count;
    }
  };
  cut_short(end_us, static_cast<double>(nodes) - static_cast<double>(time.total_us.size()));
  for (const auto& [node, total_us] : time.total_us) {
    const auto found = last_us.find(node);
    cut_short(total_us - (found == last_us.end() ? 0 : found->second), 1);
  }
  lengths.cut_short.assign(cut.begin(), cut.end());
  return lengths;
}

Lengths lengths_away(const std::vector<DatedOutage>& outages, std::int64_t end_us) {
  Lengths lengths;
  std::map<double, double> cut;
  for (const DatedOutage& dated : outages) {
    const Outage& outage = *dated.outage;
    if (outage.up_us && *outage.up_us > outage.down_us) {
      lengths.seen.push_back(static_cast<double>(*outage.up_us - outage.down_us) / kFitHourUs);
    } else if (!outage.up_us && end_us > outage.down_us) {
      cut[static_cast<double>(end_us - outage.down_us) / kFitHourUs] += 1;
    }
  }
  lengths.cut_short.assign(cut.begin(), cut.end());
  return lengths;
}

bool enough(const Lengths& lengths) {
  constexpr std::size_t kFewest = 5;
  const std::set<double> different(lengths.seen.begin(), lengths.seen.end());
  return lengths.seen.size() >= kFewest && different.size() > 1;
}

CauseFit fit_cause(std::string cause, const std::vector<DatedOutage>& outages, const UpTime& time,
                   std::uint32_t nodes, std::int64_t end_us) {
  CauseFit fit;
  fit.cause = std::move(cause);
  fit.kind = outages.front().outage->kind;
  fit.outages = static_cast<std::int64_t>(outages.size());
  fit.begun = std::ranges::count(outages, Beginning::kUp, &DatedOutage::beginning);
  const Lengths between = lengths_between(outages, time, nodes, end_us);
  for (const double hours : between.seen) {
    fit.node_hours += hours;
  }
  for (const auto& [hours, count] : between.cut_short) {
    fit.node_hours += hours * count;
  }
  if (enough(between)) {
    fit.between = fit_laws(between);
  }
  if (const Lengths away = lengths_away(outages, end_us); enough(away)) {
    fit.repair = fit_laws(away);
  }
  return fit;
}

}  // namespace

TraceFit fit_causes(const Trace& trace, std::uint32_t nodes) {
  const std::int64_t end_us = std::max(trace.until_us.value_or(0), trace.last_us);
  const UpTime time = up_time_of(trace, end_us);
  TraceFit fits;
  std::map<std::string, std::vector<DatedOutage>> by_cause;
  std::vector<DatedOutage> all;
  for (const DatedOutage& dated : time.outages) {
    if (dated.beginning == Beginning::kBeforeTrace) {
      fits.at_start.push_back(dated.outage->line);
      continue;
    }
    if (dated.beginning == Beginning::kAway) {
      fits.overlapping.push_back(dated.outage->line);
    }
    by_cause[dated.outage->cause].push_back(dated);
    all.push_back(dated);
  }
  if (by_cause.size() > 1) {
    fits.causes.push_back(fit_cause("all", all, time, nodes, end_us));
  }
  const auto first = static_cast<std::ptrdiff_t>(fits.causes.size());
  for (const auto& [cause, outages] : by_cause) {
    fits.causes.push_back(
        fit_cause(cause.empty() ? "outage" : cause, outages, time, nodes, end_us));
  }
  std::stable_sort(fits.causes.begin() + first, fits.causes.end(),
                   [](const CauseFit& a, const CauseFit& b) { return a.outages > b.outages; });
  return fits;
}

}  // namespace aftershock::sim::imports
