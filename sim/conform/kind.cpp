#include "sim/conform/kind.h"

#include <algorithm>

namespace aftershock::sim::conform {
namespace {

constexpr std::array<std::string_view, kKinds.size()> kNames{
    "outcome", "attempts", "charges", "decisions", "commands", "work", "time", "faults"};

}  // namespace

std::string_view name_of(Kind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::optional<Kind> kind_named(std::string_view name) {
  const auto* const found = std::ranges::find(kNames, name);
  return found == kNames.end()
             ? std::nullopt
             : std::optional(
                   kKinds[static_cast<std::size_t>(std::distance(kNames.begin(), found))]);
}

}  // namespace aftershock::sim::conform
