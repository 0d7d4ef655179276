#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/recording/record.h"

namespace aftershock::reports {

/// The words of a run's record in exported files: valid UTF-8, no control characters.
struct SpanWords {
  std::string lane;       ///< the subject: "job:llm"
  std::string_view part;  ///< the part of it: "phases", "faults", ...
  std::string kind;       ///< the recording's word: "training", "decision", ...
  std::string what;       ///< for people
  std::string number;     ///< of the attempt or checkpoint, as digits; else empty
  std::string fault;      ///< id of the fault that it tells of, or that caused it
  std::string detail;
  std::optional<std::int64_t> fault_number;  ///< the same by its number
};

/// Puts records into words; keeps the ids of faults by their numbers.
class RecordWords {
 public:
  /// Of a begin, an instant, a decision or a fault.
  SpanWords of(const Record& record);

 private:
  std::map<std::int64_t, std::string> faults_;   ///< ids by number
  std::map<std::string, std::int64_t> numbers_;  ///< numbers by id
};

}  // namespace aftershock::reports
