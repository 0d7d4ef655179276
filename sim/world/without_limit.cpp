#include "sim/world/without_limit.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace aftershock::sim::world {

namespace {

constexpr std::string_view kMark = " (without limit: ";
constexpr std::string_view kBetween = ", ";

}  // namespace

std::string without_limit_words(const control::PolicyHost& host) {
  const std::vector<policies::BudgetState> states = host.policy().budgets();
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < std::min(states.size(), host.info().budgets.size()); ++i) {
    if (!states[i].limit) {
      names.push_back(host.info().budgets[i]);
    }
  }
  return names.empty() ? std::string() : fmt::format("{}{})", kMark, fmt::join(names, kBetween));
}

bool names_without_limit(std::string_view words, std::string_view budget) {
  const std::size_t mark = words.find(kMark);
  if (mark == std::string_view::npos) {
    return false;
  }
  std::string_view names = words.substr(mark + kMark.size());
  names = names.substr(0, names.find(')'));
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(kBetween), names.size());
    if (names.substr(0, end) == budget) {
      return true;
    }
    names.remove_prefix(std::min(end + kBetween.size(), names.size()));
  }
  return false;
}

}  // namespace aftershock::sim::world
