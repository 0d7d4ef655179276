#include "sim/import/fit.h"

#include <algorithm>
#include <map>
#include <set>

namespace aftershock::sim {

namespace {

constexpr double kFitHourUs = 3.6e9;

/// Time before and between the outages of one cause, node by node.
Lengths lengths_between(const std::vector<Outage>& outages, std::uint32_t nodes,
                        std::int64_t end_us) {
  std::map<std::uint32_t, std::int64_t> well_since_us;  // of nodes that had one; -1: not back
  Lengths lengths;
  for (const Outage& outage : outages) {
    const auto since = well_since_us.find(outage.node);
    const std::int64_t from_us = since == well_since_us.end() ? 0 : since->second;
    if (from_us >= 0 && outage.down_us > from_us) {
      lengths.seen.push_back(static_cast<double>(outage.down_us - from_us) / kFitHourUs);
    }
    const std::int64_t back_us = outage.up_us.value_or(-1);
    well_since_us[outage.node] = from_us < 0 || back_us < 0 ? -1 : std::max(from_us, back_us);
  }
  std::map<double, double> cut;
  if (nodes > well_since_us.size() && end_us > 0) {
    cut[static_cast<double>(end_us) / kFitHourUs] +=
        static_cast<double>(nodes - well_since_us.size());
  }
  for (const auto& [node, since_us] : well_since_us) {
    if (since_us >= 0 && since_us < end_us) {
      cut[static_cast<double>(end_us - since_us) / kFitHourUs] += 1;
    }
  }
  lengths.cut_short.assign(cut.begin(), cut.end());
  return lengths;
}

Lengths lengths_away(const std::vector<Outage>& outages, std::int64_t end_us) {
  Lengths lengths;
  std::map<double, double> cut;
  for (const Outage& outage : outages) {
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

CauseFit fit_cause(std::string cause, const std::vector<Outage>& outages, std::uint32_t nodes,
                   std::int64_t end_us) {
  CauseFit fit;
  fit.cause = std::move(cause);
  fit.kind = outages.front().kind;
  fit.outages = static_cast<std::int64_t>(outages.size());
  const Lengths between = lengths_between(outages, nodes, end_us);
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

std::vector<CauseFit> fit_causes(const Trace& trace, std::uint32_t nodes) {
  const std::int64_t end_us = std::max(trace.until_us.value_or(0), trace.last_us);
  std::map<std::string, std::vector<Outage>> by_cause;
  std::vector<Outage> all;
  for (const Outage& outage : trace.outages) {
    if (outage.down_us > 0) {
      by_cause[outage.cause].push_back(outage);
      all.push_back(outage);
    }
  }
  std::vector<CauseFit> fits;
  if (all.empty()) {
    return fits;
  }
  if (by_cause.size() > 1) {
    fits.push_back(fit_cause("all", all, nodes, end_us));
  }
  const auto first = static_cast<std::ptrdiff_t>(fits.size());
  for (const auto& [cause, outages] : by_cause) {
    fits.push_back(fit_cause(cause.empty() ? "outage" : cause, outages, nodes, end_us));
  }
  std::stable_sort(fits.begin() + first, fits.end(),
                   [](const CauseFit& a, const CauseFit& b) { return a.outages > b.outages; });
  return fits;
}

}  // namespace aftershock::sim
