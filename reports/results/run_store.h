#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "reports/results/database.h"
#include "reports/results/run_row.h"

// The results of many runs: one SQLite file, a row per run (design.md 6). Nothing of host time
// is in it but the table `trouble`: two files of the same sweep have the same rows.
namespace aftershock::reports {

/// Runs that differ in nothing but their seeds.
struct Cell {
  std::string label;   ///< its difference from the others, for people
  std::string policy;  ///< name@profile of its first job
  /// The changes for it: JSON Pointer, and the value as written.
  std::vector<std::pair<std::string, std::string>> parameters;

  bool operator==(const Cell&) const = default;
};

/// The header of a file of results.
struct StoreHeader {
  std::string scenario;  ///< its name
  std::string path;      ///< of the scenario file, as it was given
  std::string flags;  ///< that changed it for all cells, as a shell takes them, each behind a blank
  std::string version;           ///< of the program, with its commit
  std::string text;              ///< the scenario's, after `extends` and what holds for every cell
  std::uint64_t digest = 0;      ///< of all that decides what the rows are, their number apart
  std::uint64_t first_seed = 1;  ///< replica n has seed first_seed + n
  std::uint32_t replicas = 0;    ///< asked for, of each cell
  std::string until;             ///< the stop rule; empty: none
  std::string keep;              ///< which runs left recordings, as asked for; empty: none
  std::vector<std::string> pointers;  ///< columns beside metrics()
  std::vector<Cell> cells;
  std::uint32_t shard = 1;  ///< which of `shards`
  std::uint32_t shards = 1;

  bool operator==(const StoreHeader&) const = default;
};

/// Why no new file of results can be made under that name, in words; none: it can.
std::optional<std::string> no_new_file(const std::string& path);

/// A file of results that is being written, by one process at a time.
class RunStore {
 public:
  /// Makes a new file. An error in words where there is one already, or none can be made.
  static std::variant<RunStore, std::string> create(const std::string& path,
                                                    const StoreHeader& header);
  /// Goes on with a file, whose header may be another one; an empty one, whose writer was killed
  /// before it had begun, gets this header. An error in words where the file does not hold results,
  /// or is being written.
  static std::variant<RunStore, std::string> resume(const std::string& path,
                                                    const StoreHeader& header);

  [[nodiscard]] const StoreHeader& header() const { return header_; }
  /// For a sweep that goes on with another number of runs.
  void set_replicas(std::uint32_t replicas);

  /// For a sweep that keeps other recordings from now on: forgets those that were.
  void set_keep(const std::string& keep);

  /// All rows so far, as RunReader gives them.
  std::optional<std::string> each(const std::function<bool(RunRow&&)>& take);
  /// Adds a row, or replaces it. It is safe on disk after the next `commit`.
  void add(const RunRow& row);
  /// A worker that died over a run, and how, for people.
  void trouble(std::uint32_t cell, std::uint32_t replica, const std::string& what);
  /// A recording that was kept.
  void recording(std::uint32_t cell, std::uint32_t replica, const std::string& path);
  /// Takes away what a stop rule did not ask for: replicas from `replica` on.
  void drop_from(std::uint32_t replica);
  void commit();
  /// Every run is there: commits that, too.
  void finish();

  /// The first problem, in words: rows may be missing then.
  [[nodiscard]] const std::string& problem() const { return database_->problem(); }

 private:
  RunStore() = default;
  void prepare();

  StoreHeader header_;
  std::unique_ptr<Database> database_;
  Statement insert_;
};

/// A file of results that is read. Anybody may have written it: what cannot be is an error in words
/// with its place, and no more is read than the file holds.
class RunReader {
 public:
  /// An error in words where the file does not hold results.
  static std::variant<RunReader, std::string> open(const std::string& path);

  [[nodiscard]] const StoreHeader& header() const { return header_; }
  /// Every run that was asked for is there.
  [[nodiscard]] bool complete() const { return complete_; }

  /// All rows, by cell and replica; false from `take` ends it. An error in words where the file
  /// breaks off.
  std::optional<std::string> each(const std::function<bool(RunRow&&)>& take);
  /// The problem that a worker died over.
  struct Trouble {
    std::uint32_t cell = 0;
    std::uint32_t replica = 0;
    std::string what;
  };
  /// All of them, by cell and replica.
  [[nodiscard]] const std::vector<Trouble>& troubles() const { return troubles_; }
  /// A recording that was kept.
  struct Kept {
    std::uint32_t cell = 0;
    std::uint32_t replica = 0;
    std::string path;
  };
  /// All of them, by cell and replica.
  [[nodiscard]] const std::vector<Kept>& recordings() const { return recordings_; }

 private:
  RunReader() = default;
  std::optional<std::string> read_lists();

  StoreHeader header_;
  bool complete_ = false;
  std::vector<Trouble> troubles_;
  std::vector<Kept> recordings_;
  std::unique_ptr<Database> database_;
};

}  // namespace aftershock::reports
