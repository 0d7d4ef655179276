#pragma once

#include <optional>
#include <string>

#include "sim/cli/inspect/conform_runs.h"
#include "sim/conform/record.h"

namespace aftershock::sim::cli {

/// The digest of the program that hosts the family, in hexadecimal; empty where there is none.
std::string host_digest(const std::string& name);

/// The record of --recorded; none, with a word on standard error, where it cannot be used. Says
/// there, too, where another host made it than the one that is here.
std::optional<conform::Record> recorded_runs(const std::string& folder, const std::string& name);

/// Writes what the installed code gave into the folder of --record; false, with a word on standard
/// error, where that cannot be.
bool write_record(const std::string& folder, const ConformRequest& request,
                  const ConformRuns& made);

}  // namespace aftershock::sim::cli
