#pragma once

#include <string>
#include <string_view>

#include "sim/hosts/hosts.h"

namespace aftershock::sim::cli {

/// The places of hosts for the user of this process: the cache folder by XDG_CACHE_HOME or HOME,
/// and `python`, or where that is empty the Python of VIRTUAL_ENV.
hosts::Places host_places(const std::string& python);

/// The words for a name that no host has: why its family has none, or the name that was probably
/// meant.
std::string no_host(std::string_view name);

}  // namespace aftershock::sim::cli
