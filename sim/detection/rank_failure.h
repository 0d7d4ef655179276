#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "policies/api/events.h"

namespace aftershock::sim::detection {

/// Something wrong with some ranks, and from when on a look at them shows it.
struct RankFailure {
  policies::RankSet ranks;
  policies::WorkerFailure kind = policies::WorkerFailure::kException;
  std::int32_t exit_code = 0;
  bool preempted = false;
  std::string error;
  bool gone = true;      ///< these ranks will not go on in this attempt
  bool answers = false;  ///< their processes answer polls
  bool silent = false;   ///< they leave polls unanswered, and nothing shows why yet
  bool told = false;
  bool returned = false;     ///< it is none: they have returned before the others did
  bool vanished = false;     ///< gone without a word to those that wait for these ranks
  std::int64_t gone_us = 0;  ///< of peers that give up: when their processes are gone
  std::optional<std::int64_t> visible_us;  ///< none: nothing shows it yet
  std::optional<std::int64_t> seen_us;     ///< the poll that sees it, where that is settled
  std::uint32_t fault = 0;
  std::optional<std::uint32_t> node;       ///< lost with this node of the job's pool
  std::optional<std::uint32_t> hidden_on;  ///< shows once this node can be reached
};

}  // namespace aftershock::sim::detection
