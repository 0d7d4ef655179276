#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
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

/// Reads the answers of a run bit by bit, so that a window can live on meanwhile: lines that are no
/// decisions, or are no longer there, are passed over.
class AnswerReader {
 public:
  /// `path` is the recording's; the trace outlives it and stays as it is.
  AnswerReader(const Trace& trace, std::string path);

  /// Reads the lines of at most so many decisions more; false: that was all.
  bool read_on(std::size_t decisions);
  /// What was read, in the order of each answer's first decision.
  [[nodiscard]] const std::vector<Answer>& answers() const { return answers_; }

 private:
  const Trace* trace_;
  std::string path_;
  std::vector<std::uint32_t> lines_;      ///< of decisions that answer a fault, rising
  std::vector<std::uint32_t> decisions_;  ///< those
  std::size_t read_ = 0;
  std::map<std::pair<std::uint32_t, TextId>, std::size_t> known_;  ///< by entity and fault
  std::vector<Answer> answers_;
};

/// All at once.
std::vector<Answer> read_answers(const Trace& trace, const std::string& path);

}  // namespace aftershock::gui
