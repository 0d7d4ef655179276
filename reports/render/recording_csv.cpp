#include <algorithm>
#include <map>
#include <vector>

#include "reports/render/csv_cell.h"
#include "reports/render/recording_spans.h"
#include "reports/render/recording_trace.h"

namespace aftershock::reports {

namespace {

/// A span, from its line on: records come in the order of their beginnings.
struct CsvSpan {
  std::int64_t begin_us = 0;
  std::optional<std::int64_t> end_us;
  std::string cells;  ///< all others
};

std::string cells_of(const SpanWords& words, std::int64_t line) {
  std::string cells;
  for (const std::string_view text :
       {std::string_view(words.lane), words.part, std::string_view(words.kind),
        std::string_view(words.what), std::string_view(words.number), std::string_view(words.fault),
        std::string_view(words.detail)}) {
    cells += ',' + csv_cell(text);
  }
  return cells + ',' + std::to_string(line) + "\r\n";
}

}  // namespace

ReadResult write_trace_csv(const std::string& path, const ByteSink& sink) {
  RecordWords words;
  std::vector<CsvSpan> spans;
  std::map<std::uint64_t, std::size_t> open;
  ReadResult result = read_recording(path, [&](const Record& record) {
    const bool instant = record.kind == LineKind::kInstant || record.kind == LineKind::kDecision ||
                         record.kind == LineKind::kFault;
    if (record.kind == LineKind::kEnd && record.id) {
      if (const auto found = open.find(*record.id); found != open.end()) {
        spans[found->second].end_us = record.t_us;
        open.erase(found);
      }
    } else if (instant || record.kind == LineKind::kBegin) {
      if (!instant && record.id) {
        open[*record.id] = spans.size();
      }
      spans.push_back({record.t_us, instant ? std::optional(record.t_us) : std::nullopt,
                       cells_of(words.of(record), record.line)});
    }
    return true;
  });
  if (!result.readable()) {
    return result;
  }
  std::string piece = "begin_us,end_us,lane,part,kind,what,number,fault,detail,line\r\n";
  for (const CsvSpan& span : spans) {
    piece += std::to_string(span.begin_us) + ',';
    piece += span.end_us ? std::to_string(std::max(span.begin_us, *span.end_us)) : std::string();
    piece += span.cells;
    if (piece.size() >= kTracePiece) {
      if (!sink(piece)) {
        result.state = ReadState::kStopped;
        return result;
      }
      piece.clear();
    }
  }
  if (!sink(piece)) {
    result.state = ReadState::kStopped;
  }
  return result;
}

}  // namespace aftershock::reports
