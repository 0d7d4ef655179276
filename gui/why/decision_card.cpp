#include "gui/why/decision_card.h"

#include <algorithm>
#include <array>
#include <utility>

#include "gui/trace/find.h"
#include "gui/trace/line_texts.h"
#include "reports/json/json_value.h"
#include "reports/render/format.h"
#include "reports/render/json_words.h"

namespace aftershock::gui {

namespace {

/// So many decisions of the same controller are looked at for what became of a command.
constexpr std::size_t kAheadMax = 64;

/// Which event tells what became of which command.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kAnswers{
    {{"start_attempt", "attempt_running"},
     {"start_attempt", "attempt_start_failed"},
     {"restart_processes", "attempt_running"},
     {"restart_processes", "attempt_start_failed"},
     {"recreate_pods", "attempt_running"},
     {"recreate_pods", "attempt_start_failed"},
     {"stop_workers", "workers_stopped"},
     {"self_heal", "self_heal_result"},
     {"commit_checkpoint", "checkpoint_durable"}}};

bool can_be_answered(std::string_view command) {
  return std::ranges::find(kAnswers, command, [](const auto& each) { return each.first; }) !=
         kAnswers.end();
}

bool answers(const reports::JsonValue& event, const CommandTold& command) {
  const std::string type = reports::text_in(event, "type");
  if (std::ranges::find(kAnswers, std::pair(std::string_view(command.type),
                                            std::string_view(type))) == kAnswers.end()) {
    return false;
  }
  if (const auto id = reports::integer_in(event, "command")) {
    return id == command.id;
  }
  const auto epoch = reports::integer_in(event, "epoch");
  return epoch.has_value() && epoch == command.epoch;
}

StepTold step_from(const Trace& trace, const std::string& policy, reports::DecisionStep&& told) {
  StepTold step{.rule = std::move(told.rule),
                .sentence = {},
                .source = {},
                .from = std::move(told.from),
                .to = std::move(told.to),
                .word = std::move(told.word),
                .budgets = std::move(told.budgets),
                .commands = {},
                .rejected = std::move(told.rejected)};
  if (const reports::HeaderRule* rule = rule_named(trace, policy, step.rule)) {
    step.sentence = rule->sentence;
    step.source = rule->source;
  }
  for (reports::OrderedCommand& command : told.commands) {
    step.commands.push_back({std::move(command), {}, kNone});
  }
  return step;
}

/// Takes in what a later decision saw; true when nothing is left to be heard of.
bool take_answers(DecisionCard& card, const Trace& trace, std::uint32_t later,
                  std::string_view record) {
  const reports::JsonValue told = reports::parsed(record);
  bool all = true;
  for (StepTold& step : card.steps) {
    for (CommandTold& command : step.commands) {
      if (!command.became.empty() || !can_be_answered(command.type)) {
        continue;
      }
      for (const reports::JsonValue& event : reports::part(told, "saw")) {
        if (answers(event, command)) {
          command.became = reports::in_words(event) + " (after " +
                           reports::format_duration(trace.decisions[later].t_us - card.t_us) + ")";
          command.answered_by = later;
          break;
        }
      }
      all = all && !command.became.empty();
    }
  }
  return all;
}

void look_ahead(DecisionCard& card, const Trace& trace, const std::string& path) {
  const bool any = std::ranges::any_of(card.steps, [](const StepTold& step) {
    return std::ranges::any_of(step.commands, can_be_answered, &CommandTold::type);
  });
  std::vector<std::uint32_t> decisions;
  std::vector<std::uint32_t> lines;
  for (std::uint32_t i = card.decision + 1;
       any && i < trace.decisions.size() && lines.size() < kAheadMax; ++i) {
    if (trace.decisions[i].entity == card.entity && trace.decisions[i].line != 0) {
      decisions.push_back(i);
      lines.push_back(trace.decisions[i].line);
    }
  }
  line_texts(trace, path, lines, [&](std::uint32_t line, std::string_view text) {
    const auto at = std::ranges::lower_bound(lines, line) - lines.begin();
    return !take_answers(card, trace, decisions[static_cast<std::size_t>(at)], text);
  });
}

}  // namespace

const reports::HeaderRule* rule_named(const Trace& trace, std::string_view policy,
                                      std::string_view id) {
  const reports::HeaderRule* any = nullptr;
  for (const reports::HeaderPolicy& each : trace.header.policies) {
    const auto found = std::ranges::find(each.rules, id, &reports::HeaderRule::id);
    if (found != each.rules.end()) {
      any = &*found;
      if (each.name == policy) {
        break;
      }
    }
  }
  return any;
}

std::string policy_of(const Trace& trace, std::uint32_t entity) {
  if (const reports::HeaderJob* job = header_job(trace, entity)) {
    return job->policy;
  }
  constexpr std::string_view kPrefix = "experiment:";
  const std::string_view name = trace.entities[entity];
  for (const reports::HeaderExperiment& each : trace.header.experiments) {
    if (name.starts_with(kPrefix) && name.substr(kPrefix.size()) == each.name) {
      return each.policy;
    }
  }
  return {};
}

DecisionCard card_from(const Trace& trace, std::uint32_t decision, std::string_view record) {
  DecisionCard card;
  card.decision = decision;
  if (decision >= trace.decisions.size()) {
    card.problem = "there is no such decision";
    return card;
  }
  const Decision& known = trace.decisions[decision];
  card.t_us = known.t_us;
  card.entity = known.entity;
  card.batch = known.batch;
  card.policy = policy_of(trace, known.entity);
  card.fault_id = trace.texts[known.fault];
  card.fault = fault_with_id(trace, known.fault).value_or(kNone);
  card.false_alarm = known.false_alarm;
  card.record = record;
  const reports::JsonValue told = reports::parsed(record);
  if (!told.is_object()) {
    card.problem = "its line in the recording cannot be read";
    return card;
  }
  for (const reports::JsonValue& event : reports::part(told, "saw")) {
    card.saw.push_back(reports::in_words(event));
  }
  for (reports::DecisionStep& step : reports::decision_steps(record)) {
    card.steps.push_back(step_from(trace, card.policy, std::move(step)));
  }
  return card;
}

DecisionCard decision_card(const Trace& trace, const std::string& path, std::uint32_t decision) {
  const auto record = decision < trace.decisions.size()
                          ? line_text(trace, path, trace.decisions[decision].line)
                          : std::nullopt;
  DecisionCard card = card_from(trace, decision, record.value_or(std::string()));
  if (card.problem.empty()) {
    look_ahead(card, trace, path);
  }
  return card;
}

}  // namespace aftershock::gui
