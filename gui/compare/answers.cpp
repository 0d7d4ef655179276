#include "gui/compare/answers.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "gui/trace/line_texts.h"

namespace aftershock::gui {

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
      answers_.push_back({.owner = std::string(trace_->entities[decision.entity]),
                          .fault = std::string(trace_->texts[decision.fault]),
                          .steps = {}});
    }
    for (reports::DecisionStep& step : reports::decision_steps(text)) {
      step.decision = number;
      step.t_us = decision.t_us;
      step.saw.clear();
      answers_[found->second].steps.push_back(std::move(step));
    }
    return true;
  });
  read_ += count;
  return read_ < lines_.size();
}

std::vector<reports::Answer> read_answers(const Trace& trace, const std::string& path) {
  AnswerReader reader(trace, path);
  while (reader.read_on(trace.decisions.size())) {
  }
  return reader.answers();
}

}  // namespace aftershock::gui
