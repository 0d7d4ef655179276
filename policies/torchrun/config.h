#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "policies/api/config.h"
#include "policies/api/entry.h"
#include "policies/parts/configured.h"

namespace aftershock::policies::torchrun {

/// A checked configuration: torchrun's command line, and its --rdzv-conf.
struct Config {
  std::uint32_t max_restarts = 0;
  std::uint32_t nproc_per_node = 1;
  std::optional<std::uint32_t> min_nodes{};  ///< none: the size does not change
  bool store_on_first_node = true;           ///< c10d; that of etcd is elsewhere
  bool joins_are_seen = true;                ///< false: a static rendezvous, which tells nobody
  bool shares_store = false;                 ///< workers use the agents' store (kSharedStore)
  std::string_view profile = "2026-08";      ///< one of kProfiles
  std::uint64_t seed = 0;                    ///< of what is drawn
  DurationUs monitor_interval_us = 100'000;
  DurationUs join_timeout_us = 600 * kSecondUs;
  DurationUs last_call_timeout_us = 30 * kSecondUs;
  DurationUs exit_barrier_timeout_us = 300 * kSecondUs;
};

/// The result of reading a configuration.
using ConfigReading = Reading<Config>;

/// Reads the configuration (modelarts.md 8.1). The environment has nothing that is read.
ConfigReading read_config(const PolicyRequest& request);

/// The settings, as `policies show` prints them.
std::vector<Parameter> parameters();

/// Builds the policy of a request whose name is "torchrun".
MakeResult make(const PolicyRequest& request);

/// Its entry among the shipped policies.
PolicyEntry entry();

/// PyTorch 2.6 to 2.15 as shipped: workers use the agents' store, whose keys outlive a restart.
inline constexpr std::string_view kSharedStore = "shared_store";

/// The profiles, default first: whose PyTorch is followed. The first has the store not shared, as
/// TORCH_DISABLE_SHARE_RDZV_TCP_STORE=1 has it.
inline constexpr std::array<std::string_view, 2> kProfiles{"2026-08", kSharedStore};

}  // namespace aftershock::policies::torchrun
