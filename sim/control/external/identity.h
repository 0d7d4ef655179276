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

namespace aftershock::sim::control {

/// A policy's description of itself in its answer to a world; or why it refuses that world; or the
/// error in the answer, its pointer relative to it.
using IdentityResult =
    std::variant<std::shared_ptr<Identity>, std::vector<policies::ConfigIssue>, policies::Issue>;

/// Facts about a policy that are known before it says anything of itself.
struct Introduced {
  std::string_view name;  ///< for one that does not say its own
  int minor = 0;          ///< of the protocol
  bool durable = false;   ///< it has that feature
};

/// Reads `ready` or `refused`.
IdentityResult identity_of(const nlohmann::json& answer, const Introduced& introduced);

}  // namespace aftershock::sim::control
