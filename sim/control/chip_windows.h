#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "policies/api/events.h"
#include "policies/api/pod_terms.h"

// Faults of chips as their reports come in: what they ask for, and how often they came
// (modelarts.md 1.1, 1.2; rule 8 of section 4). Counted apart from the policy, to be held against
// it.
namespace aftershock::sim::control {

/// The reaction that a chip fault calls for by itself.
enum class ChipMeaning : std::uint8_t {
  kNothing,
  kHeals,     ///< it can be healed in place
  kIsolates,  ///< it cannot
};

/// By the configuration, else by what the device says, else by the catalogue.
ChipMeaning meaning_of(const policies::PodTerms& terms, const policies::DeviceFault& fault);

/// Whether users cause this code (modelarts.md 1.1, D3).
bool is_user_code(std::string_view code);

/// Node, accelerator and code.
using ChipKey = std::tuple<policies::NodeId, std::uint32_t, std::string>;

/// The third report of one code on one chip within 24 h.
struct ThirdFault {
  std::uint16_t at = 0;  ///< index of the event in its batch
  ChipKey key;
};

/// When faults that heal were reported, of every chip and code.
struct ChipWindows {
  std::map<ChipKey, std::vector<policies::TimeUs>> times;  ///< the newest three
  std::vector<ThirdFault> third;                           ///< of the batch that is answered
  std::set<ChipKey> over;  ///< not to be healed in place again, until pods are scheduled
  /// The controller's memory may not reach back further.
  policies::TimeUs remembered_since_us = 0;
};

/// Takes in the report of a fault that heals; event `at` of a batch of `t_us`. True: it is the
/// third within 24 h.
bool count_report(ChipWindows& windows, const policies::PodTerms& terms,
                  const policies::DeviceFault& fault, policies::TimeUs t_us, std::uint16_t at);

/// Whether event `at` is such a third one; the policy says that it took it for one.
bool took_as_third(ChipWindows& windows, const policies::PodTerms& terms, std::uint16_t at);

/// Pods are scheduled.
void forget_what_passed(ChipWindows& windows, const policies::PodTerms& terms);

}  // namespace aftershock::sim::control
