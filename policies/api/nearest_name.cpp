#include <algorithm>
#include <cstddef>
#include <vector>

#include "policies/api/config.h"

namespace aftershock::policies {
namespace {

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

/// Insertions, deletions, replacements and swaps of neighbours; case does not count.
std::size_t edit_distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> before(right.size() + 1);
  std::vector<std::size_t> last(right.size() + 1);
  std::vector<std::size_t> row(right.size() + 1);
  for (std::size_t j = 0; j <= right.size(); ++j) {
    last[j] = j;
  }
  for (std::size_t i = 1; i <= left.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const bool same = lower(left[i - 1]) == lower(right[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0U : 1U)});
      if (i > 1 && j > 1 && lower(left[i - 1]) == lower(right[j - 2]) &&
          lower(left[i - 2]) == lower(right[j - 1])) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before.swap(last);
    last.swap(row);
  }
  return last[right.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view word, std::span<const std::string_view> known) {
  // Nobody types a name this long by mistake, and the distance costs the product of the lengths.
  constexpr std::size_t kLongestWord = 256;
  if (word.size() > kLongestWord) {
    return {};
  }
  std::string_view best;
  std::size_t best_distance = 0;
  for (const std::string_view name : known) {
    const std::size_t allowed = std::max<std::size_t>(1, std::max(word.size(), name.size()) / 3);
    const std::size_t longer = std::max(word.size(), name.size());
    const std::size_t shorter = std::min(word.size(), name.size());
    if (longer - shorter > allowed) {
      continue;
    }
    const std::size_t distance = edit_distance(word, name);
    if (distance <= allowed && distance < longer && (best.empty() || distance < best_distance)) {
      best = name;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace aftershock::policies
