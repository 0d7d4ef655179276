#include <algorithm>

#include <fmt/format.h>

#include "sim/advise/advice.h"
#include "sim/sweep/where.h"

namespace aftershock::sim::advise {

std::string short_name(std::string_view pointer) {
  const std::size_t last = pointer.rfind('/');
  std::string name(pointer.substr(last + 1));
  if (const std::size_t slash = name.rfind("~1"); slash != name.npos) {
    name.erase(0, slash + 2);
  }
  // "every" alone says nothing; a budget of a policy and a number of a pool speak for themselves.
  constexpr std::string_view kSection = "checkpoint";
  const std::string_view before = pointer.substr(0, std::min(last, pointer.size()));
  return before.ends_with(kSection) ? fmt::format("{}/{}", kSection, name) : name;
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
