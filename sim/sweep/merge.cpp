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
  std::map<std::uint32_t, std::pair<std::string, reports::RunReader>> parts;
  for (const std::string& path : shards) {
    auto opened = reports::RunReader::open(path);
    if (auto* problem = std::get_if<std::string>(&opened)) {
      return std::move(*problem);
    }
    auto& reader = std::get<reports::RunReader>(opened);
    if (!reader.complete()) {
      return fmt::format("{}: is not complete; go on with it with --resume", path);
    }
    const std::uint32_t shard = reader.header().shard;
    if (const auto twice = parts.find(shard); twice != parts.end()) {
      return fmt::format("{}: is shard {} of {}, and so is {}", path, shard, reader.header().shards,
                         twice->second.first);
    }
    if (!parts.empty()) {
      const auto& [first_path, first] = parts.begin()->second;
      if (whole(reader.header()) != whole(first.header()) ||
          reader.header().shards != first.header().shards) {
        return fmt::format("{}: is of another sweep, or another version, than {}", path,
                           first_path);
      }
    }
    parts.emplace(shard, std::pair{path, std::move(reader)});
  }
  const reports::StoreHeader& header = parts.begin()->second.second.header();
  for (std::uint32_t shard = 1; shard <= header.shards; ++shard) {
    if (!parts.contains(shard)) {
      return fmt::format("shard {} of {} is missing", shard, header.shards);
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
