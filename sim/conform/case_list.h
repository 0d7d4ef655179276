#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/conform/kind.h"

namespace aftershock::sim::conform {

/// A documented difference between port and installed code.
struct Known {
  std::string why;          ///< in words; empty: none is documented
  std::vector<Kind> kinds;  ///< that differ for it; empty: any may
};

/// A scenario on which both are compared.
struct Case {
  std::string scenario;     ///< the path of its file
  std::uint32_t seeds = 0;  ///< seeds 1 to this; 0: the scenario's own alone
  /// In their place so many sequences of random faults on its first job, counted from 0.
  std::uint32_t sequences = 0;
  Known known;
  /// In the place of both the cells of its matrix, counted from 0, as `matrix --cell` takes them.
  std::vector<std::string> cells{};
};

/// How often a case is run, at least once.
std::uint32_t runs_of(const Case& one);
/// The seed of its first run; none: the scenario's own.
std::optional<std::uint64_t> first_seed(const Case& one);

/// The scenarios on which a family's port is held to the installed code.
struct CaseList {
  std::string policy;
  std::string profile;  ///< of the port
  std::vector<Case> cases;
};

/// Reads {"policy", "profile", "cases": [{"scenario", "seeds" or "sequences", "differs"}]}, where
/// "differs" is the reason in words, or {"why", "kinds"}; or what is wrong with it, with the place.
std::variant<CaseList, std::string> read_case_list(std::string_view text);

}  // namespace aftershock::sim::conform
