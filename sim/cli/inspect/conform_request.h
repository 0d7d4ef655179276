#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/cli/scenario_options.h"
#include "sim/conform/case_list.h"
#include "sim/conform/record.h"

namespace aftershock::sim::cli {

/// The arguments of `policies conform`, as they were written.
struct ConformArguments {
  std::vector<std::string> words;  ///< NAME[@PROFILE], then scenarios
  ScenarioOptions source;          ///< of which it takes those that say who decides
  std::string list;
  std::string seeds;
  std::string sequences;
  bool matrix = false;
  std::string jobs;
  std::string record;    ///< a folder; empty: nothing is kept
  std::string recorded;  ///< a folder; empty: the installed code is run
};

/// The same, understood.
struct ConformRequest {
  conform::CaseList list;          ///< the cases to compare
  std::vector<std::string> paths;  ///< of their scenarios, as they can be opened
  bool whole = false;              ///< all cases of a list, with their own seeds
  std::uint32_t workers = 1;
  scenario::ReadOptions port;
  scenario::ReadOptions installed;
  std::optional<conform::Record> recorded;  ///< in the place of `installed`
  bool hosted = false;                      ///< the installed code is run by a host of ours
  bool keeps_views = false;                 ///< of all runs, not of those alone that differ
  bool shows_progress = true;
  std::string installed_title;  ///< "ray 2.60.0", or how the program was started
};

/// The request; or the exit code where there is nothing to compare, which was said.
std::variant<ConformRequest, int> understood(const ConformArguments& arguments);

/// The changes that make every job's policy the port's with this profile.
scenario::ReadOptions port_options(const std::string& name, const std::string& profile);

}  // namespace aftershock::sim::cli
