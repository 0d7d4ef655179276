#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "reports/recording/hash.h"
#include "sim/control/external/exchange.h"

namespace aftershock::sim::control {

/// How a run was made, where it was made in another way than usual.
struct RunHow {
  bool simgrid = false;                       ///< from its start
  std::optional<std::int64_t> max_entries{};  ///< of its calendar
  /// When triggers struck, as TriggerOffsets; none: what was said in the runs that told is there.
  std::optional<std::map<std::uint32_t, std::int64_t>> offsets_us{};
};

/// Puts down what is said to policies, a JSON object a line: first the scenario, then every message
/// with its answer, or why there is none, and a rolling hash of all so far, last how the run ended.
class TranscriptText {
 public:
  explicit TranscriptText(std::string_view scenario_json, const RunHow& how = {});

  /// Adds a message to the policy of that number, and its answer.
  void add(std::size_t policy, const Exchange& exchange);
  /// The text with its last line.
  std::string finish(std::string_view verdict, std::string_view hash) &&;

 private:
  std::string text_;
  reports::RollingHash hash_;
};

/// Whether a text that begins so is a transcript.
bool begins_transcript(std::string_view beginning);

/// A transcript as it was read.
struct Transcript {
  std::string scenario_json;
  RunHow how;
  Exchanges tape;
  std::size_t exchanges = 0;
  std::string verdict;  ///< of the run
  std::string hash;     ///< of the run; empty: it was cut short
};

/// Reads one; an error in words with the line. A line whose hash is another one was changed.
std::variant<Transcript, std::string> read_transcript(std::string_view text);

}  // namespace aftershock::sim::control
