#pragma once

#include <memory>

#include "policies/api/config.h"
#include "policies/api/policy.h"
#include "sim/control/external/external_source.h"

namespace aftershock::sim::control {

/// A policy of that identity which the source's direct way makes when it is first asked something.
/// It decides what it would by messages, and what it says is held to the same.
std::unique_ptr<policies::Policy> make_direct_policy(std::shared_ptr<ExternalSource> source,
                                                     std::shared_ptr<const Identity> identity,
                                                     policies::PolicyRequest request);

}  // namespace aftershock::sim::control
