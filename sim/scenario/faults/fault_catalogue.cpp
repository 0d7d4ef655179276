#include "sim/scenario/faults/fault_catalogue.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/assert.h"
#include "policies/api/config.h"
#include "sim/scenario/shape/distribution_keys.h"
#include "sim/scenario/text/error.h"

namespace aftershock::sim::scenario {
namespace {

std::vector<FaultEntry> in_order_of_kind() {
  std::vector<FaultEntry> all;
  for (const auto family :
       {node_faults(), device_faults(), machine_faults(), network_faults(), controller_faults()}) {
    all.insert(all.end(), family.begin(), family.end());
  }
  std::ranges::sort(all, {}, &FaultEntry::kind);
  AFTERSHOCK_ASSERT(all.size() == kFaultKinds);
  for (std::size_t i = 0; i < all.size(); ++i) {
    AFTERSHOCK_ASSERT(all[i].kind == static_cast<FaultKind>(i) && "every kind has one entry");
  }
  return all;
}

}  // namespace

Key lasts_or_repair(std::string_view default_text, std::string_view meaning) {
  return {"lasts", shape::either({shape::word({"repair"}), distribution_shape()}), false,
          default_text, meaning};
}

void read_lasts(const Fields& fields, const PoolSpec&, FaultEffect& effect, ErrorList& errors) {
  if (fields.has("lasts")) {
    effect.lasts = fields.distribution("lasts", errors);
  }
}

void last_as_needed(const PoolSpec& pool, FaultEffect& effect) {
  effect.until_repaired = effect.needs != policies::DeviceNeed::kReset &&
                          pool.device_repairs[static_cast<std::size_t>(effect.needs)].has_value();
}

void read_lasts_or_repair(const Fields& fields, FaultEffect& effect, ErrorList& errors) {
  const LocatedValue& lasts = fields.value("lasts");
  const auto* word = lasts.get_if<std::string>();
  effect.until_repaired = word != nullptr && *word == "repair";
  if (!effect.until_repaired) {
    effect.lasts = read_distribution(lasts, errors);
  }
}

std::span<const FaultEntry> fault_catalogue() {
  static const std::vector<FaultEntry> kCatalogue = in_order_of_kind();
  return kCatalogue;
}

const FaultEntry& entry_of(FaultKind kind) {
  return fault_catalogue()[static_cast<std::size_t>(kind)];
}

std::string_view name_of(FaultKind kind) { return entry_of(kind).name; }

std::string_view name_of(TargetKind kind) {
  constexpr std::array<std::string_view, 15> kNames{
      "node",       "accelerator",      "rack",    "pool", "job",    "job/rank",     "head",
      "experiment", "experiment/trial", "storage", "link", "switch", "power_domain", "cluster",
      "job/agent"};
  return kNames[static_cast<std::size_t>(kind)];
}

TextProblem unknown_fault_kind(std::string_view word) {
  std::vector<std::string_view> shipped;
  for (const FaultEntry& entry : fault_catalogue()) shipped.push_back(entry.name);
  return {fmt::format("unknown kind of fault {}", in_quotes(word)),
          fmt::format("one of {}", fmt::join(shipped, ", ")),
          std::string(policies::nearest_name(word, shipped))};
}

}  // namespace aftershock::sim::scenario
