#pragma once

#include <memory>
#include <string>

#include "policies/api/policy.h"
#include "sim/control/external/external_source.h"

namespace aftershock::sim::control {

/// A policy of that identity which begins this world when it is first asked something. A copy
/// begins it again, hears all that this one has heard, and must answer as this one did.
std::unique_ptr<policies::Policy> make_external_policy(std::shared_ptr<ExternalSource> source,
                                                       std::shared_ptr<const Identity> identity,
                                                       std::string world);

}  // namespace aftershock::sim::control
