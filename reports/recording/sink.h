#pragma once

#include <string_view>

#include "base/assert.h"
#include "reports/json/json_writer.h"
#include "reports/recording/line_check.h"

namespace aftershock::reports {

/// Where a recording's lines go.
class LineSink {
 public:
  virtual ~LineSink() = default;

  /// Takes one line without its newline. Errors are kept until `finish`.
  void line(std::string_view text) {
    check_.add(text);
    take(text);
  }
  /// The same for an object that still lacks its closing brace: its check and that are added, so
  /// that a reader can tell whether it and all lines before it are as they were written.
  void checked_line(JsonWriter& open) {
    AFTERSHOCK_ASSERT(open.text().starts_with('{'));
    check_.add(open.text());
    open.key(kCheckKey);
    open.word(check_.text());
    open.close_object();
    take(open.text());
  }
  /// A reader may start at the next line: a compressed file begins a new frame here.
  virtual void boundary() = 0;

 protected:
  virtual void take(std::string_view line) = 0;

 private:
  LineCheck check_;
};

}  // namespace aftershock::reports
