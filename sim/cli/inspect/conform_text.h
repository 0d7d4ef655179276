#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sim/cli/inspect/conform_runs.h"

namespace aftershock::sim::cli {

/// All that a comparison tells.
struct ToldComparison {
  const ConformRequest* request = nullptr;
  conform::Comparison comparison;
  std::vector<conform::ComparedRun> runs;
  std::vector<ProfileFit> fits;  ///< of the other profiles, where the runs differ beyond the list
};

/// In words, with a table by kind of difference.
std::string conform_text(const ToldComparison& told);
/// The table in Markdown.
std::string conform_markdown(const ToldComparison& told);
/// The rows of that table, for CSV: {kind, differ, listed, scenario, seed, pointer, port,
/// installed}.
nlohmann::ordered_json conform_rows(const ToldComparison& told);
/// All of it, with every difference.
nlohmann::ordered_json conform_json(const ToldComparison& told);

}  // namespace aftershock::sim::cli
