#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "reports/html/run_data.h"
#include "reports/results/run_store.h"

// `aftershock report`: a page to keep, send and print. A recording or a file of results holds all
// that is on it: the same files, the same bytes.
namespace aftershock::reports {

/// The kind of a file by its first bytes.
enum class ReportInput : std::uint8_t { kRecording, kResults, kOther };
/// The kind of the file that begins so; a dozen bytes are enough.
ReportInput kind_of_input(std::string_view beginning);

/// The page of one run; an empty title stands for the scenario's name, here and below.
std::string run_page(const RunData& run, const std::string& title = {});

/// The page of two runs that were read for a comparison, side by side.
std::string comparison_page(const RunData& first, const RunData& second,
                            const std::string& title = {});

/// A page, or why there is none, in words.
struct PageResult {
  std::string page;
  std::string problem;  ///< empty: there is a page
};

/// The page of many runs; a problem where the file of results breaks off. `path` is that file's.
/// Memory grows with the runs of a cell.
PageResult sweep_page(RunReader& reader, const std::string& path, const std::string& title = {});

}  // namespace aftershock::reports
