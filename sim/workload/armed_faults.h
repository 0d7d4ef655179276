#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "policies/api/events.h"

namespace aftershock::sim::workload {

/// An upload that is going to fail, or a report that is going to go wrong.
struct ArmedFault {
  std::uint32_t fault = 0;
  std::uint32_t rank = 0;
  std::uint32_t times = 1;  ///< uploads left to fail
  std::string error;
};

/// A message as it came, and the attempt that it was about.
struct PastMessage {
  policies::Epoch epoch = 0;
  policies::Event event;
};

/// A message that is still under way to the controller, or is to come twice.
struct LateMessage {
  std::uint32_t fault = 0;
  std::optional<policies::Event> event;  ///< none: the next one of the kind has yet to come
};

/// Faults of one job that have struck and wait for something to meet: by their numbers.
struct ArmedFaults {
  std::vector<ArmedFault> upload_errors;
  std::optional<ArmedFault> divergent;
  std::optional<std::uint32_t> unshared;         ///< keeps its nodes from one storage
  std::optional<std::uint32_t> torn_upload;      ///< meets its next upload
  std::optional<std::uint32_t> held_by;          ///< its transfer waits for the end of this one
  std::optional<std::uint32_t> spoilt_snapshot;  ///< meets the next write of it
  std::optional<std::uint32_t> shutdown_error;   ///< meets the next shutdown of a group
  std::optional<std::uint32_t> interrupt;        ///< a user's stop
  /// The last messages that came, by MessageKind; then the last of an attempt before that.
  std::array<std::optional<PastMessage>, 8> past;
  std::vector<LateMessage> late;  ///< that are still to come
};

}  // namespace aftershock::sim::workload
