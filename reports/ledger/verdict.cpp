#include <algorithm>
#include <array>

#include "reports/ledger/summary.h"

namespace aftershock::reports {

namespace {

// In the order of the enumeration; a verdict's place is its exit code (design.md 5).
constexpr std::array<std::string_view, 9> kVerdictNames{
    "passed",        "failed",         "unusable", "stuck",       "invalid",
    "policy_failed", "internal_error", "worse",    "inconclusive"};

// In the order of the enumeration.
constexpr std::array<std::string_view, 8> kEndStateNames{
    "completed", "training", "starting", "recovering", "waiting", "stuck", "failed", "aborted"};

}  // namespace

std::string_view name_of(EndState state) { return kEndStateNames[static_cast<std::size_t>(state)]; }

EndState end_state_named(std::string_view name) {
  const auto found = std::ranges::find(kEndStateNames, name);
  return found == kEndStateNames.end() ? EndState::kTraining
                                       : static_cast<EndState>(found - kEndStateNames.begin());
}

bool is_alive(EndState state) { return state < EndState::kStuck; }

double UsefulWork::share() const {
  return of_us == 0 ? 0.0 : static_cast<double>(us) / static_cast<double>(of_us);
}

std::string_view name_of(Verdict verdict) {
  return kVerdictNames[static_cast<std::size_t>(verdict)];
}

std::optional<Verdict> verdict_named(std::string_view name) {
  for (std::size_t i = 0; i < kVerdictNames.size(); ++i) {
    if (kVerdictNames[i] == name) {
      return static_cast<Verdict>(i);
    }
  }
  return std::nullopt;
}

Verdict worse_of(Verdict one, Verdict other) {
  return std::ranges::find(kWorstFirst, one) < std::ranges::find(kWorstFirst, other) ? one : other;
}

int exit_code(Verdict verdict) { return static_cast<int>(verdict); }

}  // namespace aftershock::reports
