#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <simdjson.h>

#include "reports/html/run_data.h"
#include "reports/recording/record.h"

// How RunData comes from records. A recording may come from anywhere: what is missing or of another
// type reads as nothing.
namespace aftershock::reports {

/// The text of a member, else nothing.
inline std::string text_at(simdjson::dom::element object, std::string_view key) {
  std::string_view text;
  return object[key].get_string().get(text) == simdjson::SUCCESS ? std::string(text)
                                                                 : std::string();
}

/// The whole number of a member.
inline std::optional<std::int64_t> whole_at(simdjson::dom::element object, std::string_view key) {
  std::int64_t number = 0;
  return object[key].get_int64().get(number) == simdjson::SUCCESS ? std::optional(number)
                                                                  : std::nullopt;
}

/// The truth value of a member, else another.
inline bool flag_at(simdjson::dom::element object, std::string_view key, bool otherwise) {
  bool flag = otherwise;
  return object[key].get_bool().get(flag) == simdjson::SUCCESS ? flag : otherwise;
}

/// Calls `take` with each element of the array of a member.
template <class Take>
void each_at(simdjson::dom::element object, std::string_view key, const Take& take) {
  simdjson::dom::array array;
  if (object[key].get_array().get(array) == simdjson::SUCCESS) {
    for (const simdjson::dom::element element : array) {
      take(element);
    }
  }
}

/// Adds what is not there yet.
template <class Value>
void add_once(std::vector<Value>& to, const Value& value) {
  if (std::ranges::find(to, value) == to.end()) {
    to.push_back(value);
  }
}

/// Takes the records of one recording in.
class RunGatherer {
 public:
  explicit RunGatherer(std::string path) { data_.path = std::move(path); }

  /// The next one; the header comes first.
  void add(const Record& record);
  /// All that came, once; `read` says how it ended.
  RunData finish(const ReadResult& read);

 private:
  struct OpenPhase {
    std::size_t part = 0;
    Bucket bucket = Bucket::kProductive;
    std::int64_t since_us = 0;
    std::int64_t cause = -1;  ///< a fault's number; below 0: no fault
  };

  void header(std::string_view text);
  void begin(const Record& record, simdjson::dom::element json);
  void end(const Record& record);
  void instant(const Record& record, simdjson::dom::element json);
  void counter(const Record& record, simdjson::dom::element json);
  void fault(const Record& record, simdjson::dom::element json);
  void decision(const Record& record, simdjson::dom::element json);
  void step(const Record& record, simdjson::dom::element json, simdjson::dom::element step,
            FaultStory* fault);
  BudgetChange move(const Record& record, simdjson::dom::element json, PartStory* part);
  void ledger(const Record& record, simdjson::dom::element json);
  void summary(simdjson::dom::element json);
  void part_summary(simdjson::dom::element json, const std::string& on);

  void end_phase(const OpenPhase& open, std::int64_t t_us);
  void rolled_back(const Record& record, simdjson::dom::element json);

  FaultStory* fault_numbered(std::int64_t number);
  PartStory* part_on(std::string_view on);
  FaultStory* fault_named(const std::string& id);
  std::uint32_t rule_named(const std::string& id);

  RunData data_;
  simdjson::dom::parser parser_;
  std::map<std::string, std::size_t, std::less<>> parts_;
  std::map<std::string, std::size_t> faults_;  ///< the last of each id
  std::map<std::string, std::uint32_t> rules_;
  std::map<std::string, std::pair<std::string, std::string>> rule_words_;
  std::map<std::int64_t, std::size_t> numbers_;  ///< of faults that struck
  std::map<std::uint64_t, OpenPhase> phases_;
  /// The interruption of a job's or trial's training: the first fault that a phase had since.
  std::map<std::string, std::int64_t, std::less<>> interrupted_by_;
  bool accounted_ = false;
};

}  // namespace aftershock::reports
