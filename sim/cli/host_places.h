#pragma once

#include <string>

#include "sim/hosts/hosts.h"

namespace aftershock::sim::cli {

/// The places of hosts for the user of this process: the cache folder by XDG_CACHE_HOME or HOME,
/// and `python`, or where that is empty the Python of VIRTUAL_ENV.
hosts::Places host_places(const std::string& python);

}  // namespace aftershock::sim::cli
