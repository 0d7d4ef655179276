#include "reports/render/bucket_table.h"

#include <algorithm>
#include <numeric>

#include "reports/render/format.h"
#include "reports/render/table.h"

namespace aftershock::reports {

namespace {

using Align = Table::Align;

constexpr std::size_t kBarColumnsMax = 40;
constexpr std::size_t kNextToBarColumns = 52;  // name, time and share of a bucket, and the gaps

}  // namespace

std::string bucket_table(std::string_view heading, const BucketTotals& totals_us,
                         const Style& style) {
  const std::int64_t whole = std::accumulate(totals_us.begin(), totals_us.end(), std::int64_t{0});
  if (whole <= 0) {
    return {};
  }
  const std::size_t bar_columns = std::clamp<std::size_t>(
      style.width > kNextToBarColumns ? style.width - kNextToBarColumns : 0, 10, kBarColumnsMax);
  const std::vector<std::string> shares = format_shares(totals_us);
  Table table({{}, {Align::kRight}, {Align::kRight}, {}});
  for (std::size_t i = 0; i < kBucketCount; ++i) {
    if (totals_us[i] != 0) {
      table.row({std::string(kBucketNames[i]), format_duration(totals_us[i]), shares[i],
                 bar(totals_us[i], whole, bar_columns, style.unicode)});
    }
  }
  return "  " + style.paint(heading, Colour::kHeading) + '\n' + table.text(style, 4);
}

}  // namespace aftershock::reports
