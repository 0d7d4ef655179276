#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gui/lanes/lane_key.h"
#include "gui/trace/trace.h"

namespace aftershock::gui {

/// A moment that a curve tells of.
struct CurveMark {
  std::int64_t t_us = 0;
  bool counts = true;  ///< else it is there to be seen, but changed nothing: a cause that is exempt

  friend bool operator==(const CurveMark&, const CurveMark&) = default;
};

/// A number over time that a lane shows and that no record gives as a counter: it was reckoned from
/// what a recording says.
struct Curve {
  Facet facet = Facet::kCounters;                    ///< or kBudgets
  std::string name;                                  ///< of the budget, else one of `curve_names`
  Counter samples;                                   ///< its entity is the curve's, its name none
  std::optional<std::int64_t> limit = std::nullopt;  ///< that it moves towards
  std::vector<CurveMark> marks = {};                 ///< in order
  int decimals = 0;                                  ///< of a value: 2 means hundredths
  std::string unit = {};                             ///< "%"
};

/// Names that curves beside budgets can have: "progress", "useful", "ettr" and "lost_per_day".
const std::vector<std::string>& curve_names();

/// A value of a curve as it is read: "97.31%"; with a limit "2 of 8".
std::string value_text(const Curve& curve, std::int64_t value);

}  // namespace aftershock::gui
