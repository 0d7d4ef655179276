#include "gui/lanes/directory.h"

#include <algorithm>
#include <array>

namespace aftershock::gui {
namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 40;
__extension__ using Wide = __int128;

constexpr std::array<std::string_view, 6> kFacets{"phases",    "attempts", "checkpoints",
                                                  "decisions", "budgets",  "counters"};

NumberedNames names_of(const reports::HeaderEntities& entities, std::int64_t first) {
  NumberedNames names;
  const std::size_t at = entities.name.find("%d");
  names.has_number = at != std::string::npos;
  names.prefix = entities.name.substr(0, at);
  names.suffix = names.has_number ? entities.name.substr(at + 2) : "";
  names.number = std::clamp(entities.first, -kMost, kMost);
  names.first = first;
  names.count = std::clamp<std::int64_t>(entities.count, 0, names.has_number ? kMost : 1);
  return names;
}

std::int64_t end_of(const std::vector<NumberedNames>& ranges) {
  return ranges.empty() ? 0 : ranges.back().first + ranges.back().count;
}

std::string name_of(const std::vector<NumberedNames>& ranges, std::int64_t slot) {
  const auto above = std::upper_bound(
      ranges.begin(), ranges.end(), slot,
      [](std::int64_t wanted, const NumberedNames& range) { return wanted < range.first; });
  if (above == ranges.begin() || slot - (above - 1)->first >= (above - 1)->count) {
    return "?";
  }
  const NumberedNames& range = *(above - 1);
  return range.has_number
             ? range.prefix + std::to_string(range.number + slot - range.first) + range.suffix
             : range.prefix;
}

using Index = std::map<std::string, std::int64_t, std::less<>>;

std::optional<std::int64_t> index_in(const Index& names, std::string_view name) {
  const auto found = names.find(name);
  return found == names.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> budgets_of(const reports::RecordingHeader& header,
                                    const std::string& policy) {
  for (const reports::HeaderPolicy& found : header.policies) {
    if (found.name == policy) {
      return found.budgets;
    }
  }
  return {};
}

// "attempts", "budgets", "budget:max_failures", "counter:step".
bool read_facet(const Directory& directory, const std::vector<std::string>& budgets,
                std::string_view text, LaneKey& key) {
  if (text.starts_with("budget:")) {
    const auto found = std::find(budgets.begin(), budgets.end(), text.substr(7));
    key.facet = Facet::kBudgets;
    key.item = found - budgets.begin();
    return found != budgets.end();
  }
  if (text.starts_with("counter:")) {
    const auto found = index_in(directory.counter_index, text.substr(8));
    key.facet = Facet::kCounters;
    key.item = found.value_or(-1);
    return found.has_value();
  }
  const auto found = std::find(kFacets.begin(), kFacets.end(), text);
  key.facet = static_cast<Facet>(found - kFacets.begin());
  return found != kFacets.end();
}

std::optional<LaneKey> node_key(const Directory& directory, std::string_view name) {
  const auto found = directory.node_index.find(name);
  if (!found) {
    return std::nullopt;
  }
  const PoolNames& pool = directory.pools[static_cast<std::size_t>(found->owner)];
  return LaneKey{.section = Section::kPools,
                 .group = found->owner,
                 .rack = rack_of(pool, found->slot),
                 .node = found->slot};
}

// "gpu" and "counter:nodes_up".
std::optional<LaneKey> pool_facet_key(const Directory& directory, std::string_view name,
                                      std::string_view facet) {
  const auto pool = index_in(directory.pool_index, name);
  LaneKey key{.section = Section::kPools, .group = pool.value_or(-1)};
  const bool is_one = facet == "counters" || facet.starts_with("counter:");
  return pool && is_one && read_facet(directory, {}, facet, key) ? std::optional(key)
                                                                 : std::nullopt;
}

// "x", "x/trial:3", "x/attempts", "x/trial:3/attempts".
std::optional<LaneKey> work_key(const Directory& directory, Section section,
                                std::string_view text) {
  const bool is_job = section == Section::kJobs;
  const Index& names = is_job ? directory.job_index : directory.experiment_index;
  // Names may have slashes: the longest that fits.
  for (std::size_t end = text.size(); end != std::string_view::npos && end > 0;
       end = text.rfind('/', end - 1)) {
    const auto index = index_in(names, text.substr(0, end));
    if (!index) {
      continue;
    }
    LaneKey key{.section = section, .group = *index};
    std::string_view rest = end < text.size() ? text.substr(end + 1) : "";
    if (!is_job && rest.starts_with("trial:")) {
      const std::size_t slash = rest.find('/');
      const auto trial = number_in(rest.substr(6, slash == rest.npos ? rest.npos : slash - 6));
      if (!trial || *trial < 0 || *trial >= directory.trials[static_cast<std::size_t>(*index)]) {
        return std::nullopt;
      }
      key.node = *trial;
      rest = slash == rest.npos ? "" : rest.substr(slash + 1);
    }
    const auto& budgets = is_job ? directory.job_budgets : directory.experiment_budgets;
    if (!rest.empty() &&
        !read_facet(directory, budgets[static_cast<std::size_t>(*index)], rest, key)) {
      return std::nullopt;
    }
    return key;
  }
  return std::nullopt;
}

std::string facet_text(const Directory& directory, const LaneKey& key) {
  if (key.item < 0) {
    return std::string(kFacets[static_cast<std::size_t>(key.facet)]);
  }
  const auto item = static_cast<std::size_t>(key.item);
  if (key.facet == Facet::kCounters) {
    return "counter:" + (item < directory.counters.size() ? directory.counters[item] : "?");
  }
  const auto& all =
      key.section == Section::kJobs ? directory.job_budgets : directory.experiment_budgets;
  const auto group = static_cast<std::size_t>(key.group);
  return "budget:" + (group < all.size() && item < all[group].size() ? all[group][item] : "?");
}

std::string at(const std::vector<std::string>& names, std::int64_t index) {
  return index >= 0 && index < std::ssize(names) ? names[static_cast<std::size_t>(index)] : "?";
}

std::string run_text(const std::vector<NumberedNames>& ranges, const LaneKey& key) {
  std::string text = name_of(ranges, key.node);
  return key.run == 1 ? text : text + ".." + name_of(ranges, key.node + key.run - 1);
}

void add_entities(Directory& directory, const reports::HeaderEntities& entities) {
  const bool is_head = entities.kind == "head";
  if (is_head || entities.kind == "storage") {
    std::vector<NumberedNames>& ranges = is_head ? directory.heads : directory.storages;
    ranges.push_back(names_of(entities, end_of(ranges)));
    (is_head ? directory.head_index : directory.storage_index).add(ranges.back(), 0);
    return;
  }
  if (entities.pool.empty()) {
    return;
  }
  const auto [found, is_new] =
      directory.pool_index.try_emplace(entities.pool, std::ssize(directory.pools));
  if (is_new) {
    directory.pools.emplace_back().name = entities.pool;
  }
  PoolNames& pool = directory.pools[static_cast<std::size_t>(found->second)];
  pool.racks = std::max(pool.racks, std::clamp<std::int64_t>(entities.racks, 0, kMost));
  pool.accelerators =
      std::max(pool.accelerators, std::clamp<std::int64_t>(entities.accelerators, 0, kMost));
  pool.nodes.push_back(names_of(entities, pool.slots));
  // The sum of many ranges may be no number any more.
  pool.nodes.back().count = std::min(pool.nodes.back().count, kMost - pool.slots);
  pool.slots += pool.nodes.back().count;
}

}  // namespace

Directory make_directory(const reports::RecordingHeader& header,
                         std::vector<std::string> counters) {
  Directory directory;
  directory.counters = std::move(counters);
  for (const std::string& name : directory.counters) {
    directory.counter_index.try_emplace(name, std::ssize(directory.counter_index));
  }
  for (const reports::HeaderEntities& entities : header.entities) {
    add_entities(directory, entities);
  }
  for (const reports::HeaderJob& job : header.jobs) {
    directory.job_index.try_emplace(job.name, std::ssize(directory.jobs));
    directory.jobs.push_back(job.name);
    directory.job_budgets.push_back(budgets_of(header, job.policy));
  }
  for (const reports::HeaderExperiment& experiment : header.experiments) {
    directory.experiment_index.try_emplace(experiment.name, std::ssize(directory.experiments));
    directory.experiments.push_back(experiment.name);
    directory.experiment_budgets.push_back(budgets_of(header, experiment.policy));
    directory.trials.push_back(std::clamp<std::int64_t>(experiment.trials, 0, kMost));
  }
  // The total of the ranges is known only now.
  for (std::size_t pool = 0; pool < directory.pools.size(); ++pool) {
    for (const NumberedNames& names : directory.pools[pool].nodes) {
      directory.node_index.add(names, static_cast<std::int64_t>(pool));
    }
  }
  return directory;
}

std::int64_t rack_of(const PoolNames& pool, std::int64_t slot) {
  return pool.racks <= 0 || pool.slots <= 0
             ? -1
             : static_cast<std::int64_t>(Wide{slot} * pool.racks / pool.slots);
}

std::optional<LaneKey> key_of(const Directory& directory, std::string_view text) {
  if (text == "heads" || text == "storages") {
    return LaneKey{.section = text == "heads" ? Section::kHeads : Section::kStorages};
  }
  const std::size_t colon = text.find(':');
  if (colon == text.npos) {
    return std::nullopt;
  }
  const std::string_view kind = text.substr(0, colon);
  const std::string_view name = text.substr(colon + 1);
  const std::size_t slash = name.rfind('/');
  if (kind == "job" || kind == "experiment") {
    return work_key(directory, kind == "job" ? Section::kJobs : Section::kExperiments, name);
  }
  if (kind == "head" || kind == "storage") {
    const bool is_head = kind == "head";
    const auto slot = (is_head ? directory.head_index : directory.storage_index).find(name);
    return slot ? std::optional(LaneKey{.section = is_head ? Section::kHeads : Section::kStorages,
                                        .node = slot->slot})
                : std::nullopt;
  }
  if (kind == "pool" && slash != name.npos && !index_in(directory.pool_index, name)) {
    return pool_facet_key(directory, name.substr(0, slash), name.substr(slash + 1));
  }
  if (kind == "pool" || (kind == "rack" && slash != name.npos)) {
    const auto pool = index_in(directory.pool_index, kind == "pool" ? name : name.substr(0, slash));
    LaneKey key{.section = Section::kPools, .group = pool.value_or(-1)};
    if (!pool || kind == "pool") {
      return pool ? std::optional(key) : std::nullopt;
    }
    key.rack = number_in(name.substr(slash + 1)).value_or(-1);
    return key.rack >= 0 && key.rack < directory.pools[static_cast<std::size_t>(*pool)].racks
               ? std::optional(key)
               : std::nullopt;
  }
  if (kind == "node") {
    return node_key(directory, name);
  }
  if (kind == "accelerator" && slash != name.npos) {
    auto key = node_key(directory, name.substr(0, slash));
    const auto number = number_in(name.substr(slash + 1));
    if (key && number && *number >= 0 &&
        *number < directory.pools[static_cast<std::size_t>(key->group)].accelerators) {
      key->accelerator = *number;
      return key;
    }
  }
  return std::nullopt;
}

std::string text_of(const Directory& directory, const LaneKey& key) {
  switch (key.section) {
    case Section::kHeads:
      return key.node < 0 ? "heads" : "head:" + run_text(directory.heads, key);
    case Section::kStorages:
      return key.node < 0 ? "storages" : "storage:" + run_text(directory.storages, key);
    case Section::kJobs:
    case Section::kExperiments: {
      const bool is_job = key.section == Section::kJobs;
      std::string text = is_job ? "job:" + at(directory.jobs, key.group)
                                : "experiment:" + at(directory.experiments, key.group);
      if (key.node >= 0) {
        text += "/trial:" + std::to_string(key.node);
      }
      return key.facet == Facet::kWhole ? text : text + "/" + facet_text(directory, key);
    }
    case Section::kPools:
      break;
  }
  if (key.group < 0 || key.group >= std::ssize(directory.pools)) {
    return "pool:?";
  }
  const PoolNames& pool = directory.pools[static_cast<std::size_t>(key.group)];
  if (key.facet != Facet::kWhole) {
    return "pool:" + pool.name + "/" + facet_text(directory, key);
  }
  if (key.node < 0) {
    return key.rack < 0 ? "pool:" + pool.name
                        : "rack:" + pool.name + "/" + std::to_string(key.rack);
  }
  const std::string node = run_text(pool.nodes, key);
  return key.accelerator < 0 ? "node:" + node
                             : "accelerator:" + node + "/" + std::to_string(key.accelerator);
}

std::string label_of(const Directory& directory, const LaneKey& key) {
  if (key.facet != Facet::kWhole) {
    const std::string text = facet_text(directory, key);
    return key.item < 0 ? text : text.substr(text.find(':') + 1);
  }
  if (key.section == Section::kPools && key.rack >= 0 && key.node < 0) {
    return "rack " + std::to_string(key.rack);
  }
  if (key.accelerator >= 0) {
    return std::to_string(key.accelerator);
  }
  if (key.section == Section::kExperiments && key.node >= 0) {
    return "trial " + std::to_string(key.node);
  }
  const std::string text = text_of(directory, key);
  const std::size_t colon = text.find(':');
  return colon == text.npos ? text : text.substr(colon + 1);
}

}  // namespace aftershock::gui
