#include "sim/advise/ties.h"

#include <algorithm>
#include <cmath>

namespace aftershock::sim::advise {

bool leave_least(std::vector<std::size_t>& choices, const ValueOfChoice& value) {
  constexpr double kAlike = 0.01;
  std::optional<double> least;
  for (const std::size_t choice : choices) {
    const auto number = value(choice);
    least = number && (!least || *number < *least) ? number : least;
  }
  if (!least) {
    return false;
  }
  return std::erase_if(choices, [&](std::size_t choice) {
           const auto number = value(choice);
           return !number || *number > *least + kAlike * std::abs(*least);
         }) > 0;
}

bool leave_safest(std::vector<std::size_t>& choices, const std::vector<ChoiceResult>& results) {
  double surely = 0;
  for (const std::size_t choice : choices) {
    const auto& alive = results[choice].summary.alive;
    surely = std::max(surely, alive && alive->interval ? alive->interval->low : 0);
  }
  return std::erase_if(choices, [&](std::size_t choice) {
           const auto& alive = results[choice].summary.alive;
           return alive && alive->interval && alive->interval->high < surely;
         }) > 0;
}

}  // namespace aftershock::sim::advise
