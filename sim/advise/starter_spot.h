#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "sim/advise/starter.h"

namespace aftershock::sim::advise {

/// Machines that a market takes back, as a scenario to start from has them.
struct StarterSpot {
  std::uint32_t nodes = 0;       ///< of the whole reservation
  double preemptions_a_day = 0;  ///< of all of them
  std::string rate;              ///< the same, as a failure rate of a node
  std::string notice;            ///< empty: none
  std::string provision;
  std::int64_t provision_s = 0;
  SpotRequest asked;  ///< a member that is not empty was told, all else has a default
};

/// An error names the flag whose number is none.
std::variant<StarterSpot, std::string> starter_spot(const SpotRequest& asked, std::uint32_t nodes);

/// The members of its pool, with a comma behind each. `max_nodes`: 0 where its nodes are no more
/// than those that are asked for.
std::string spot_pool_text(const StarterSpot& spot, std::int64_t max_nodes);
/// The fault that takes machines back, as an element of the scenario's faults.
std::string spot_fault_text(const StarterSpot& spot, const std::string& pool);

/// Prices of a node an hour, as it is and where nobody takes it back.
inline constexpr const char* kSpotPrices =
    R"("price_per_node_hour": 12.8, "reserved_price_per_node_hour": 32.0)";
/// By those prices: the share of useful work below which as many reserved machines do the same for
/// less, and the price of a reserved accelerator-hour, since machines that come beside those that
/// were asked for are paid as well.
inline constexpr const char* kSpotPromise = "useful > 40%";
inline constexpr const char* kSpotLimit = "cost_per_useful_hour < 4";

/// Where each of its numbers is from.
std::vector<std::string> spot_notes(const StarterSpot& spot);

}  // namespace aftershock::sim::advise
