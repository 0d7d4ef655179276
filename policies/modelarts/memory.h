#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "policies/api/fields.h"
#include "policies/api/ids.h"
#include "policies/modelarts/pod_counts.h"

namespace aftershock::policies::modelarts {

/// Faults of one code on one chip, for the rule of three in 24 h.
struct ChipHistory {
  NodeId node = 0;
  std::uint32_t accelerator = 0;
  std::string code{};
  std::vector<TimeUs> times{};
  static constexpr auto fields(auto list) {
    return list(field("node", &ChipHistory::node), field("accelerator", &ChipHistory::accelerator),
                field("code", &ChipHistory::code), field("times", &ChipHistory::times));
  }
};

/// A node that this job had isolated.
struct IsolatedNode {
  NodeId node = 0;
  TimeUs since_us = 0;
  static constexpr auto fields(auto list) {
    return list(field("node", &IsolatedNode::node), field("since_us", &IsolatedNode::since_us));
  }
};

/// The control plane's memory of a job beyond the moment: all of it survives where its state does
/// (modelarts.md 2.3, 3).
struct Memory {
  Epoch epoch = 0;
  std::uint32_t workers = 0;
  std::uint32_t job_retries = 0;         ///< of job-retry-num
  std::uint32_t pod_retries = 0;         ///< of pod-retry-num
  std::uint32_t unconditional_runs = 0;  ///< unconditional reschedulings in a row
  std::uint32_t hang_runs = 0;           ///< hang restarts in a row
  std::string last_exit{};               ///< the look of the last plain exit
  std::string held_exit{};               ///< and the one that is held, or was last
  TimeUs held_until_us = 0;              ///< 0: none is
  PodCounts pods{};
  PodCounts pods_before{};  ///< pods are made anew: what holds if no node is found for them
  std::vector<ChipHistory> chips{};  ///< by node, accelerator, code
  std::vector<IsolatedNode> isolated{};
  static constexpr auto fields(auto list) {
    return list(
        field("epoch", &Memory::epoch), field("workers", &Memory::workers),
        field("job_retries", &Memory::job_retries), field("pod_retries", &Memory::pod_retries),
        field("unconditional_runs", &Memory::unconditional_runs),
        field("hang_runs", &Memory::hang_runs), field("last_exit", &Memory::last_exit),
        field("held_exit", &Memory::held_exit), field("held_until_us", &Memory::held_until_us),
        field("pods", &Memory::pods), field("pods_before", &Memory::pods_before),
        field("chips", &Memory::chips), field("isolated", &Memory::isolated));
  }
};

/// As a persist stores it.
nlohmann::json to_json(const Memory& memory);

/// None where the text is not what to_json() gave.
std::optional<Memory> memory_from_text(std::string_view text);

}  // namespace aftershock::policies::modelarts
