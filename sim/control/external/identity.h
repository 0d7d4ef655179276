#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "policies/api/config.h"
#include "policies/api/issue.h"
#include "sim/control/external/external_source.h"

namespace aftershock::sim {

/// A policy's description of itself in its answer to a world; or why it refuses that world; or the
/// error in the answer, its pointer relative to it.
using IdentityResult =
    std::variant<std::shared_ptr<Identity>, std::vector<policies::ConfigIssue>, policies::Issue>;

/// Reads `ready` or `refused`. `name`: what it is called where it does not say.
IdentityResult identity_of(const nlohmann::json& answer, std::string_view name);

}  // namespace aftershock::sim
