#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sim/conform/case_list.h"
#include "sim/sweep/plan.h"

namespace aftershock::sim::cli {

/// The names of the cells that a matrix of that scenario's first job runs, as the port decides it;
/// none, with a word on standard error.
std::optional<std::vector<std::string>> cells_of_matrix(const std::string& path,
                                                        const scenario::ReadOptions& port);

/// A case as cells of plans: whoever decides in a cell, its runs meet the same faults.
class CaseCells {
 public:
  /// Reads the scenario as the port decides it; none, with its errors on standard error.
  static std::optional<CaseCells> read(const conform::Case& one, const std::string& path,
                                       const scenario::ReadOptions& port);

  [[nodiscard]] const sweep::PlannedCell& port() const { return port_; }
  /// The cell as another one decides it. `says`: errors go to standard error.
  [[nodiscard]] std::optional<sweep::PlannedCell> decided_by(const scenario::ReadOptions& other,
                                                             bool says) const;
  /// The digest of what decides the case's run of that seed, but for the seed and the port's
  /// profile: the scenario, or the one that is drawn.
  [[nodiscard]] std::string digest(std::uint64_t seed) const;

 private:
  conform::Case case_;
  std::string path_;
  sweep::PlannedCell port_;
  /// The scenario of a seed, as runs of the port made it, in the place of the file's own.
  std::function<nlohmann::ordered_json(std::uint64_t)> drawn_;
};

}  // namespace aftershock::sim::cli
