#include "reports/compare/decisions.h"

#include <iterator>
#include <utility>

#include "reports/json/json_value.h"
#include "reports/recording/reader.h"
#include "reports/render/json_words.h"

namespace aftershock::reports {

namespace {

BudgetMove move_from(const JsonValue& told) {
  BudgetMove move{.budget = text_in(told, "budget"),
                  .cause = text_in(told, "cause"),
                  .before = 0,
                  .used = integer_in(told, "used").value_or(0),
                  .limit = integer_in(told, "limit"),
                  .charged = flag_in(told, "charged", true),
                  .exhausted = flag_in(told, "exhausted", false)};
  // A charge is one; used is never below 0 in a run, and no matter what a file says stays in range.
  move.before = move.charged && move.used > 0 ? move.used - 1 : move.used;
  return move;
}

std::vector<std::string> seen_by(const JsonValue& step, const std::vector<std::string>& events) {
  std::vector<std::string> seen;
  for (const JsonValue& each : list_in(step, "saw")) {
    if (each.is_number_unsigned() && each.get<std::uint64_t>() < events.size()) {
      seen.push_back(events[each.get<std::size_t>()]);
    }
  }
  return seen.empty() ? events : seen;
}

DecisionStep step_from(const JsonValue& told) {
  DecisionStep step;
  step.rule = text_in(told, "rule");
  step.from = text_in(told, "from");
  step.to = text_in(told, "to");
  step.word = text_in(told, "decision");
  for (const JsonValue& move : list_in(told, "budgets")) {
    step.budgets.push_back(move_from(move));
  }
  for (const JsonValue& command : list_in(told, "commands")) {
    step.commands.push_back({.type = text_in(command, "type"),
                             .words = in_words(command),
                             .id = integer_in(command, "id"),
                             .epoch = integer_in(command, "epoch")});
  }
  for (const JsonValue& rejected : list_in(told, "rejected")) {
    step.rejected.push_back({text_in(rejected, "what"), text_in(rejected, "why")});
  }
  return step;
}

}  // namespace

std::vector<DecisionStep> decision_steps(std::string_view line) {
  const JsonValue record = parsed(line);
  std::vector<DecisionStep> steps;
  if (text_in(record, "r") != "decision") {
    return steps;
  }
  std::vector<std::string> events;
  for (const JsonValue& event : list_in(record, "saw")) {
    events.push_back(in_words(event));
  }
  for (const JsonValue& told : list_in(record, "steps")) {
    DecisionStep& step = steps.emplace_back(step_from(told));
    step.t_us = integer_in(record, "t").value_or(0);
    step.owner = text_in(record, "on");
    step.fault = text_in(record, "fault");
    step.false_alarm = flag_in(record, "false_alarm", false);
    step.saw = seen_by(told, events);
  }
  return steps;
}

bool add_decision(Decisions& decisions, std::uint32_t nth, std::string_view line) {
  if (decisions.steps.size() >= kStepsMax) {
    decisions.cut = true;
    return false;
  }
  std::vector<DecisionStep> steps = decision_steps(line);
  for (DecisionStep& step : steps) {
    step.decision = nth;
  }
  std::ranges::move(steps, std::back_inserter(decisions.steps));
  return true;
}

void DecisionSink::take(std::string_view line) {
  // Quotes within texts are escaped, so nothing else has this; it stands behind the time.
  constexpr std::string_view kDecision = R"("r":"decision")";
  constexpr std::size_t kTimeBytesMax = 32;
  if (line.substr(0, kTimeBytesMax + kDecision.size()).find(kDecision) != line.npos) {
    add_decision(decisions_, count_++, line);
  }
}

std::variant<Decisions, std::string> read_decisions(const std::string& path) {
  Decisions decisions;
  std::uint32_t count = 0;
  const ReadResult result = read_recording(path, [&](const Record& record) {
    return record.kind != LineKind::kDecision || add_decision(decisions, count++, record.text);
  });
  if (!result.readable()) {
    return result.message;
  }
  decisions.unfinished = result.message;
  return decisions;
}

}  // namespace aftershock::reports
