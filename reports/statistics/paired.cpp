#include "reports/statistics/paired.h"

#include <vector>

#include "reports/statistics/ordered.h"
#include "reports/statistics/quantile.h"
#include "reports/statistics/sample.h"

namespace aftershock::reports {

std::optional<PairedDifference> paired_difference(std::span<const Pair> pairs,
                                                  const Bootstrap& options) {
  std::vector<double> first;
  std::vector<double> second;
  std::vector<double> differences;
  PairedDifference result;
  result.pairs = static_cast<std::int64_t>(pairs.size());
  for (const Pair& pair : pairs) {
    first.push_back(pair.first);
    second.push_back(pair.second);
    differences.push_back(pair.second - pair.first);
    result.higher += pair.second > pair.first ? 1 : 0;
    result.lower += pair.second < pair.first ? 1 : 0;
    result.equal += pair.second == pair.first ? 1 : 0;
  }
  const auto mean = summarise(differences).mean_estimate(options.level);
  const auto unpaired = mean_difference(summarise(first), summarise(second), options.level);
  if (!mean || !unpaired) return std::nullopt;
  result.mean = *mean;
  result.unpaired = unpaired->interval;
  if (const auto drawn = bootstrap_mean(differences, options)) result.bootstrap = drawn->interval;
  result.sign_p = sign_test(result.higher, result.lower).value_or(1);
  return result;
}

}  // namespace aftershock::reports
