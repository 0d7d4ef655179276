#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "reports/ledger/phase_list.h"

namespace aftershock::sim::scenario {

/// The activity of a job; one at a time, the phase of its slowest part (scenario.md decision 5).
enum class Phase : std::uint8_t { AFTERSHOCK_PHASES(AFTERSHOCK_ENUMERATOR) };

inline constexpr auto kPhaseNames =
    std::to_array<std::string_view>({AFTERSHOCK_PHASES(AFTERSHOCK_WORD)});

constexpr std::string_view name_of(Phase phase) {
  return kPhaseNames[static_cast<std::size_t>(phase)];
}

}  // namespace aftershock::sim::scenario
