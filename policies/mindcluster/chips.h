#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "policies/api/device_events.h"
#include "policies/api/fields.h"
#include "policies/device_codes/device_code.h"
#include "policies/mindcluster/config.h"

// How grave a chip's fault is, by its code and by how often it came (modelarts.md 6.1, 6.2).
namespace aftershock::policies::mindcluster {

/// When one code was reported of one chip.
struct CodeHistory {
  NodeId node = 0;
  std::uint32_t accelerator = 0;
  std::string code{};
  std::vector<TimeUs> plugin{};    ///< in the device plugin's window
  std::vector<TimeUs> clusterd{};  ///< in ClusterD's window
  bool latched = false;            ///< the device plugin has upgraded it
  TimeUs last_us = 0;
  static constexpr auto fields(auto list) {
    return list(field("node", &CodeHistory::node), field("accelerator", &CodeHistory::accelerator),
                field("code", &CodeHistory::code), field("plugin", &CodeHistory::plugin),
                field("clusterd", &CodeHistory::clusterd), field("latched", &CodeHistory::latched),
                field("last_us", &CodeHistory::last_us));
  }
};

/// Faults of all chips, by node, accelerator and code.
using Histories = std::vector<CodeHistory>;

/// The source of a fault's level.
enum class Why : std::uint8_t { kList, kUnlisted, kRelation, kFrequency, kManual };

/// A level, and what it comes from.
struct Judgement {
  HandlingLevel level = HandlingLevel::kNotHandleFault;
  Why why = Why::kList;
  /// A manual separation is released after so long without a fault; none: at the chip's repair, or
  /// by hand.
  std::optional<DurationUs> released_after_us{};
};

/// Takes in a report and judges it: the most serious of the list, the device plugin's frequency
/// rule, relations with what the chip reported in the last 300 s, and ClusterD's manual separation.
Judgement judge(const Config& config, Histories& histories, const DeviceFault& fault, TimeUs at_us);

/// How long a code must last to come to a higher level; none: it never does by that.
std::optional<DurationRule> duration_of(const DeviceFault& fault);

/// Whether the same code came on another device within 30 s before: then it is software's.
bool is_software(const Histories& histories, const DeviceFault& fault, TimeUs at_us);

}  // namespace aftershock::policies::mindcluster
