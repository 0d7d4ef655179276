#pragma once

#include <string_view>

#include "sim/hosts/hosts.h"

namespace aftershock::sim::hosts {

/// The file that a setup writes last: one that was broken off has none.
inline constexpr std::string_view kReady = "ready";

/// True where a step of the setup calls the compiler, e.g. for stubs of libraries.
bool compiles_in_setup(const Family& host, const Places& places);

}  // namespace aftershock::sim::hosts
