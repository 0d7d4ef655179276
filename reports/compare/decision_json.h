#pragma once

#include <nlohmann/json_fwd.hpp>

#include "reports/compare/divergence.h"

namespace aftershock::reports {

/// Where two runs part, for programs: owner, fault, what differs, and the step of each as `a` and
/// `b`, null where there is none.
nlohmann::ordered_json to_json(const Divergence& divergence);

}  // namespace aftershock::reports
