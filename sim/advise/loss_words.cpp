#include "sim/advise/loss_words.h"

#include <string_view>

#include <fmt/format.h>

#include "reports/ledger/bucket.h"
#include "reports/results/metrics.h"

namespace aftershock::sim::advise {
namespace {

struct Loss {
  std::string bucket;
  double share = 0;
};

Loss greatest_loss(const ChoiceResult& result) {
  const auto wall = result.summary.columns[*reports::metric_named("wall_us")].mean();
  std::string name;
  double most = 0;
  for (std::size_t i = 0; i < reports::kBucketCount; ++i) {
    const std::string_view bucket = reports::kBucketNames[i];
    const auto mean =
        result.summary.columns[*reports::metric_named(fmt::format("{}_us", bucket))].mean();
    if (bucket != "productive" && mean && *mean > most) {
      most = *mean;
      name = bucket;
    }
  }
  return wall && *wall > 0 ? Loss{name, most / *wall} : Loss{};
}

std::string words_of(const Loss& loss) {
  return fmt::format("{} takes {:.1f} % of the time", loss.bucket, 100 * loss.share);
}

}  // namespace

std::string loss_words(const ChoiceResult& result) {
  constexpr double kWorthTelling = 0.01;
  const Loss loss = greatest_loss(result);
  return loss.share > kWorthTelling ? words_of(loss) : std::string();
}

std::string great_loss_words(const ChoiceResult& result) {
  const Loss loss = greatest_loss(result);
  if (loss.share < 0.5) {
    return {};
  }
  const bool waits = loss.bucket == "waiting_for_capacity" || loss.bucket == "provisioning";
  return fmt::format(
      "Most of the time is lost all the same: {}{}.", words_of(loss),
      waits ? R"(; more nodes are to be tried, by the pool's "max_nodes" or "spares")" : "");
}

}  // namespace aftershock::sim::advise
