#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reports/json/json_writer.h"
#include "sim/live/backend.h"

// The part of a plan that is about faults.
namespace aftershock::sim::live {

/// Durations of a scenario as drivers get them.
struct Seconds {
  double speed = 1;

  /// "KEY": seconds, divided by the speed; null for none.
  void member(reports::JsonWriter& json, std::string_view key,
              std::optional<std::int64_t> length_us) const {
    json.key(key);
    if (length_us) {
      constexpr double kSecondUs = 1e6;
      json.value(static_cast<double>(*length_us) / kSecondUs / speed);
    } else {
      json.value(nullptr);
    }
  }
};

/// Why a live run cannot have the fault; empty: it can.
std::string refused_fault(const scenario::FaultSpec& fault, Backend backend);

/// The fault at that place of the list, as an object.
void write_fault(reports::JsonWriter& json, const scenario::Scenario& scenario, std::size_t index,
                 const Seconds& seconds);

}  // namespace aftershock::sim::live
