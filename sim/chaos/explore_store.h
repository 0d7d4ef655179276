#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reports/results/database.h"
#include "sim/chaos/failure.h"

namespace aftershock::sim::chaos {

/// How often something was covered.
struct Covered {
  std::int64_t runs = 0;
  std::uint64_t first_seed = 0;  ///< the smallest seed that covered it
};

/// A seed whose run failed.
struct FoundFailure {
  std::uint64_t seed = 0;
  Failure failure;
  bool known =
      false;  ///< it is documented of the system that the policy reproduces, or kNoScenario
};

/// A finished run, as a store is told of it.
struct FoundRun {
  std::string marks;
  std::optional<FoundFailure> failure{};
  std::uint8_t state = 0;  ///< its outcome, by a number of the search's own
  std::string why{};       ///< and why, where there is more to say
};

/// A run as the store keeps it.
struct KeptRun {
  std::uint64_t seed = 0;
  std::uint8_t state = 0;
  std::string why;
};

/// The file of a search: which seeds were run, what they covered, and which of them failed. Runs
/// told before the last commit survive when the writer is killed.
class ExploreStore {
 public:
  /// Opens the file, or makes it. `digest` is of all that decides what a seed's run is; `names` are
  /// what can be covered. An error in words where the file is of another search, is written by
  /// one, or is none: nothing is written to it then. While it is open nobody else opens it.
  static std::variant<ExploreStore, std::string> open(const std::string& path,
                                                      const std::string& digest,
                                                      const std::vector<std::string>& names);

  /// Whether the seed was run.
  [[nodiscard]] bool has(std::uint64_t seed) const;
  [[nodiscard]] std::int64_t runs() const { return runs_; }
  /// By name.
  [[nodiscard]] const std::vector<Covered>& covered() const { return covered_; }

  /// A run is there.
  void add(std::uint64_t seed, const FoundRun& run);
  /// Commits every run told since the last call.
  void commit();
  /// All runs, in order.
  std::vector<KeptRun> stored();
  /// All seeds that failed, in order.
  std::vector<FoundFailure> failures();
  /// The first problem, in words; empty: none.
  [[nodiscard]] const std::string& problem() const { return database_->problem(); }

 private:
  ExploreStore() = default;
  void read(std::size_t names);

  std::unique_ptr<reports::Database> database_;
  reports::Statement insert_run_;
  reports::Statement insert_failure_;
  reports::Statement update_mark_;
  std::vector<bool> has_;  ///< by seed; seeds count from 0
  std::int64_t runs_ = 0;
  std::vector<Covered> covered_;
  std::set<std::size_t> changed_;  ///< of `covered_`, since the last commit
};

}  // namespace aftershock::sim::chaos
