#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "reports/compare/decisions.h"
#include "sim/conform/kind.h"

namespace aftershock::sim::conform {

/// The part of a run that two controllers of a family must give alike: an object with a member for
/// each kind. Names of rules, which each has of its own, are not in it, nor are moves of budgets
/// that a port notes as exempt, nor polls that decide nothing.
using View = nlohmann::ordered_json;

/// The view of a run: of its summary as reports::to_json gives it, and of all its decisions.
View view_of(const nlohmann::ordered_json& summary, const reports::Decisions& decisions);

/// How much there is to compare in a view.
struct Counts {
  std::uint64_t decisions = 0;
  std::uint64_t charges = 0;
};
/// The counts of a view; zero for what is none.
Counts counts_of(const View& view);

/// The first place at which two views differ within a kind.
struct Difference {
  Kind kind = Kind::kOutcome;
  std::string pointer;  ///< JSON Pointer into both views
  View port;            ///< null: it has nothing there
  View installed;       ///< the same

  bool operator==(const Difference&) const = default;
};

/// The first difference of each kind that differs, in the order of kKinds.
std::vector<Difference> differences(const View& port, const View& installed);

}  // namespace aftershock::sim::conform
