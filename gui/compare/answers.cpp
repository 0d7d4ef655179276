#include "gui/compare/answers.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "gui/trace/line_texts.h"

namespace aftershock::gui {

namespace {

using nlohmann::json;

const json& member(const json& object, const char* key) {
  static const json kNothing;
  if (!object.is_object()) {
    return kNothing;
  }
  const auto found = object.find(key);
  return found == object.end() ? kNothing : *found;
}

std::string text_of(const json& object, const char* key) {
  const json& value = member(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

void add_steps(std::string_view line, std::uint32_t decision, std::vector<AnswerStep>& steps) {
  const json record = json::parse(line, nullptr, false);
  for (const json& step : member(record, "steps")) {
    AnswerStep& added = steps.emplace_back();
    added.decision = decision;
    added.rule = text_of(step, "rule");
    for (const json& command : member(step, "commands")) {
      added.commands.push_back(text_of(command, "type"));
    }
  }
}

}  // namespace

std::vector<Answer> read_answers(const Trace& trace, const std::string& path) {
  std::vector<std::uint32_t> lines;
  std::vector<std::uint32_t> decisions;
  for (std::uint32_t i = 0; i < trace.decisions.size(); ++i) {
    const Decision& decision = trace.decisions[i];
    if (decision.fault != kNoText && (lines.empty() || decision.line > lines.back())) {
      lines.push_back(decision.line);
      decisions.push_back(i);
    }
  }
  std::vector<Answer> answers;
  std::map<std::pair<std::uint32_t, TextId>, std::size_t> known;
  line_texts(trace, path, lines, [&](std::uint32_t line, std::string_view text) {
    const auto at = std::ranges::lower_bound(lines, line) - lines.begin();
    const std::uint32_t number = decisions[static_cast<std::size_t>(at)];
    const Decision& decision = trace.decisions[number];
    const auto [found, is_new] =
        known.try_emplace({decision.entity, decision.fault}, answers.size());
    if (is_new) {
      answers.push_back({.entity = std::string(trace.entities[decision.entity]),
                         .fault = std::string(trace.texts[decision.fault]),
                         .steps = {}});
    }
    add_steps(text, number, answers[found->second].steps);
    return true;
  });
  return answers;
}

}  // namespace aftershock::gui
