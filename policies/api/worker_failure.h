#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "policies/api/fields.h"

namespace aftershock::policies {

/// How a worker failed, as far as a look at it shows.
enum class WorkerFailure : std::uint8_t {
  kException,          ///< user code raised; the process lives
  kExit,               ///< the process ended with `exit_code`
  kOutOfMemory,        ///< the process was killed for want of memory
  kNodeLost,           ///< the node that held it is gone, or is believed gone
  kAcceleratorFault,   ///< the process died of its accelerator
  kCollectiveTimeout,  ///< a collective operation gave up waiting for a peer
};
template <>
struct EnumNames<WorkerFailure> {
  static constexpr std::array<std::string_view, 6> kNames{
      "exception", "exit", "out_of_memory", "node_lost", "accelerator_fault", "collective_timeout"};
};

}  // namespace aftershock::policies
