#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/chaos/fault_family.h"
#include "sim/chaos/recovery_phase.h"
#include "sim/chaos/survey.h"

namespace aftershock::sim::chaos {

/// Where in a phase a fault strikes.
enum class MatrixOffset : std::uint8_t { kEntry, kMiddle, kExit };
/// How many there are.
inline constexpr std::size_t kMatrixOffsets = 3;
/// "on entry", "in the middle", "just before the end".
std::string_view name_of(MatrixOffset offset);

/// One moment, one fault, one target. An impossible cell has a reason and no first fault.
struct MatrixCell {
  std::uint32_t row = 0;     ///< of recovery_phases()
  std::uint32_t column = 0;  ///< of fault_families()
  MatrixTarget target = MatrixTarget::kVictim;
  MatrixOffset offset = MatrixOffset::kEntry;
  std::string_view excluded{};    ///< why it cannot be; empty: it is run
  std::uint32_t first_fault = 0;  ///< of first_faults()
  std::uint32_t nth = 1;          ///< instance of the phase
  std::int64_t offset_us = 0;
  std::int64_t strikes_us = 0;  ///< when that is
  bool momentary = false;       ///< that instance is over as soon as it begins
};

/// Every cell of the grid, those that cannot be too: by row, column, target, offset.
std::vector<MatrixCell> matrix_cells(const Setting& setting, const Survey& survey);

/// Why a fault of a family cannot strike a target in a phase after a first fault; none: it can.
std::string_view why_not(const RecoveryPhase& phase, const FaultFamily& family, MatrixTarget target,
                         const FirstFault& first_fault, const Setting& setting);

/// Why it cannot strike in that instance of the phase; none: it can.
std::string_view why_not_then(const RecoveryPhase& phase, const FaultFamily& family,
                              const PhaseInstance& instance);

/// The cell's fault, which must fire.
nlohmann::ordered_json fault_of(const Setting& setting, const MatrixCell& cell,
                                std::string_view id);

/// The cell's scenario: the first fault, then the fault.
std::string cell_scenario(const nlohmann::ordered_json& bare, const Setting& setting,
                          std::int64_t opened_us, const MatrixCell& cell);

/// "P06 tearing_down, F03 node loss, other rank, on entry".
std::string label_of(const MatrixCell& cell);

}  // namespace aftershock::sim::chaos
