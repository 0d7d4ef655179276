#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/many/compare_request.h"
#include "sim/sweep/other_build.h"
#include "sim/sweep/process_pool.h"
#include "sim/sweep/temporary_folder.h"

// Shared parts of the ways of comparing runs.
namespace aftershock::sim::cli {

/// A folder for recordings: beside the results where they are kept, else one that goes with this.
class RecordingFolder {
 public:
  /// `out`: the file of results; empty: nothing is kept.
  explicit RecordingFolder(const std::string& out);
  ~RecordingFolder();
  RecordingFolder(const RecordingFolder&) = delete;
  RecordingFolder& operator=(const RecordingFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool kept() const { return kept_; }
  /// Why there is none, in words; empty: there is one.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  std::optional<sweep::TemporaryFolder> temporary_;
  std::string path_;
  std::string problem_;
  bool kept_;
};

/// All rows by cell, in order; none, with a word on standard error, where they cannot be read.
std::optional<reports::CellRows> rows_by_cell(reports::RunStore& store);

/// Of two cells the recordings of one replica, or why there are none.
using RecordPair = std::function<std::variant<std::vector<std::string>, sweep::NotRun>(
    std::uint32_t second, std::uint32_t replica)>;

/// The comparison to tell.
struct Told {
  reports::Comparison comparison;
  reports::CellRows rows;
  bool exact = false;  ///< runs should be the same: decisions are compared step by step
  bool kept = false;   ///< recordings stay
};

/// Prints all of it; the exit code of the worst run.
int tell(const CompareArguments& arguments, const CompareRequest& request, const Told& told,
         const RecordPair& record);

}  // namespace aftershock::sim::cli
