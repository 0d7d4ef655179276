#include "gui/compare/answers.h"

#include <algorithm>
#include <span>
#include <string_view>

#include <nlohmann/json.hpp>

#include "gui/trace/line_texts.h"

namespace aftershock::gui {

namespace {

const nlohmann::json& member(const nlohmann::json& object, const char* key) {
  static const nlohmann::json kNothing;
  if (!object.is_object()) {
    return kNothing;
  }
  const auto found = object.find(key);
  return found == object.end() ? kNothing : *found;
}

std::string text_of(const nlohmann::json& object, const char* key) {
  const nlohmann::json& value = member(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

void add_steps(std::string_view line, std::uint32_t decision, std::vector<AnswerStep>& steps) {
  const nlohmann::json record = nlohmann::json::parse(line, nullptr, false);
  for (const nlohmann::json& step : member(record, "steps")) {
    AnswerStep& added = steps.emplace_back();
    added.decision = decision;
    added.rule = text_of(step, "rule");
    for (const nlohmann::json& command : member(step, "commands")) {
      added.commands.push_back(text_of(command, "type"));
    }
  }
}

}  // namespace

AnswerReader::AnswerReader(const Trace& trace, std::string path)
    : trace_(&trace), path_(std::move(path)) {
  for (std::uint32_t i = 0; i < trace.decisions.size(); ++i) {
    const Decision& decision = trace.decisions[i];
    if (decision.fault != kNoText && (lines_.empty() || decision.line > lines_.back())) {
      lines_.push_back(decision.line);
      decisions_.push_back(i);
    }
  }
}

bool AnswerReader::read_on(std::size_t decisions) {
  const std::size_t count = std::min(decisions, lines_.size() - read_);
  const auto lines = std::span(lines_).subspan(read_, count);
  line_texts(*trace_, path_, lines, [&](std::uint32_t line, std::string_view text) {
    const auto at = std::ranges::lower_bound(lines_, line) - lines_.begin();
    const std::uint32_t number = decisions_[static_cast<std::size_t>(at)];
    const Decision& decision = trace_->decisions[number];
    const auto [found, is_new] =
        known_.try_emplace({decision.entity, decision.fault}, answers_.size());
    if (is_new) {
      answers_.push_back({.entity = std::string(trace_->entities[decision.entity]),
                          .fault = std::string(trace_->texts[decision.fault]),
                          .steps = {}});
    }
    add_steps(text, number, answers_[found->second].steps);
    return true;
  });
  read_ += count;
  return read_ < lines_.size();
}

std::vector<Answer> read_answers(const Trace& trace, const std::string& path) {
  AnswerReader reader(trace, path);
  while (reader.read_on(trace.decisions.size())) {
  }
  return reader.answers();
}

}  // namespace aftershock::gui
