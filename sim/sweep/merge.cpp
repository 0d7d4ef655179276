#include "sim/sweep/merge.h"

#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "reports/results/run_store.h"

namespace aftershock::sim {
namespace {

/// The header of the whole: all that shards have in common.
reports::StoreHeader whole(reports::StoreHeader header) {
  header.shard = 1;
  header.shards = 1;
  return header;
}

/// What two shards of one sweep have in common and these do not; empty: they have it all.
std::string difference(const reports::StoreHeader& a, const reports::StoreHeader& b) {
  const std::pair<std::string_view, bool> parts[] = {
      {"the scenario", a.scenario == b.scenario && a.text == b.text},
      {"the program's version", a.version == b.version},
      {"the first seed", a.first_seed == b.first_seed},
      {"what is varied", a.cells == b.cells},
      {"the columns", a.pointers == b.pointers},
      {"--runs", a.replicas == b.replicas},
      {"--until", a.until == b.until},
      {"the number of shards", a.shards == b.shards},
      {"something", a.digest == b.digest}};
  for (const auto& [what, alike] : parts) {
    if (!alike) {
      return std::string(what);
    }
  }
  return {};
}

std::optional<std::string> copy(reports::RunReader& from, const std::string& path,
                                reports::RunStore& to) {
  auto problem = from.each([&to](reports::RunRow&& row) {
    to.add(row);
    return to.problem().empty();
  });
  for (const auto& kept : from.recordings()) {
    to.recording(kept.cell, kept.replica, kept.path);
  }
  for (const auto& trouble : from.troubles()) {
    to.trouble(trouble.cell, trouble.replica, trouble.what);
  }
  return problem ? std::optional(fmt::format("{}: {}", path, *problem)) : std::nullopt;
}

}  // namespace

std::optional<std::string> merge_results(const std::string& out,
                                         const std::vector<std::string>& shards) {
  std::error_code unknown;
  if (std::filesystem::exists(std::filesystem::symlink_status(out, unknown))) {
    return fmt::format(
        "{}: is there already, and merge makes a new file; expected `aftershock sweep merge OUT "
        "SHARD...`, with the name of the new file first",
        out);
  }
  std::map<std::uint32_t, std::pair<std::string, reports::RunReader>> parts;
  for (const std::string& path : shards) {
    auto opened = reports::RunReader::open(path);
    if (auto* problem = std::get_if<std::string>(&opened)) {
      return std::move(*problem);
    }
    auto& reader = std::get<reports::RunReader>(opened);
    if (!reader.complete()) {
      const reports::StoreHeader& header = reader.header();
      return fmt::format(
          "{}: is not complete; go on with the `aftershock sweep` that made it, with --resume{}",
          path,
          header.shards == 1 ? "" : fmt::format(" --shard {}/{}", header.shard, header.shards));
    }
    const std::uint32_t shard = reader.header().shard;
    if (!parts.empty()) {
      const auto& [first_path, first] = parts.begin()->second;
      if (const auto differs = difference(first.header(), reader.header()); !differs.empty()) {
        return fmt::format("{}: is a shard of another sweep than {}: {} differs", path, first_path,
                           differs);
      }
    }
    if (const auto twice = parts.find(shard); twice != parts.end()) {
      return fmt::format("{}: is shard {} of {}, and so is {}", path, shard, reader.header().shards,
                         twice->second.first);
    }
    parts.emplace(shard, std::pair{path, std::move(reader)});
  }
  const reports::StoreHeader& header = parts.begin()->second.second.header();
  for (std::uint32_t shard = 1; shard <= header.shards; ++shard) {
    if (!parts.contains(shard)) {
      return fmt::format(
          "shard {0} of {1} is missing; `aftershock sweep` makes it with --shard {0}/{1}", shard,
          header.shards);
    }
  }
  auto created = reports::RunStore::create(out, whole(header));
  if (auto* problem = std::get_if<std::string>(&created)) {
    return std::move(*problem);
  }
  std::optional<std::string> problem;
  {
    auto& store = std::get<reports::RunStore>(created);
    for (auto& [shard, part] : parts) {
      if (!problem) {
        problem = copy(part.second, part.first, store);
      }
    }
    store.finish();
    if (!problem && !store.problem().empty()) {
      problem = store.problem();
    }
  }
  if (problem) {
    std::error_code ignored;
    std::filesystem::remove(out, ignored);
  }
  return problem;
}

}  // namespace aftershock::sim
