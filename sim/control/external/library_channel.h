#pragma once

#include <memory>

#include "sim/control/external/channel.h"
#include "sim/control/external/policy_library.h"

namespace aftershock::sim::control {

/// A conversation with a library. An error of the library within a call, such as a crash, happens
/// to this process.
std::unique_ptr<Channel> open_library(std::shared_ptr<const PolicyLibrary> library);

}  // namespace aftershock::sim::control
