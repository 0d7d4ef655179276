#include "reports/results/metrics.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>
#include <simdjson.h>

#include "base/assert.h"

namespace aftershock::reports {
namespace {

/// The totals that metrics are taken from: a run's jobs and experiments together.
struct Totals {
  BucketTotals ledger_us{};
  std::int64_t wall_us = 0;
  std::int64_t attempts = 0;
  std::int64_t false_alarms = 0;
  std::int64_t lost_steps = 0;
  std::int64_t lost_us = 0;
  std::int64_t lost_accelerator_us = 0;
  std::int64_t stranded_steps = 0;
  std::int64_t checkpoints = 0;
  std::int64_t charges = 0;
  std::int64_t peak_charges = 0;
  std::int64_t recoveries = 0;
  std::int64_t recovered = 0;
  std::int64_t recovery_us = 0;
  std::int64_t ended = 0;
  std::int64_t completed = 0;
  std::int64_t failed = 0;
  std::int64_t stuck = 0;
  std::int64_t useful_us = 0;
  std::int64_t useful_of_us = 0;
  std::int64_t useful_accelerator_us = 0;
  std::int64_t useful_steps = 0;
  std::optional<std::int64_t> finish_us;
  std::optional<std::int64_t> exhausted_us;
};

// A retry budget ended it. A job may call that something else, as ModelArts does where an exit came
// too often in a row: the charge says it all the same. In an experiment a trial's charge may, and
// the experiment goes on.
bool ended_exhausted(const JobSummary& job) {
  const bool ended = job.outcome == "failed" || job.outcome == "aborted";
  return ended &&
         std::ranges::any_of(job.budgets, [](const auto& named) { return named.second.exhausted; });
}
bool ended_exhausted(const ExperimentSummary& experiment) {
  return experiment.reason.starts_with("exhausted(");
}

// Both kinds have these; the rest is a job's.
template <typename Part>
void add_common(Totals& totals, const Part& part) {
  for (std::size_t i = 0; i < kBucketCount; ++i) {
    totals.ledger_us[i] += part.ledger_us[i];
  }
  totals.attempts += part.attempts;
  totals.lost_steps += part.lost_steps;
  totals.lost_us += part.lost_us;
  totals.lost_accelerator_us += part.lost_accelerator_us;
  ++totals.ended;
  totals.completed += part.outcome == "completed" ? 1 : 0;
  totals.failed += part.outcome == "failed" || part.outcome == "aborted" ? 1 : 0;
  totals.stuck += part.at_end == EndState::kStuck ? 1 : 0;
  totals.useful_us += part.useful.us;
  totals.useful_of_us += part.useful.of_us;
  totals.useful_accelerator_us += part.useful.accelerator_us;
  if (part.finish_us) {
    totals.finish_us = std::max(totals.finish_us.value_or(0), *part.finish_us);
  }
  for (const auto& [name, budget] : part.budgets) {
    totals.charges += budget.used;
    for (const Charge& charge : budget.charges) {
      totals.peak_charges = std::max(totals.peak_charges, charge.used);
    }
  }
  if (ended_exhausted(part)) {
    totals.exhausted_us = std::min(totals.exhausted_us.value_or(part.wall_us), part.wall_us);
  }
}

Totals totals_of(const RunSummary& summary) {
  Totals totals;
  for (const JobSummary& job : summary.jobs) {
    add_common(totals, job);
    totals.useful_steps += job.useful.steps;
    totals.false_alarms += job.false_alarms;
    totals.stranded_steps += job.stranded_steps;
    totals.checkpoints += job.checkpoints_committed;
    totals.recoveries += static_cast<std::int64_t>(job.recoveries.size());
    for (const Recovery& recovery : job.recoveries) {
      if (recovery.detected_us && recovery.running_us) {
        ++totals.recovered;
        totals.recovery_us += *recovery.running_us - *recovery.detected_us;
      }
    }
  }
  for (const ExperimentSummary& experiment : summary.experiments) {
    add_common(totals, experiment);
  }
  // One that could have trained and did not for longer than anything explains.
  const auto liveness = [](const Violation& violation) { return violation.id.starts_with('L'); };
  totals.stuck += std::ranges::count_if(summary.violations, liveness);
  totals.wall_us =
      std::accumulate(totals.ledger_us.begin(), totals.ledger_us.end(), std::int64_t{0});
  return totals;
}

std::int64_t count(const RunSummary& summary, std::int64_t FaultCounts::* member) {
  std::int64_t sum = 0;
  for (const auto& [kind, counts] : summary.faults) {
    sum += counts.*member;
  }
  return sum;
}

using Take = MetricValue (*)(const RunSummary&, const Totals&);

struct Entry {
  std::string_view name;
  Better better;
  std::string_view what;
  Take take;
};

MetricValue ratio(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}
MetricValue maybe(const std::optional<std::int64_t>& value) {
  return value ? MetricValue{*value} : MetricValue{};
}

constexpr auto kProductive = static_cast<std::size_t>(Bucket::kProductive);
using enum Better;

// Buckets of the ledger come behind these, by their names.
constexpr Entry kEntries[] = {
    {"completed", kHigher, "1: every job and experiment completed",
     [](const RunSummary&, const Totals& t) -> MetricValue {
       return std::int64_t{t.completed == t.ended};
     }},
    {"alive", kHigher, "1: every job and experiment completed or can go on: none failed or stuck",
     [](const RunSummary&, const Totals& t) -> MetricValue {
       return std::int64_t{t.failed == 0 && t.stuck == 0};
     }},
    {"failed", kLower, "1: a job or experiment failed or was aborted",
     [](const RunSummary&, const Totals& t) -> MetricValue { return std::int64_t{t.failed > 0}; }},
    {"stuck", kLower,
     "1: a job or experiment waits for what never comes, or has not trained for its last day",
     [](const RunSummary&, const Totals& t) -> MetricValue { return std::int64_t{t.stuck > 0}; }},
    {"useful_share", kHigher, "useful_us over the time until completion or the horizon",
     [](const RunSummary&, const Totals& t) { return ratio(t.useful_us, t.useful_of_us); }},
    {"useful_us", kHigher, "productive time whose work is still there at the end",
     [](const RunSummary&, const Totals& t) -> MetricValue { return t.useful_us; }},
    {"useful_accelerator_us", kHigher, "the same in accelerator time",
     [](const RunSummary&, const Totals& t) -> MetricValue { return t.useful_accelerator_us; }},
    {"useful_steps", kHigher, "steps of jobs that are still there at the end",
     [](const RunSummary&, const Totals& t) -> MetricValue { return t.useful_steps; }},
    {"finish_us", kLower, "when the last of them completed, where all did",
     [](const RunSummary&, const Totals& t) {
       return maybe(t.completed == t.ended ? t.finish_us : std::nullopt);
     }},
    {"ettr", kHigher, "productive time of all jobs over their wall time, however soon they ended",
     [](const RunSummary&, const Totals& t) { return ratio(t.ledger_us[kProductive], t.wall_us); }},
    {"wall_us", kNeither, "from submission to end or horizon, of trials from when they are wanted",
     [](const RunSummary&, const Totals& t) -> MetricValue { return t.wall_us; }},
    {"exhausted", kLower,
     "1: a job or experiment ended because a retry budget was exhausted, for good or in a row",
     [](const RunSummary&, const Totals& t) -> MetricValue {
       return std::int64_t{t.exhausted_us.has_value()};
     }},
    {"exhausted_us", kHigher, "after how long the first retry budget that ended a job did so",
     [](const RunSummary&, const Totals& t) { return maybe(t.exhausted_us); }},
    {"lost_us", kLower, "training time that was rolled back",
     [](const RunSummary&, const Totals& t) -> MetricValue { return t.lost_us; }},
    {"lost_steps", kLower, "steps that were rolled back",
     [](const RunSummary&, const Totals& t) -> MetricValue { return t.lost_steps; }},
    {"lost_accelerator_us", kLower, "accelerator time that was rolled back",
     [](const RunSummary&, const Totals& t) -> MetricValue { return t.lost_accelerator_us; }},
    {"stranded_steps", kLower, "saved steps of jobs that ended unfinished",
     [](const RunSummary&, const Totals& t) -> MetricValue { return t.stranded_steps; }},
    {"attempts", kLower, "times that workers were started",
     [](const RunSummary&, const Totals& t) -> MetricValue { return t.attempts; }},
    {"recoveries", kNeither, "faults that held a job up",
     [](const RunSummary&, const Totals& t) -> MetricValue { return t.recoveries; }},
    {"recovery_us", kLower, "from detection until workers train again, mean of a run's recoveries",
     [](const RunSummary&, const Totals& t) {
       return t.recovered == 0 ? MetricValue{} : ratio(t.recovery_us, t.recovered);
     }},
    {"charges", kLower, "used of all retry budgets",
     [](const RunSummary&, const Totals& t) -> MetricValue { return t.charges; }},
    {"peak_charges", kLower,
     "the most of one retry budget that was used at a time: a controller that comes back may have "
     "forgotten",
     [](const RunSummary&, const Totals& t) -> MetricValue { return t.peak_charges; }},
    {"false_alarms", kLower, "hangs that were suspected while nothing hung",
     [](const RunSummary&, const Totals& t) -> MetricValue { return t.false_alarms; }},
    {"checkpoints", kNeither, "checkpoints committed",
     [](const RunSummary&, const Totals& t) -> MetricValue { return t.checkpoints; }},
    {"faults_fired", kNeither, "faults that found something to break",
     [](const RunSummary& s, const Totals&) -> MetricValue {
       return count(s, &FaultCounts::fired);
     }},
    {"faults_detected", kNeither, "faults that a controller came to know of",
     [](const RunSummary& s, const Totals&) -> MetricValue {
       return count(s, &FaultCounts::detected);
     }},
    {"idle_spares_us", kLower, "node time of spares that stood by",
     [](const RunSummary& s, const Totals&) -> MetricValue { return s.idle_spares_us; }},
    {"idle_isolated_us", kLower, "node time of isolated nodes",
     [](const RunSummary& s, const Totals&) -> MetricValue { return s.idle_isolated_us; }},
    {"idle_repairing_us", kLower, "node time of nodes in repair",
     [](const RunSummary& s, const Totals&) -> MetricValue { return s.idle_repairing_us; }},
    {"cost", kLower, "price of all node time, where prices are given",
     [](const RunSummary& s, const Totals&) {
       return s.cost ? MetricValue{*s.cost} : MetricValue{};
     }},
    {"cost_per_useful_hour", kLower, "cost over useful accelerator-hours, where there are any",
     [](const RunSummary& s, const Totals& t) {
       constexpr double kMicrosPerHour = 3.6e9;
       return s.cost && t.useful_accelerator_us > 0
                  ? MetricValue{*s.cost /
                                (static_cast<double>(t.useful_accelerator_us) / kMicrosPerHour)}
                  : MetricValue{};
     }},
    {"never_struck", kNeither, "scripted faults that did not come in the whole run",
     [](const RunSummary& s, const Totals&) -> MetricValue { return std::ssize(s.never_struck); }},
    {"simulated_us", kNeither, "when the run ended",
     [](const RunSummary& s, const Totals&) -> MetricValue { return s.simulated_us; }},
    {"events", kNeither, "calendar entries played",
     [](const RunSummary& s, const Totals&) -> MetricValue { return s.events; }},
    {"violations", kLower, "invariants that did not hold",
     [](const RunSummary& s, const Totals&) -> MetricValue {
       return static_cast<std::int64_t>(s.violations.size());
     }},
};

std::vector<Metric> make_metrics() {
  std::vector<Metric> made;
  for (const Entry& entry : kEntries) {
    made.push_back({std::string(entry.name), entry.better, std::string(entry.what)});
  }
  for (std::size_t i = 0; i < kBucketCount; ++i) {
    made.push_back({fmt::format("{}_us", kBucketNames[i]), i == kProductive ? kHigher : kLower,
                    fmt::format("time in the ledger's bucket {}", kBucketNames[i])});
  }
  return made;
}

}  // namespace

std::span<const Metric> metrics() {
  static const std::vector<Metric> kMetrics = make_metrics();
  return kMetrics;
}

std::optional<std::size_t> metric_named(std::string_view name) {
  const auto found = std::ranges::find(metrics(), name, &Metric::name);
  return found == metrics().end()
             ? std::nullopt
             : std::optional(static_cast<std::size_t>(found - metrics().begin()));
}

std::vector<std::string_view> metric_names() {
  std::vector<std::string_view> names;
  for (const Metric& metric : metrics()) {
    names.push_back(metric.name);
  }
  return names;
}

std::string metric_title(std::string_view metric) {
  if (metric.starts_with("cost") && metric_named(metric)) {
    return fmt::format("{} (currency)", metric);
  }
  constexpr std::string_view kTime = "_us";
  if (metric.starts_with('/') || !metric.ends_with(kTime)) {
    return std::string(metric);
  }
  std::string title(metric.substr(0, metric.size() - kTime.size()));
  std::ranges::replace(title, '_', ' ');
  return title + " time";
}

bool is_share(std::string_view metric) {
  constexpr std::array<std::string_view, 7> kShares{"completed",    "alive", "failed",   "stuck",
                                                    "useful_share", "ettr",  "exhausted"};
  return std::ranges::find(kShares, metric) != kShares.end() || metric.ends_with("/ettr") ||
         metric.ends_with("/useful_share");
}

bool compares_lives(std::string_view metric) {
  constexpr std::array<std::string_view, 7> kOthers{
      "completed", "alive", "failed", "stuck", "finish_us", "violations", "cost_per_useful_hour"};
  return metric.starts_with("useful_") || metric.find("/useful_") != metric.npos ||
         std::ranges::find(kOthers, metric) != kOthers.end();
}

std::optional<double> number_of(const MetricValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    return static_cast<double>(*whole);
  }
  if (const auto* real = std::get_if<double>(&value)) {
    return *real;
  }
  return std::nullopt;
}

