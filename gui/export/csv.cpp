#include "gui/export/csv.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <vector>

#include "gui/export/causes.h"
#include "gui/export/words.h"
#include "reports/render/csv_cell.h"

namespace aftershock::gui {

namespace {

/// The next span of each lane: the spans of all of them come out in the order of time.
class Merge {
 public:
  Merge(const Trace& trace, const Choice& choice) : trace_(trace), choice_(choice) {
    for (const std::uint32_t lane : choice.lanes) {
      const auto [first, last] =
          trace.lanes[lane].columns.overlapping(choice.range.begin_us, choice.range.end_us);
      push(lane, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last));
    }
  }

  [[nodiscard]] bool is_empty() const { return queue_.empty(); }

  /// Lane and span of the next one.
  std::pair<std::uint32_t, std::uint32_t> take() {
    const Next next = queue_.top();
    queue_.pop();
    push(next.lane, next.span + 1, next.end);
    return {next.lane, next.span};
  }

 private:
  struct Next {
    std::int64_t begin_us = 0;
    std::uint32_t lane = 0;
    std::uint32_t span = 0;
    std::uint32_t end = 0;

    friend bool operator>(const Next& a, const Next& b) {
      return std::tuple(a.begin_us, a.lane, a.span) > std::tuple(b.begin_us, b.lane, b.span);
    }
  };

  void push(std::uint32_t lane, std::uint32_t span, std::uint32_t end) {
    const LaneSpans spans = trace_.lanes[lane].columns.spans();
    while (span < end && !choice_.takes(spans, span)) {
      ++span;
    }
    if (span < end) {
      queue_.push({spans.begin_us[span], lane, span, end});
    }
  }

  const Trace& trace_;
  const Choice& choice_;
  std::priority_queue<Next, std::vector<Next>, std::greater<>> queue_;
};

}  // namespace

bool write_csv(const Trace& trace, const DecisionTitles& titles, const Choice& choice,
               const ByteSink& sink) {
  const Causes causes(trace, choice.lanes);
  std::string piece = "begin_us,end_us,lane,part,kind,what,number,fault,detail,line\r\n";
  for (Merge merge(trace, choice); !merge.is_empty();) {
    const auto [lane, span] = merge.take();
    const Lane& of = trace.lanes[lane];
    const LaneSpans spans = of.columns.spans();
    const std::uint32_t line = of.columns.lines()[span];
    piece += std::to_string(spans.begin_us[span]);
    piece += ',';
    piece += spans.end_us[span] == kOpen
                 ? std::string()
                 : std::to_string(std::max(spans.begin_us[span], spans.end_us[span]));
    for (const std::string& text :
         {exported_text(trace.entities[of.entity]), std::string(name_of(of.sub)),
          std::string(name_of(spans.kind[span])), exported_what(trace, lane, span),
          exported_number(trace, lane, span),
          exported_text(trace.texts[causes.fault_id_of(lane, span)]),
          exported_detail(trace, titles, lane, span)}) {
      piece += ',';
      piece += reports::csv_cell(text);
    }
    piece += ',';
    piece += line == 0 ? std::string() : std::to_string(line);
    piece += "\r\n";
    if (piece.size() >= reports::kTracePiece) {
      if (!sink(piece)) {
        return false;
      }
      piece.clear();
    }
  }
  return sink(piece);
}

}  // namespace aftershock::gui
