#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/compare/recordings.h"
#include "reports/render/style.h"

// A simulated run beside a live one of the same scenario. Decisions are held against each other
// exactly, times within a band: real processes take other times each time that they run.
namespace aftershock::reports {

/// Live times may be so much longer or shorter than simulated ones.
inline constexpr double kTimeBand = 0.15;

/// A part of both runs, in words.
struct AgreementLine {
  std::string fault;  ///< its id; empty: the run as a whole
  std::string what;   ///< "outcome", "attempts", "charges", "decisions"; or a time
  std::string simulated;
  std::string live;
  bool agrees = false;
  bool is_time = false;  ///< of which `agrees` says whether it is within the band
};

/// All that two runs are held against each other by, the run as a whole first, then fault by fault.
struct Agreement {
  std::vector<AgreementLine> lines;

  /// The first line that is not a time and does not agree; null: there is none.
  [[nodiscard]] const AgreementLine* first_difference() const;
};

/// Holds the runs against each other, live times multiplied by the run's speed. The answers to one
/// fault are compared in order where one controller decides, and as counts where agents do, whose
/// order is arbitrary.
Agreement agreement(const RecordedRun& simulated, const RecordedRun& live);

/// The table in words, with the first difference below it.
std::string agreement_text(const RecordedRun& simulated, const RecordedRun& live,
                           const Style& style);
/// The same for programs.
nlohmann::ordered_json agreement_json(const RecordedRun& simulated, const RecordedRun& live);

}  // namespace aftershock::reports
