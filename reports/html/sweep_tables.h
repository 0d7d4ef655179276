#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "reports/html/markup.h"
#include "reports/html/sweep_data.h"
#include "reports/results/metrics.h"
#include "reports/results/run_store.h"

// The tables of a page of many runs.
namespace aftershock::reports {

/// Whether a column holds microseconds, as its name says.
bool is_time(std::string_view column);
/// The metric of a column; null for a pointer's.
const Metric* metric_of(std::string_view column);
/// A value of a column in words.
std::string value_text(std::string_view column, double value);
/// An estimate of a column, and under it its interval, as markup.
std::string estimate_markup(std::string_view column, const Estimate& estimate);
/// The name of a cell: its label, if it has one.
std::string cell_name(const StoreHeader& header, const SweepData& data, std::size_t cell);

/// A line a cell: shares, means and their intervals.
void write_cells(Html& html, const StoreHeader& header, const SweepData& data);
/// Each cell against the first, metric by metric; nothing where there is one cell.
void write_differences(Html& html, const StoreHeader& header, const SweepData& data);
/// The runs that went most wrong, with the commands that show them.
void write_worst_runs(Html& html, const StoreHeader& header, const SweepData& data,
                      const std::vector<RunReader::Kept>& kept);

}  // namespace aftershock::reports
