#pragma once

#include <string>
#include <string_view>

namespace aftershock::reports {

/// Where a recording's lines go.
class LineSink {
 public:
  virtual ~LineSink() = default;
  /// Takes one line without its newline. Errors are kept until `finish`.
  virtual void line(std::string_view text) = 0;
  /// A reader may start at the next line: a compressed file begins a new frame here.
  virtual void boundary() = 0;
};

}  // namespace aftershock::reports
