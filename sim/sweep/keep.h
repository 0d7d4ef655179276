#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reports/results/run_store.h"

namespace aftershock::sim::sweep {

/// Which runs of a sweep leave a recording.
struct Keep {
  /// All, those that went wrong, or the worst in a metric.
  enum class What : std::uint8_t { kAll, kFailed, kWorst };
  What what = What::kAll;
  std::uint32_t count = 0;  ///< kWorst: so many of the whole sweep
  std::size_t metric = 0;   ///< kWorst: in which of reports::metrics()

  /// Every run is recorded, and none need be run again for it.
  [[nodiscard]] bool all() const { return what == What::kAll; }
};

/// Reads "all", "failed" (a job did not end well, or the verdict is not passed), "worst:5" (those
/// of the lowest ETTR) or "worst:5:lost_us"; an error in words.
std::variant<Keep, std::string> parse_keep(std::string_view text);

/// The runs to keep, of those in the store whose worker lived; the worst first, of two alike the
/// earlier one.
std::vector<reports::RunRow> runs_to_keep(const Keep& keep, reports::RunStore& store);

}  // namespace aftershock::sim::sweep
