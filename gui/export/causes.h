#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gui/trace/trace.h"

namespace aftershock::gui {

/// Which effect a span is: the trace has them by fault, this finds them by span.
class Causes {
 public:
  /// Of the spans of these lanes, which are in order.
  Causes(const Trace& trace, const std::vector<std::uint32_t>& lanes);

  /// An index among the trace's effects; none for a span without a cause.
  [[nodiscard]] std::optional<std::uint32_t> effect_of(std::uint32_t lane,
                                                       std::uint32_t span) const;
  /// The id of the fault that a span tells of: its cause, itself, or what it answers.
  [[nodiscard]] TextId fault_id_of(std::uint32_t lane, std::uint32_t span) const;

 private:
  const Trace& trace_;
  std::vector<std::uint32_t> by_span_;
};

}  // namespace aftershock::gui
