#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "policies/api/ids.h"
#include "policies/api/severity.h"

namespace aftershock::policies {

/// The terms that its configuration lays down for a policy of pods; a check holds it to the order
/// in which pods are recovered (modelarts.md 4). The last ones say where that order may be
/// read in another way (modelarts.md 3).
struct PodTerms {
  bool restarts = true;       ///< anything is recovered at all
  bool unconditional = true;  ///< so is an exit that no hardware explains
  /// By PolicyInfo::budgets; empty: as the moves say.
  std::vector<std::optional<std::int64_t>> limits{};
  std::optional<DurationUs> unmount_async_after_us{};  ///< none: volumes are waited for
  std::optional<DurationUs> hang_restart_after_us{};   ///< how long a hang must last; none: never
  std::map<std::string, Severity> severities{};        ///< by code; they win over all others
  bool other_codes_reset = false;       ///< A1: another code on the chip begins its count anew
  bool third_fault_heals = false;       ///< A2: it is tried in place, too
  bool history_per_schedule = false;    ///< A3: faults are forgotten with the next scheduling
  bool count_kept = false;              ///< A4: they still count after the third
  bool user_faults_extended = false;    ///< A6: users may cause more than the two codes
  bool second_fault_joins = false;      ///< A16: new pods may be made twice for one charge
  bool faulty_nodes_may_stay = false;   ///< A19: without pods to spend nothing is isolated
  bool unhealed_user_may_stay = false;  ///< A32: nor is a node for a code that users cause
  friend bool operator==(const PodTerms&, const PodTerms&) = default;
};

}  // namespace aftershock::policies
