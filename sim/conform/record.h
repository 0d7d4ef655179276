#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/conform/view.h"

namespace aftershock::sim::conform {

/// A run of the installed code, kept.
struct RecordedRun {
  std::string scenario;  ///< the path of its file, as the list has it
  std::uint64_t seed = 0;
  std::string digest;  ///< of the scenario, but for what does not change its run
  View view;
};

/// The runs of the installed code, for machines that do not have it.
struct Record {
  std::string policy;
  std::string installed;  ///< the package and its version: "ray 2.60.0"
  std::string host;       ///< a digest of the host's program; empty: there was none
  std::vector<RecordedRun> runs;

  /// The run of a scenario with a seed, of which a sequence may have the number, too: that of the
  /// digest, else one of another; null: it was not recorded.
  [[nodiscard]] const RecordedRun* find(std::string_view scenario, std::uint64_t seed,
                                        std::string_view digest) const;
};

/// The record as lines of JSON: what it is of, then a run a line.
std::string record_text(const Record& record);

/// The record again; or what is wrong with the text, with the line.
std::variant<Record, std::string> read_record(std::string_view text);

}  // namespace aftershock::sim::conform
