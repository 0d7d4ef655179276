#pragma once

#include <memory>
#include <string>

#include "sim/sweep/crew.h"

namespace aftershock::sim {

/// What workers need to know beside the plan.
struct CrewOptions {
  std::uint32_t workers = 1;
  std::string folder;  ///< of recordings
};

/// Workers that are forked from this process, which must have no other threads. While the crew
/// lives SIGINT and SIGTERM come as news; when it goes its workers are killed, as they are when
/// this process is.
std::unique_ptr<Crew> make_process_crew(const Plan& plan, const CrewOptions& options);

}  // namespace aftershock::sim