std::vector<MetricValue> metric_values(const RunSummary& summary) {
  const Totals totals = totals_of(summary);
  std::vector<MetricValue> values;
  values.reserve(metrics().size());
  for (const Entry& entry : kEntries) {
    values.push_back(entry.take(summary, totals));
  }
  values.insert(values.end(), totals.ledger_us.begin(), totals.ledger_us.end());
  AFTERSHOCK_ASSERT(values.size() == metrics().size());
  return values;
}

std::vector<MetricValue> values_at(const RunSummary& summary,
                                   std::span<const std::string> pointers) {
  std::vector<MetricValue> values(pointers.size());
  if (pointers.empty()) {
    return values;
  }
  const simdjson::padded_string text(to_json_line(summary));
  simdjson::dom::parser parser;
  const simdjson::dom::element whole = parser.parse(text);
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    simdjson::dom::element found;
    if (whole.at_pointer(pointers[i]).get(found) != simdjson::SUCCESS) {
      continue;
    }
    if (found.is_int64()) {
      values[i] = found.get_int64().value_unsafe();
    } else if (found.is_bool()) {
      values[i] = std::int64_t{found.get_bool().value_unsafe()};
    } else if (found.is_number()) {
      values[i] = found.get_double().value_unsafe();
    }
  }
  return values;
}

}  // namespace aftershock::reports
