#pragma once

#include <string>

#include "reports/recording/reader.h"
#include "reports/render/trace_writer.h"

namespace aftershock::reports {

/// Writes a recording as a trace, in one pass over it: below a track for each job, node and pool
/// one for each part of it (and more for spans that are there at the same time), and its counters.
/// Arrows lead from a fault to what it brought about. A span that was never ended lasts until the
/// last record, and says so. How the reading ended; kStopped where the writer's sink refused.
ReadResult write_trace(const std::string& path, TraceWriter& writer);

/// Writes a recording's spans, instants, faults and decisions as a table, in the order of their
/// beginnings, a line each with the line of the recording. A span that was never ended has no end.
ReadResult write_trace_csv(const std::string& path, const ByteSink& sink);

}  // namespace aftershock::reports
