#include "sim/control/external/decide.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json.h"
#include "policies/api/json_as_text.h"
#include "policies/api/json_text.h"
#include "policies/api/wire_decision.h"
#include "sim/control/external/answer.h"

namespace aftershock::sim::control {
namespace {

using nlohmann::json;

/// Gives steps what they left out: the only rule, and the state that the policy is in.
void complete(json& steps, const policies::PolicyInfo& info, std::uint16_t state) {
  std::string now(info.states[state]);
  for (json& step : steps) {
    if (!step.is_object()) {
      return;  // the reader says so
    }
    if (!step.contains("rule") && info.rules.size() == 1) {
      step["rule"] = info.rules.front().id;
    }
    if (!step.contains("from")) {
      step["from"] = now;
    }
    if (!step.contains("to")) {
      step["to"] = step["from"];
    }
    if (step["to"].is_string()) {
      now = step["to"].get<std::string>();
    }
  }
}

/// An answer as it stands on the wire.
struct WireAnswer {
  std::uint64_t seq = 0;
  std::vector<policies::WireStep> steps{};
  policies::Watch watch{};
  std::optional<std::string> state{};
  std::optional<std::vector<policies::wire::BudgetNow>> budgets{};
  std::optional<policies::wire::Result> result{};
  static constexpr auto fields(auto list) {
    using policies::field;
    return list(field("seq", &WireAnswer::seq), field("steps", &WireAnswer::steps),
                field("watch", &WireAnswer::watch), field("state", &WireAnswer::state),
                field("budgets", &WireAnswer::budgets), field("result", &WireAnswer::result));
  }
};

/// An answer as read so far, by either way.
struct ReadAnswer {
  policies::WireDecision wire;
  policies::wire::Standing standing;
};

/// An answer that is plain and right; none: whoever looks closely says what it is.
std::optional<ReadAnswer> read_plainly(std::string_view line, std::uint64_t seq,
                                       const policies::PolicyInfo& info, std::uint16_t state) {
  WireAnswer said;
  policies::json_text::Reader reader(line);
  // An empty text would pass for one that was left out, and be filled in below.
  if (!reader.message("decide", said) || reader.saw_empty_text() || said.seq != seq) {
    return std::nullopt;
  }
  std::string_view now = info.states[state];
  for (policies::WireStep& step : said.steps) {
    if (step.rule.empty() && info.rules.size() == 1) {
      step.rule = info.rules.front().id;
    }
    if (step.from.empty()) {
      step.from = now;
    }
    if (step.to.empty()) {
      step.to = step.from;
    }
    now = step.to;
  }
  return ReadAnswer{{std::move(said.steps), said.watch},
                    {std::move(said.state), std::move(said.budgets), said.result}};
}

/// Words that a decision does not keep; and what it may not refer to.
std::optional<std::string> take_words(std::vector<policies::WireStep>& steps,
                                      policies::Decision& decision, const policies::Batch& batch,
                                      ExternalSource& source, std::deque<std::string>& texts) {
  for (std::size_t i = 0; i < decision.steps.size(); ++i) {
    policies::Step& step = decision.steps[i];
    for (const std::uint16_t event : step.saw) {
      if (event >= batch.events.size()) {
        return fmt::format("/steps/{}/saw: got {}, and the batch has {} events", i, event,
                           batch.events.size());
      }
    }
    // The vendor's word is kept for as long as charges name it, which is to the end of the run.
    if (steps[i].decision) {
      const auto kept = source.keep(*steps[i].decision);
      if (!kept) {
        return fmt::format("/steps/{}/decision: more than 1000 different words", i);
      }
      step.decision = *kept;
    }
    for (policies::WireRejected& one : steps[i].rejected) {
      // A deque does not move its strings as it grows, and decisions refer to them.
      const std::string& what = texts.emplace_back(std::move(one.what));
      step.rejected.push_back({what, texts.emplace_back(std::move(one.why))});
    }
  }
  return std::nullopt;
}

std::optional<std::string> check_members(const json& answer) {
  constexpr std::array<std::string_view, 7> kMembers{"type",  "seq",     "steps", "watch",
                                                     "state", "budgets", "result"};
  const policies::json_reader::Place root;
  for (const auto& item : answer.items()) {
    if (std::ranges::find(kMembers, item.key()) == kMembers.end()) {
      return policies::describe(
          *policies::json_reader::unknown(root.at(item.key()), "member", item.key(), kMembers));
    }
  }
  return std::nullopt;
}

std::optional<std::string> check_standing(const policies::wire::Standing& standing,
                                          const policies::PolicyInfo& info) {
  if (standing.state && std::ranges::find(info.states, *standing.state) == info.states.end()) {
    return policies::describe(*policies::json_reader::unknown(
        policies::json_reader::Place{}.at("state"), "state", *standing.state, info.states));
  }
  if (standing.budgets && standing.budgets->size() != info.budgets.size()) {
    return fmt::format("/budgets: got {}, expected all {}", standing.budgets->size(),
                       info.budgets.size());
  }
  return std::nullopt;
}

/// Looks at an answer member by member: what it says, or what is wrong with it.
std::variant<ReadAnswer, std::string> read_closely(std::string_view line, std::string_view what,
                                                   std::uint64_t expected,
                                                   const policies::PolicyInfo& info,
                                                   std::uint16_t state) {
  auto parsed = parse_answer(line, what, "decide");
  if (auto* problem = std::get_if<std::string>(&parsed)) {
    return std::move(*problem);
  }
  json& answer = std::get<json>(parsed);
  const auto wrong = [&](std::string_view why) {
    return fmt::format("answered {} wrongly: {}", what, why);
  };
  const auto seq = answer.find("seq");
  if (seq == answer.end() || !seq->is_number_unsigned() || *seq != expected) {
    return wrong(fmt::format(
        "/seq: got {}, expected {}",
        seq == answer.end() ? "nothing" : policies::text_from_json(*seq, {.ascii_only = true}),
        expected));
  }
  if (const auto problem = check_members(answer)) {
    return wrong(*problem);
  }
  if (too_large(answer)) {
    return wrong(kTooLarge);
  }
  json steps = answer.contains("steps") ? std::move(answer["steps"]) : json::array();
  complete(steps, info, state);
  json message = {{"steps", std::move(steps)}};
  if (answer.contains("watch")) {
    message["watch"] = std::move(answer["watch"]);
  }
  auto read = policies::json_reader::read_whole<policies::WireDecision>(message);
  if (const auto* issue = std::get_if<policies::Issue>(&read)) {
    return wrong(policies::describe(*issue));
  }
  ReadAnswer said{std::get<policies::WireDecision>(std::move(read)), {}};
  for (const char* member : {"type", "seq", "steps", "watch"}) {
    answer.erase(member);
  }
  if (const auto problem = policies::json_reader::read_members(policies::json_reader::Place{},
                                                               answer, said.standing, {})) {
    return wrong(policies::describe(*problem));
  }
  return said;
}

}  // namespace

policies::ReadResult<std::vector<policies::TrialState>> read_trials(const json& trials,
                                                                    ExternalSource& source) {
  auto read = policies::json_reader::read_whole<std::vector<policies::wire::Trial>>(trials);
  if (auto* issue = std::get_if<policies::Issue>(&read)) {
    return std::move(*issue);
  }
  std::vector<policies::TrialState> states;
  for (policies::wire::Trial& trial : std::get<std::vector<policies::wire::Trial>>(read)) {
    const auto status = source.keep(trial.status);
    states.push_back({trial.trial, std::move(trial.id), status.value_or(""), trial.failures,
                      trial.restores, trial.checkpoint, trial.iteration});
  }
  return states;
}

std::variant<Decided, std::string> read_decide(std::string_view line, const policies::Batch& batch,
                                               const policies::PolicyInfo& info,
                                               std::uint16_t state, ExternalSource& source,
                                               std::deque<std::string>& texts) {
  const auto what = [&] { return fmt::format("batch {}", batch.seq); };
  const auto wrong = [&](std::string_view why) {
    return fmt::format("answered {} wrongly: {}", what(), why);
  };
  // Most answers are plain: to read them as JSON values takes longer than anything else about them.
  auto plain = read_plainly(line, batch.seq, info, state);
  if (!plain) {
    auto read = read_closely(line, what(), batch.seq, info, state);
    if (auto* problem = std::get_if<std::string>(&read)) {
      return std::move(*problem);
    }
    plain = std::get<ReadAnswer>(std::move(read));
  }
  auto& [wire, standing] = *plain;
  auto made = policies::decision_of(wire, info);
  if (const auto* issue = std::get_if<policies::Issue>(&made)) {
    return wrong(policies::describe(*issue));
  }
  Decided decided{std::get<policies::Decision>(std::move(made)), std::move(standing)};
  // The decision before refers to them up to now (policies::Rejected).
  texts.clear();
  std::optional<std::string> problem;
  if (const auto fault = endless(decided.decision.watch); !fault.empty()) {
    problem = fmt::format("/watch/{}", fault);
  }
  if (!problem) {
    problem = take_words(wire.steps, decided.decision, batch, source, texts);
  }
  if (!problem) {
    problem = check_standing(decided.standing, info);
  }
  if (problem) {
    return wrong(*problem);
  }
  return decided;
}

}  // namespace aftershock::sim::control
