#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gui/compare/answers.h"

namespace aftershock::gui {

/// Where two controllers that met the same fault first did something else.
struct Divergence {
  std::string entity;  ///< "job:llm"
  std::string fault;   ///< its id
  /// The step in each run, none where that run's answer had already ended.
  std::optional<AnswerStep> a;
  std::optional<AnswerStep> b;
  std::int64_t a_us = 0;  ///< time of that step; without one, of the last step before
  std::int64_t b_us = 0;
};

/// At most one for each job and fault, by the time in A. Jobs and faults that only one run has are
/// no divergences.
std::vector<Divergence> find_divergences(const Trace& a, const std::vector<Answer>& answers_a,
                                         const Trace& b, const std::vector<Answer>& answers_b);

}  // namespace aftershock::gui
