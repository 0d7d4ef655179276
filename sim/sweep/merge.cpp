#include "sim/sweep/merge.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "reports/results/run_store.h"
#include "sim/sweep/keep.h"
#include "sim/sweep/schedule.h"

namespace aftershock::sim::sweep {
namespace {

/// Files of results with their paths, by the shard that each is.
using Parts = std::map<std::uint32_t, std::pair<std::string, reports::RunReader>>;

/// The header of the whole: all that shards have in common. Where they kept recordings by other
/// rules there is no rule for the whole.
reports::StoreHeader whole(const Parts& parts) {
  reports::StoreHeader header = parts.begin()->second.second.header();
  for (const auto& [shard, part] : parts) {
    if (part.second.header().keep != header.keep) {
      header.keep.clear();
    }
  }
  header.shard = 1;
  header.shards = 1;
  return header;
}

/// The first difference between headers of shards of one sweep; empty: they belong together.
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

/// Lists the recordings of all parts, or those that --keep asked for of the whole: the worst of a
/// part need not be among the worst of all. The files are the parts', and stay where they are.
void list_recordings(Parts& parts, reports::RunStore& store) {
  const auto keep = parse_keep(store.header().keep);
  std::set<std::pair<std::uint32_t, std::uint32_t>> chosen;
  const bool of_the_whole = std::holds_alternative<Keep>(keep);
  if (of_the_whole) {
    for (const reports::RunRow& run : runs_to_keep(std::get<Keep>(keep), store)) {
      chosen.emplace(run.cell, run.replica);
    }
  }
  for (auto& [shard, part] : parts) {
    for (const auto& kept : part.second.recordings()) {
      if (!of_the_whole || chosen.contains({kept.cell, kept.replica})) {
        store.recording(kept.cell, kept.replica, kept.path);
      }
    }
  }
}

std::string missing(std::uint64_t replica, std::size_t cell) {
  return fmt::format("says that it is complete, but run {} of cell {} is missing", replica, cell);
}

/// The reason why a file is not a whole part, which it may say of itself: its rows cannot be read,
/// a run is missing, or one is not of it. The runs of one stop rule are as many in each cell as in
/// the others.
std::optional<std::string> no_part(const std::string& path, reports::RunReader& reader) {
  const reports::StoreHeader& header = reader.header();
  const auto lacks = [&](const std::string& what) {
    return fmt::format(
        "{}: {}; go on with the `aftershock sweep` that made it, with --resume{}", path, what,
        header.shards == 1 ? "" : fmt::format(" --shard {}/{}", header.shard, header.shards));
  };
  if (!reader.complete()) {
    return lacks("is not complete");
  }
  const Shard part{header.shard, header.shards};
  // Rows come in order, so that the next one of each cell is known.
  std::vector<std::uint64_t> next(header.cells.size(), header.shard - 1);
  std::optional<std::string> wrong;
  auto problem = reader.each([&](reports::RunRow&& row) {
    if (row.replica >= header.replicas || !part.has(row.replica)) {
      wrong = fmt::format("has run {} of cell {}, which is not of shard {}/{}", row.replica,
                          row.cell, header.shard, header.shards);
    } else if (row.replica != next[row.cell]) {
      wrong = missing(next[row.cell], row.cell);
    }
    next[row.cell] = std::uint64_t{row.replica} + header.shards;
    return !wrong;
  });
  if (problem) {
    return problem;
  }
  if (wrong) {
    return lacks(*wrong);
  }
  const std::uint64_t after_last =
      header.until.empty() ? std::uint64_t{header.replicas} : std::ranges::max(next);
  for (std::size_t cell = 0; cell < next.size(); ++cell) {
    if (next[cell] < after_last) {
      return lacks(missing(next[cell], cell));
    }
  }
  return std::nullopt;
}

std::optional<std::string> copy(reports::RunReader& from, reports::RunStore& to) {
  auto problem = from.each([&to](reports::RunRow&& row) {
    to.add(row);
    return to.problem().empty();
  });
  for (const auto& trouble : from.troubles()) {
    to.trouble(trouble.cell, trouble.replica, trouble.what);
  }
  return problem;
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
  Parts parts;
  for (const std::string& path : shards) {
    auto opened = reports::RunReader::open(path);
    if (auto* problem = std::get_if<std::string>(&opened)) {
      return std::move(*problem);
    }
    auto& reader = std::get<reports::RunReader>(opened);
    if (auto lacks = no_part(path, reader)) {
      return lacks;
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
  auto created = reports::RunStore::create(out, whole(parts));
  if (auto* problem = std::get_if<std::string>(&created)) {
    return std::move(*problem);
  }
  std::optional<std::string> problem;
  {
    auto& store = std::get<reports::RunStore>(created);
    for (auto& [shard, part] : parts) {
      if (!problem) {
        problem = copy(part.second, store);
      }
    }
    if (!problem) {
      list_recordings(parts, store);
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

}  // namespace aftershock::sim::sweep
