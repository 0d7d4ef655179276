#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "reports/recording/sink.h"

namespace aftershock::reports {

/// Keeps a recording in memory, as a plain file would hold it.
class MemorySink final : public LineSink {
 public:
  void boundary() override { boundaries_.push_back(text_.size()); }

  [[nodiscard]] const std::string& text() const { return text_; }
  /// Where in the text a reader may start, besides its beginning.
  [[nodiscard]] const std::vector<std::size_t>& boundaries() const { return boundaries_; }

 private:
  void take(std::string_view line) override {
    text_ += line;
    text_ += '\n';
  }

  std::string text_;
  std::vector<std::size_t> boundaries_;
};

}  // namespace aftershock::reports
