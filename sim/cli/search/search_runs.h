#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sim/chaos/explore.h"

// Shared parts of the commands whose runs go into the file of a search.
namespace aftershock::sim::cli {

/// A search as the command line has it.
struct SearchArguments {
  std::string out;    ///< its file; one of the same search goes on
  std::string limit;  ///< how long; empty: until all runs are made
  std::string jobs;   ///< worker processes; empty: one for each processor
  std::uint64_t runs = 0;
  bool quiet = false;  ///< nobody is shown how far it is
};

/// Opens the file and makes the runs that it does not have, with `make`. The file, or the exit code
/// with a word on standard error.
std::variant<chaos::ExploreStore, int> search_runs(
    const SearchArguments& arguments, const sweep::Plan& plan, const std::string& digest,
    const std::vector<std::string>& names,
    const std::function<chaos::ExploreResult(chaos::ExploreStore&, sweep::WorkerPool&,
                                             const chaos::ExploreOptions&)>& make);

/// Failures by what they are, the documented ones behind the others, with how many runs have each
/// and what prints the first: `command` of its number.
std::string failures_text(chaos::ExploreStore& store,
                          const std::function<std::string(std::uint64_t number)>& command);

/// {number, id, words, known} of each; `number_key`: how the first is called.
nlohmann::ordered_json failures_json(chaos::ExploreStore& store, std::string_view number_key);

/// Of the worst verdict among the failures that are not documented: 6 where a worker died, 5 where
/// a policy failed, 1 of any other; else 0.
int search_exit_code(chaos::ExploreStore& store);

}  // namespace aftershock::sim::cli
