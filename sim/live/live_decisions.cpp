#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "policies/registry.h"
#include "reports/json/json_writer.h"
#include "reports/recording/hash.h"
#include "sim/live/live_run.h"
#include "sim/scenario/faults/fault_catalogue.h"

// Decisions of the real controller: their records, the budgets that they move, and what they make
// of the attempt.
namespace aftershock::sim::live {

namespace {

using reports::Cause;
using reports::JsonWriter;

// A change of state that the driver gives no rule for.
constexpr std::string_view kStateRule = "live.state";

std::string_view rule_of(const Decided& decided) {
  return decided.rule.empty() ? kStateRule : std::string_view(decided.rule);
}

void write_budgets(JsonWriter& json, const std::vector<BudgetMoved>& budgets) {
  json.key("budgets");
  json.open_array();
  for (const BudgetMoved& move : budgets) {
    json.open_object();
    json.member("budget", move.name);
    json.member("cause", move.cause);
    json.member("used", move.used);
    json.member("limit", move.limit);
    json.member("charged", move.charged);
    json.member("exhausted", move.exhausted);
    json.close_object();
  }
  json.close_array();
}

void write_step(JsonWriter& json, const Decided& decided) {
  json.open_object();
  json.member("rule", rule_of(decided));
  json.member("from", decided.from);
  json.member("to", decided.to);
  if (!decided.word.empty()) {
    json.member("decision", decided.word);
  }
  json.key("saw");
  json.open_array();
  for (std::size_t i = 0; i < decided.saw.size(); ++i) {
    json.value(i);
  }
  json.close_array();
  write_budgets(json, decided.budgets);
  json.key("commands");
  json.open_array();
  for (const std::string& command : decided.commands) {
    json.open_object();
    json.member("type", command);
    json.close_object();
  }
  json.close_array();
  json.key("rejected");
  json.open_array();
  json.close_array();
  json.close_object();
}

// A decision that stops workers which nothing has broken. Starts are seen by their attempts.
bool stops_workers(const Decided& decided) {
  constexpr auto kStops = std::to_array<std::string_view>({"stop_workers", "resize"});
  return std::ranges::any_of(decided.commands, [&](const std::string& command) {
    return std::ranges::find(kStops, command) != kStops.end();
  });
}

}  // namespace

std::optional<std::uint32_t> LiveRun::newest_strike_of(std::uint32_t spec) const {
  for (std::size_t i = strikes_.size(); i > 0; --i) {
    if (strikes_[i - 1].spec == spec) {
      return static_cast<std::uint32_t>(i - 1);
    }
  }
  return std::nullopt;
}

// Of its newest strike; one that has not struck has the name alone.
std::string LiveRun::id_of(std::uint32_t spec) const {
  const auto strike = newest_strike_of(spec);
  return strike ? strikes_[*strike].id : scenario_.faults[spec].id;
}

void LiveRun::write_decision(const Decided& decided) {
  reports::RollingHash hash;
  hash.add(rule_of(decided));
  hash.add(decided.from);
  hash.add(decided.to);
  const std::uint64_t words[] = {static_cast<std::uint64_t>(++batches_), hash.value()};
  std::string members;
  if (recorder_.writing()) {
    JsonWriter json;
    json.open_object();
    json.member("batch", batches_);
    json.member("fault", decided.fault ? std::optional(id_of(*decided.fault)) : std::nullopt);
    json.key("saw");
    json.open_array();
    for (const std::string& saw : decided.saw) {
      json.open_object();
      json.member("type", "seen");
      json.member("what", saw);
      json.member("by", decided.by);
      json.close_object();
    }
    json.close_array();
    json.key("steps");
    json.open_array();
    write_step(json, decided);
    json.close_array();
    json.close_object();
    members = std::string(json.text().substr(1, json.size() - 2));
  }
  recorder_.custom(now_us_, reports::RecordKind::kDecision, {reports::EntityKind::kJob, 0}, words,
                   members);
}

void LiveRun::charge(const Decided& decided) {
  for (const BudgetMoved& move : decided.budgets) {
    auto budget = std::ranges::find(budgets_, move.name,
                                    [](const auto& kept) { return std::string_view(kept.first); });
    if (budget == budgets_.end()) {
      budget = budgets_.emplace(budgets_.end(), move.name, reports::BudgetSummary{});
      budget->second.by_agent =
          policies::counts_by_agent(scenario_.jobs.front().policy.name, move.name);
    }
    budget->second.used = move.used;
    budget->second.limit = move.limit;
    budget->second.exhausted |= move.exhausted;
    reports::Charge charge{.t_us = now_us_,
                           .fault = {},
                           .what = {},
                           .cause = move.cause,
                           .decision = decided.word.empty() ? decided.to : decided.word,
                           .rule = std::string(rule_of(decided)),
                           .used = move.used,
                           .exempt = !move.charged};
    if (decided.fault) {
      const scenario::FaultSpec& spec = scenario_.faults[*decided.fault];
      charge.fault = id_of(*decided.fault);
      charge.what = fmt::format("{} {}", scenario::name_of(spec.effects.front().effect.kind),
                                spec.target.text);
    }
    budget->second.charges.push_back(std::move(charge));
  }
}

reports::Recovery& LiveRun::open_recovery(std::uint32_t strike) {
  reports::Recovery& recovery = recoveries_.emplace_back();
  const scenario::FaultSpec& spec = scenario_.faults[strikes_[strike].spec];
  recovery.fault = strikes_[strike].id;
  recovery.what =
      fmt::format("{} {}", scenario::name_of(spec.effects.front().effect.kind), spec.target.text);
  return recovery;
}

// A new controller knows nothing of the fault that ended the one before, which nobody has detected.
void LiveRun::begin_anew() {
  if (open_ && !strikes_[*open_].answered) {
    strikes_[*open_].answered = true;
    open_recovery(*open_);
  }
}

// The first decision about a strike is when it was detected, and opens its recovery; one that only
// takes note of it while all train, as of a drain to come, leaves that to the next.
void LiveRun::answer(const Decided& decided) {
  const auto strike = decided.fault ? newest_strike_of(*decided.fault) : std::nullopt;
  if (!strike) {
    return;
  }
  strikes_[*strike].detected = true;
  const bool takes_note =
      standing_ == Standing::kRunning && decided.budgets.empty() && !stops_workers(decided);
  if (takes_note && !strikes_[*strike].answered) {
    return;
  }
  open_ = strike;
  if (!std::exchange(strikes_[*strike].answered, true)) {
    open_recovery(*strike).detected_us = now_us_;
  }
  if (!recoveries_.empty()) {
    recoveries_.back().rules.emplace_back(rule_of(decided));
  }
}

void LiveRun::take(const Decided& decided) {
  if (std::ranges::find(decided.commands, "start_driver") != decided.commands.end()) {
    begin_anew();
  }
  state_ = decided.to.empty() ? state_ : decided.to;
  const std::string rule(rule_of(decided));
  if (std::ranges::find(rules_applied_, rule) == rules_applied_.end()) {
    rules_applied_.push_back(rule);
  }
  answer(decided);
  write_decision(decided);
  charge(decided);
  if (standing_ == Standing::kBroken ||
      (standing_ != Standing::kStopping && stops_workers(decided))) {
    standing_ = Standing::kStopping;
    enter(scenario::Phase::kTearingDown, cause_of_stop());
  }
  decided_end_ |= std::ranges::any_of(decided.budgets, &BudgetMoved::exhausted);
}

}  // namespace aftershock::sim::live
