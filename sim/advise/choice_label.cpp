#include <algorithm>

#include <fmt/format.h>

#include "sim/advise/advice.h"
#include "sim/sweep/vary.h"
#include "sim/sweep/where.h"

namespace aftershock::sim::advise {

namespace {

/// "jobs/1/" of what belongs to the second job or pool, or a later one; empty for the first and for
/// what has no such owner.
std::string owner_of(std::string_view pointer) {
  for (const std::string_view list : {"/jobs/", "/cluster/pools/"}) {
    if (!pointer.starts_with(list)) {
      continue;
    }
    const std::string_view index =
        pointer.substr(list.size(), pointer.find('/', list.size()) - list.size());
    if (index != "0") {
      return fmt::format("{}/{}/", list == "/jobs/" ? "jobs" : "pools", index);
    }
  }
  return {};
}

}  // namespace

std::string short_name(std::string_view pointer) {
  const std::size_t last = pointer.rfind('/');
  const std::string name(sweep::last_name(pointer));
  // "every" alone says nothing; a budget of a policy and a number of a pool speak for themselves.
  constexpr std::string_view kSection = "checkpoint";
  const std::string_view before = pointer.substr(0, std::min(last, pointer.size()));
  return owner_of(pointer) +
         (before.ends_with(kSection) ? fmt::format("{}/{}", kSection, name) : name);
}

std::string choice_label(const sweep::Point& choice) {
  std::string label;
  for (const auto& [name, value] : choice) {
    label +=
        fmt::format("{}{}={}", label.empty() ? "" : ", ", short_name(name), sweep::unquoted(value));
  }
  return label;
}

}  // namespace aftershock::sim::advise
