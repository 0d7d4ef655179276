#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "reports/results/database.h"
#include "reports/results/metrics.h"

namespace aftershock::reports {

/// Values of rows that anybody may have written: each is what its column holds, or the first that
/// is not is told in `problem`. SQLite itself would make a number of any text, and any text of a
/// number.
class CheckedRow {
 public:
  /// Looks at the row that the statement is at, which may be stepped on in between.
  explicit CheckedRow(const Statement& statement) : statement_(statement) {}

  /// A whole number from `least` to `most`; `least` where it is none.
  std::int64_t whole(int column, std::string_view name, std::int64_t least, std::int64_t most);
  /// The same of numbers that count something, of which a file has fewer than 2^32.
  std::uint32_t count(int column, std::string_view name, std::uint32_t most = ~std::uint32_t{0});
  /// A text; its characters may be any.
  std::string text(int column, std::string_view name);
  /// A number or nothing. One of metrics() is never below 0, whatever stands at a pointer may be.
  MetricValue number(int column, std::string_view name, bool may_be_negative);

  /// The first value that is not what its column holds, in words; empty: all are.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  void refuse(int column, std::string_view name, const std::string& expected);

  const Statement& statement_;
  std::string problem_;
};

}  // namespace aftershock::reports
