#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/check/report.h"

namespace aftershock::sim {

/// Whether a path has the name of a recording: it ends in .aftershock or .aftershock.zst.
bool named_as_recording(const std::filesystem::path& path);

/// Adds each recording to the report, once: the verdict that its run came to by the conditions of
/// its scenario. Real processes do not come again, and so nothing is run. One that cannot be read,
/// or that ends before its verdict, is a file that cannot be used.
void check_recordings(const std::vector<std::filesystem::path>& files,
                      reports::CheckReport& report);

}  // namespace aftershock::sim
