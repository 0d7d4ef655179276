#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gui/trace/trace.h"

namespace aftershock::gui {

/// A step of a controller's answer to a fault.
struct AnswerStep {
  std::uint32_t decision = 0;  ///< among the trace's decisions
  std::string rule;
  std::vector<std::string> commands;  ///< their types

  /// Whether the same is done for the same reason, by whichever decision.
  [[nodiscard]] bool says_the_same(const AnswerStep& other) const {
    return rule == other.rule && commands == other.commands;
  }
};

/// All steps of one job's or experiment's controller that answer one fault.
struct Answer {
  std::string entity;  ///< "job:llm"
  std::string fault;   ///< its id
  std::vector<AnswerStep> steps;
};

/// The answers of a run, in the order of each one's first decision. Reads the decisions' lines from
/// the recording at `path`; lines that are no decisions, or are no longer there, are passed over.
std::vector<Answer> read_answers(const Trace& trace, const std::string& path);

}  // namespace aftershock::gui
