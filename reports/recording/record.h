#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace aftershock::reports {

/// The kind that the `r` of a line says.
enum class LineKind : std::uint8_t {
  kHeader,
  kBegin,
  kEnd,
  kInstant,
  kDecision,
  kFault,
  kCounter,
  kSnapshot,
  kLedger,
  kSummary,
  kEndOfRun,
  kHolds,
  kOther,  ///< a word that this program does not know
};

/// Those that a run counts and hashes; the others are about the file.
constexpr bool is_counted(LineKind kind) {
  return kind >= LineKind::kBegin && kind <= LineKind::kCounter;
}

/// One line of a recording. The views are good while it is being handled.
struct Record {
  LineKind kind = LineKind::kOther;
  std::int64_t line = 0;  ///< counted from 1
  std::int64_t t_us = 0;
  std::string_view on;                ///< empty where there is none
  std::string_view what;              ///< of begin and instant
  std::optional<std::uint64_t> id;    ///< of begin and end; a fault's id is text
  std::optional<std::int64_t> cause;  ///< the whole number in "cause" or "fault"
  std::string_view text;              ///< the whole line, a JSON object
};

/// Reads lines one at a time; every one is checked to its end.
class RecordParser {
 public:
  RecordParser();
  ~RecordParser();
  RecordParser(const RecordParser&) = delete;
  RecordParser& operator=(const RecordParser&) = delete;

  /// `line` must have kLinePadding readable bytes behind it. Returns what is wrong with the line,
  /// or null. All members but `line` are set. The views are good until the next call.
  const char* parse(std::string_view line, Record& record);

  // Members of the lines that are about the file, from the line parsed last.
  [[nodiscard]] std::optional<std::int64_t> schema() const { return schema_; }
  [[nodiscard]] std::optional<std::int64_t> records() const { return records_; }
  [[nodiscard]] std::string_view hash() const { return hash_; }

 private:
  class Json;

  const char* parse_json(std::string_view line, Record& record);

  std::unique_ptr<Json> json_;
  std::optional<std::int64_t> schema_;
  std::optional<std::int64_t> records_;
  std::string_view hash_;
};

}  // namespace aftershock::reports
