#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gui/trace/trace.h"

namespace aftershock::gui {

/// The unit of a line's values.
enum class CostUnit : std::uint8_t {
  kTime,    ///< microseconds
  kCount,   ///< how many
  kShare,   ///< tenths of a percent
  kAmount,  ///< hundredths of whatever the scenario counts money in
  kWord,    ///< texts, with a rank for a value
};

/// Which way a value is good.
enum class Better : std::uint8_t { kLess, kMore, kNeither };

/// The judgement of B against A.
enum class Judgement : std::uint8_t {
  kSame,
  kBetter,
  kWorse,
  kDiffers,  ///< and neither is better
  kUnknown,  ///< at least one run does not say
};

/// Something that two runs are measured by.
struct CostLine {
  std::string entity;      ///< "job:llm"; empty: the whole run
  std::string what;        ///< "lost work"; of a bucket its name
  bool is_bucket = false;  ///< of the ledger, else a headline
  CostUnit unit = CostUnit::kTime;
  Better better = Better::kNeither;
  std::optional<std::int64_t> a = std::nullopt;
  std::optional<std::int64_t> b = std::nullopt;
  /// The words for the values: text, or a number with its meaning ("3/3 ✗").
  std::string words_a = {};
  std::string words_b = {};
  std::string note_a = {};  ///< more words, where there is room
  std::string note_b = {};
  std::optional<Judgement> always = std::nullopt;  ///< the judgement whatever the values are
  std::int64_t whole_a_us = 0;                     ///< of buckets: the time that they share
  std::int64_t whole_b_us = 0;
};

/// Whether B is better than A by this line.
Judgement judged(const CostLine& line);

/// The lines that compare two runs: headlines of the run and of each job and experiment that both
/// have, from the summaries; then where the time of each went. Without a ledger that comes from the
/// phases as far as they are recorded. A job that ended early spent less on everything: where two
/// neither did their work nor lasted equally long, no time is better than another.
std::vector<CostLine> cost_lines(const Trace& a, const Trace& b);

}  // namespace aftershock::gui
