#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/check/outputs.h"
#include "reports/check/words.h"

namespace aftershock::reports {
namespace {

using Json = nlohmann::ordered_json;

Json value_json(const MetricValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    return *whole;
  }
  const auto* real = std::get_if<double>(&value);
  return real == nullptr ? Json() : Json(*real);
}

Json change_word(Change change) {
  constexpr const char* kWords[] = {"same", "within", "better", "worse"};
  return kWords[static_cast<std::size_t>(change)];
}

Json told_json(const ToldDecision& told) {
  switch (told.known) {
    case ToldDecision::Known::kText:
      return {{"known", "yes"}, {"decision", told.text}};
    case ToldDecision::Known::kEnded:
      return {{"known", "ended"}};
    default:
      return {{"known", "not_kept"}};
  }
}

Json decision_json(const std::optional<TraceDifference>& difference) {
  if (!difference) {
    return nullptr;
  }
  return {{"number", difference->number},
          {"last_number", difference->last_number},
          {"at_us", difference->at_us ? Json(*difference->at_us) : Json()},
          {"before", told_json(difference->before)},
          {"now", told_json(difference->now)}};
}

Json run_object(const CheckedRun& run, const CheckReport& report) {
  Json changes = Json::array();
  for (const MetricChange& change : run.judgement.changes) {
    changes.push_back({{"metric", metrics()[change.metric].name},
                       {"old", value_json(change.old)},
                       {"now", value_json(change.now)},
                       {"change", change_word(change.change)},
                       {"judged", change.margin.has_value()},
                       {"decides", change.decides}});
  }
  Json not_judged = Json::array();
  for (const std::size_t metric : run.judgement.not_judged) {
    not_judged.push_back(metrics()[metric].name);
  }
  const bool red = is_red(run, report.strict);
  return {{"scenario", run.run.key.scenario},
          {"policy", run.run.policy},
          {"old_policy", run.old ? Json(run.old->policy) : Json()},
          {"seed", run.run.key.seed},
          {"standing", name_of(run.judgement.standing)},
          {"red", red},
          {"verdict", name_of(run.run.verdict)},
          {"reason", run.reason},
          {"why", reason_of(run)},
          {"outcome", run.run.outcome},
          {"hash", fmt::format("{:016x}", run.run.hash)},
          {"metrics", std::move(changes)},
          {"not_judged", std::move(not_judged)},
          {"horizon_changed", run.judgement.length_changed},
          {"decision", decision_json(run.judgement.decision)},
          {"limit", decision_json(run.judgement.limit)},
          {"details", red ? details_of(run, report) : std::vector<std::string>{}}};
}

Json fresh_object(const FreshRuns& runs, const CheckReport& report) {
  Json tested = Json::array();
  for (const FreshMetric& each : runs.metrics) {
    const auto& interval = each.difference.mean.interval;
    tested.push_back({{"metric", metrics()[each.metric].name},
                      {"old_mean", each.old_mean},
                      {"difference", each.difference.mean.value},
                      {"low", interval ? Json(interval->low) : Json()},
                      {"high", interval ? Json(interval->high) : Json()},
                      {"margin", each.allowed},
                      {"change", change_word(each.change)}});
  }
  return {{"scenario", runs.file},        {"policy", runs.policy},
          {"seed", runs.first_seed},      {"pairs", runs.pairs},
          {"level", runs.level},          {"standing", name_of(runs.standing)},
          {"red", is_red(runs)},          {"problem", runs.problem},
          {"metrics", std::move(tested)}, {"details", details_of(runs, report)}};
}

}  // namespace

Json check_json(const CheckReport& report) {
  Json counts = Json::object();
  const auto by_standing = standings(report);
  for (std::size_t i = 0; i < by_standing.size(); ++i) {
    counts[std::string(name_of(static_cast<Standing>(i)))] = by_standing[i];
  }
  Json runs = Json::array();
  for (const CheckedRun& run : report.runs) {
    runs.push_back(run_object(run, report));
  }
  Json unusable = Json::array();
  for (const UnusableFile& file : report.unusable) {
    unusable.push_back({{"file", file.file},
                        {"line", file.line},
                        {"column", file.column},
                        {"message", file.message}});
  }
  Json fresh = Json::array();
  for (const FreshRuns& each : report.fresh) {
    fresh.push_back(fresh_object(each, report));
  }
  Json joint = Json::array();
  for (const JointCondition& each : report.joint) {
    joint.push_back({{"scenario", each.file},
                     {"policy", each.policy},
                     {"seed", each.first_seed},
                     {"runs", each.runs},
                     {"that", each.that},
                     {"holds", each.holds},
                     {"found", each.found}});
  }
  Json skipped = Json::array();
  for (const SkippedRun& each : report.skipped) {
    skipped.push_back({{"scenario", each.scenario}, {"name", each.name}});
  }
  const Verdict verdict = verdict_of(report);
  return {{"schema", 1},
          {"verdict", name_of(verdict)},
          {"exit_code", exit_code(verdict)},
          {"strict", report.strict},
          {"baseline", report.baseline},
          {"counts", std::move(counts)},
          {"unsaid_seeds",
           {{"seeds", report.unsaid_seeds.seeds}, {"scenarios", report.unsaid_seeds.scenarios}}},
          {"runs", std::move(runs)},
          {"joint", std::move(joint)},
          {"unusable", std::move(unusable)},
          {"fresh", std::move(fresh)},
          {"skipped", std::move(skipped)}};
}

Json check_rows(const CheckReport& report) {
  Json rows = Json::array();
  for (const CheckedRun& run : report.runs) {
    rows.push_back(run_object(run, report));
    rows.back().erase("details");
  }
  return rows;
}

}  // namespace aftershock::reports
