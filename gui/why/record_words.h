#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/json/json_value.h"

namespace aftershock::gui {

/// One thing that a record says, both parts not yet fit to be shown: see display_text.
struct Told {
  std::string name;       ///< "attempt", "work lost"
  std::string value;      ///< with its unit: "00:30:00", "2 TB", "0-31, 40"
  bool is_fault = false;  ///< it is what the span has for its cause, where that is known
};

/// The facts in the record of a span or an instant beside its time, place and kind, in the order of
/// its members' names. Members that stand for nothing (empty, null, false) are left out.
std::vector<Told> told_by(const reports::JsonValue& record);

/// The cause that a number below 0 stands for: "the policy", "a checkpoint"; empty for others.
std::string common_cause(std::int64_t number);

/// "512 B", "1.5 kB", "2 TB": as scenarios have it, in powers of 1000.
std::string bytes_words(std::int64_t bytes);

}  // namespace aftershock::gui
