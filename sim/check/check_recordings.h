#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/check/report.h"

namespace aftershock::sim::check {

/// Adds each recording to the report, once: the verdict that its run came to by the conditions of
/// its scenario. Real processes do not come again, and so nothing is run. One that cannot be read,
/// or that ends before its verdict, is a file that cannot be used.
void check_recordings(const std::vector<std::filesystem::path>& files,
                      reports::CheckReport& report);

}  // namespace aftershock::sim::check
