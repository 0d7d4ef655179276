#pragma once

#include <cstdint>
#include <optional>

namespace aftershock::policies {

/// A count of failures against a limit; minus one means unlimited. The failure that takes `used`
/// over the limit is the one that exhausts it, so a limit of N allows exactly N retries. Other
/// negative limits are compared as they are: the first failure exhausts them.
struct RetryBudget {
  static constexpr std::int64_t kUnlimited = -1;

  std::int64_t limit_or_unlimited = 0;
  std::int64_t used = 0;

  /// Counts one failure. True when that is one too many.
  bool charge() {
    ++used;
    return limit_or_unlimited != kUnlimited && used > limit_or_unlimited;
  }

  /// As BudgetMove has it: none when unlimited.
  [[nodiscard]] std::optional<std::int64_t> limit() const {
    if (limit_or_unlimited == kUnlimited) {
      return std::nullopt;
    }
    return limit_or_unlimited;
  }
};

}  // namespace aftershock::policies
