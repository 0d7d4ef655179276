#include "gui/trace/line_texts.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "base/assert.h"
#include "reports/recording/byte_source.h"
#include "reports/recording/line_reader.h"

namespace aftershock::gui {

namespace {

using reports::TextSource;

/// Lines of a file from a marked one on.
class LinesFrom {
 public:
  LinesFrom(const Trace& trace, const std::string& path, std::size_t mark)
      : line_(static_cast<std::int64_t>(mark) * kLinesPerMark) {
    const std::int64_t text_at = trace.line_marks[mark];
    reports::FrameStart from{text_at, text_at};
    if (trace.compressed && !trace.frames.empty()) {
      const auto after =
          std::ranges::upper_bound(trace.frames, text_at, {}, &reports::FrameStart::text);
      from = *std::prev(after);
    }
    reports::ReadResult refused;
    auto bytes = reports::open_recording(path, refused, from.raw);
    if (bytes != nullptr) {
      source_ = std::make_unique<TextSource>(std::move(bytes));
      skip(text_at - from.text);
    }
  }

  /// The number of the line that `next` gives next, from 1.
  [[nodiscard]] std::int64_t line() const { return line_ + 1; }

  /// Good until the next call; none at the end.
  std::optional<std::string_view> next() {
    std::size_t scanned = begin_;
    std::size_t newline = 0;
    while ((newline = text_.find('\n', scanned)) == std::string::npos) {
      if (text_.size() - begin_ > reports::kLineBytesMax || !read_more()) {
        newline = text_.size();
        break;
      }
      scanned = begin_;
    }
    if (begin_ == text_.size()) {
      return std::nullopt;
    }
    const std::string_view line = std::string_view(text_).substr(begin_, newline - begin_);
    begin_ = std::min(newline + 1, text_.size());
    ++line_;
    return line;
  }

 private:
  /// Adds a piece behind what is left.
  bool read_more() {
    constexpr std::size_t kPiece = std::size_t{1} << 16U;
    if (source_ == nullptr) {
      return false;
    }
    text_.erase(0, begin_);
    begin_ = 0;
    const std::size_t before = text_.size();
    text_.resize(before + std::max(kPiece, before));
    std::size_t count = 0;
    const bool more =
        source_->read(std::span(text_).subspan(before), count) == TextSource::Status::kMore;
    text_.resize(before + count);
    return more;
  }

  void skip(std::int64_t bytes) {
    while (bytes > 0 && (begin_ < text_.size() || read_more())) {
      const auto over = std::min(static_cast<std::size_t>(bytes), text_.size() - begin_);
      begin_ += over;
      bytes -= static_cast<std::int64_t>(over);
    }
  }

  std::int64_t line_;
  std::unique_ptr<TextSource> source_;
  std::string text_;
  std::size_t begin_ = 0;  ///< of the next line in `text_`
};

}  // namespace

void line_texts(const Trace& trace, const std::string& path, std::span<const std::uint32_t> lines,
                const std::function<bool(std::uint32_t, std::string_view)>& take) {
  AFTERSHOCK_ASSERT(std::ranges::is_sorted(lines));
  std::unique_ptr<LinesFrom> from;
  for (const std::uint32_t line : lines) {
    const std::size_t mark = line == 0 ? 0 : (line - 1U) / std::size_t{kLinesPerMark};
    if (line == 0 || mark >= trace.line_marks.size() || line > trace.end.line) {
      continue;
    }
    // A line that is given twice, or near, needs no new start.
    if (from == nullptr || line < from->line() || line - from->line() > kLinesPerMark) {
      from = std::make_unique<LinesFrom>(trace, path, mark);
    }
    std::optional<std::string_view> text;
    while (from->line() <= line && (text = from->next())) {
    }
    if (text && !take(line, *text)) {
      return;
    }
  }
}

std::optional<std::string> line_text(const Trace& trace, const std::string& path,
                                     std::uint32_t line) {
  std::optional<std::string> found;
  line_texts(trace, path, std::span(&line, 1), [&found](std::uint32_t, std::string_view text) {
    found = text;
    return true;
  });
  return found;
}

}  // namespace aftershock::gui
