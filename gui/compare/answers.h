#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gui/trace/trace.h"
#include "reports/compare/divergence.h"

namespace aftershock::gui {

/// Reads the answers of a run to its faults bit by bit, so that a window can live on meanwhile:
/// lines that are not decisions, or have gone, are passed over. A step's `decision` is among the
/// trace's.
class AnswerReader {
 public:
  /// `path` is the recording's; the trace outlives it and stays as it is.
  AnswerReader(const Trace& trace, std::string path);

  /// Reads the lines of at most so many decisions more; false: that was all.
  bool read_on(std::size_t decisions);
  /// The answers so far, in the order of each one's first decision. The observations of steps are
  /// left out: a card reads those again.
  [[nodiscard]] const std::vector<reports::Answer>& answers() const { return answers_; }

 private:
  const Trace* trace_;
  std::string path_;
  std::vector<std::uint32_t> lines_;      ///< of decisions that answer a fault, rising
  std::vector<std::uint32_t> decisions_;  ///< those
  std::size_t read_ = 0;
  std::map<std::pair<std::uint32_t, TextId>, std::size_t> known_;  ///< by entity and fault
  std::vector<reports::Answer> answers_;
};

/// All at once.
std::vector<reports::Answer> read_answers(const Trace& trace, const std::string& path);

}  // namespace aftershock::gui
