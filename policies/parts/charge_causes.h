#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include "policies/api/decision.h"
#include "policies/api/events.h"
#include "policies/parts/agent_restarts.h"

namespace aftershock::policies {

/// The cause that the charge for a worker's failure names.
inline ChargeCause cause_of(const WorkersFailed& failed) {
  if (failed.preempted) {
    return ChargeCause::kPreemption;
  }
  switch (failed.kind) {
    case WorkerFailure::kNodeLost:
      return ChargeCause::kNode;
    case WorkerFailure::kAcceleratorFault:
      return ChargeCause::kDevice;
    case WorkerFailure::kCollectiveTimeout:
      return ChargeCause::kHang;
    case WorkerFailure::kException:
    case WorkerFailure::kExit:
    case WorkerFailure::kOutOfMemory:
      return ChargeCause::kApplication;
  }
  return ChargeCause::kApplication;
}

/// Takes up the counts that are under that name of a memory; values that are not counts are left
/// out.
inline void recall(AgentRestarts& restarts, const nlohmann::json& memory, const char* name) {
  restarts.used.clear();
  restarts.total = 0;
  if (!memory.is_object() || !memory.contains(name) || !memory[name].is_array()) {
    return;
  }
  for (const auto& count : memory[name]) {
    restarts.used.push_back(count.is_number_unsigned() ? count.get<std::int64_t>() : 0);
    restarts.total += restarts.used.back();
  }
}

}  // namespace aftershock::policies
