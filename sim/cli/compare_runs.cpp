#include "sim/cli/compare_runs.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "reports/compare/decision_json.h"
#include "reports/compare/decision_text.h"
#include "reports/render/comparison_text.h"
#include "reports/results/cell_summary.h"
#include "reports/results/store_schema.h"
#include "sim/cli/command.h"
#include "sim/cli/many_runs.h"
#include "sim/sweep/sweep.h"

namespace aftershock::sim::cli {
namespace {

/// As a shell takes it for one word.
std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == text.npos) {
    return text;
  }
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + "'";
}

/// The command that makes a run of a cell again.
std::string run_command(const CompareArguments& arguments, const reports::Cell& cell,
                        std::uint64_t seed) {
  std::string command = "aftershock run " + shell_word(arguments.paths.front());
  for (const auto& [name, value] : cell.parameters) {
    if (name == "policy") {
      command += " --policy " + shell_word(value);
    }
  }
  for (const std::string& set : arguments.sweep.scenario.sets) {
    command += " --set " + shell_word(set);
  }
  for (const auto& [name, value] : cell.parameters) {
    if (name != "policy") {
      command += " --set " + shell_word(name + "=" + value);
    }
  }
  return command + fmt::format(" --seed {}", seed);
}

/// Which two runs are looked into.
struct Looked {
  std::uint32_t second = 0;
  std::uint32_t replica = 0;
};

/// The replica that was asked for, or that in which the goal differs most, of the cell that differs
/// most from the first.
std::optional<Looked> chosen(const CompareRequest& request, const Told& told) {
  std::optional<Looked> looked;
  double most = -1;
  for (const reports::CellDifference& each : told.comparison.differences) {
    const auto replica = request.replica ? request.replica : each.widest;
    const double mean = each.goal ? std::abs(each.metrics[*each.goal].difference.mean.value) : 0;
    if (replica && mean > most) {
      most = mean;
      looked = Looked{each.second, *replica};
    }
  }
  if (looked || !told.exact) {
    return looked;
  }
  // Another build that comes to the same may have come to it another way.
  for (const reports::RunRow& row : told.rows[1]) {
    const auto own = std::ranges::find(told.rows[0], row.replica, &reports::RunRow::replica);
    if (own != told.rows[0].end() && own->hash != row.hash) {
      return Looked{1, row.replica};
    }
  }
  return std::nullopt;
}

/// What was found in two recordings.
struct Found {
  std::vector<std::string> files;
  std::string problem;
  std::optional<reports::Divergence> divergence;
};

Found look_into(const Looked& looked, const Told& told, const RecordPair& record) {
  Found found;
  auto recorded = record(looked.second, looked.replica);
  if (auto* problem = std::get_if<std::string>(&recorded)) {
    found.problem = std::move(*problem);
    return found;
  }
  found.files = std::get<0>(std::move(recorded));
  std::vector<reports::Decisions> decisions;
  for (const std::string& file : found.files) {
    auto read = reports::read_decisions(file);
    if (auto* problem = std::get_if<std::string>(&read)) {
      found.problem = std::move(*problem);
      return found;
    }
    decisions.push_back(std::get<0>(std::move(read)));
  }
  const auto& [a, b] = std::tie(decisions[0].steps, decisions[1].steps);
  if (!told.exact) {
    found.divergence = reports::first_by_fault(a, b);
  }
  if (!found.divergence) {
    found.divergence = reports::first_difference(a, b);
  }
  return found;
}

std::string look_text(const CompareArguments& arguments, const Looked& looked, const Found& found,
                      const Told& told) {
  const reports::StoreHeader& header = told.comparison.header;
  const std::uint64_t seed = header.first_seed + looked.replica;
  const reports::Style style = output_style();
  const auto& first = header.cells.front();
  const auto& second = header.cells[looked.second];
  if (!found.divergence) {
    return fmt::format("seed {}: the same decisions in both\n", seed);
  }
  std::string out = fmt::format("seed {}: the first decision that differs\n", seed) +
                    reports::divergence_text(*found.divergence, first.label, second.label, style);
  if (told.kept) {
    return out + fmt::format("  look at both: aftershock view {} {}\n", shell_word(found.files[0]),
                             shell_word(found.files[1]));
  }
  out += fmt::format("  look at it: {} --view\n", run_command(arguments, first, seed));
  return told.exact
             ? out
             : out + fmt::format("              {} --view\n", run_command(arguments, second, seed));
}

reports::Verdict worst_of(const reports::CellRows& rows) {
  std::vector<reports::CellSummary> cells(1);
  for (const auto& cell : rows) {
    for (const reports::RunRow& row : cell) {
      ++cells.front().verdicts[static_cast<std::size_t>(row.verdict)];
    }
  }
  return reports::worst_verdict(cells);
}

}  // namespace

RecordingFolder::RecordingFolder(const std::string& out) : kept_(!out.empty()) {
  std::error_code error;
  if (kept_) {
    path_ = out + ".recordings";
    std::filesystem::create_directories(path_, error);
  } else {
    path_ = (std::filesystem::temp_directory_path(error) / "aftershock-compare-XXXXXX").string();
    if (!error && ::mkdtemp(path_.data()) == nullptr) {
      error = std::error_code(errno, std::generic_category());
    }
  }
  if (error) {
    problem_ = fmt::format("{}: {}", path_, error.message());
  }
}

RecordingFolder::~RecordingFolder() {
  std::error_code ignored;
  if (!kept_ && problem_.empty()) {
    std::filesystem::remove_all(path_, ignored);
  } else if (kept_) {
    std::filesystem::remove(path_, ignored);  // where nothing was left in it
  }
}

std::optional<reports::RunStore> new_store(const std::string& out,
                                           const reports::StoreHeader& header) {
  std::error_code ignored;
  if (!out.empty() && std::filesystem::exists(std::filesystem::symlink_status(out, ignored))) {
    complain(fmt::format("{}: is there already; choose another name", out));
    return std::nullopt;
  }
  auto made = reports::RunStore::create(out.empty() ? ":memory:" : out, header);
  if (const auto* problem = std::get_if<std::string>(&made)) {
    complain(*problem);
    return std::nullopt;
  }
  return std::get<reports::RunStore>(std::move(made));
}

int make_runs(const CompareArguments& arguments, const Plan& plan, reports::RunStore& store,
              Crew& crew) {
  Progress progress(arguments.sweep.scenario.quiet || arguments.sweep.scenario.json);
  SweepOptions options;
  options.progress = [&progress](std::uint64_t done, std::uint64_t total) {
    progress.show(done, total);
  };
  options.commit_due = [&progress] { return progress.second_passed(); };
  const SweepResult result = sweep(plan, store, crew, options);
  if (result.ended == Ended::kInterrupted) {
    complain(fmt::format("interrupted with {} of {} runs done", result.done, result.total));
    return reports::exit_code(reports::Verdict::kInconclusive);
  }
  if (result.ended != Ended::kDone) {
    complain(result.why);
    return result.ended == Ended::kNotStored ? kUnusable : kInternalError;
  }
  return kOk;
}

std::optional<reports::CellRows> rows_by_cell(reports::RunStore& store) {
  reports::CellRows rows(store.header().cells.size());
  const auto problem = store.each([&rows](reports::RunRow&& row) {
    rows[row.cell].push_back(std::move(row));
    return true;
  });
  if (problem) {
    complain(*problem);
    return std::nullopt;
  }
  for (auto& cell : rows) {
    std::ranges::sort(cell, {}, &reports::RunRow::replica);
  }
  return rows;
}

int tell(const CompareArguments& arguments, const CompareRequest& request, const Told& told,
         const RecordPair& record) {
  const bool quiet = arguments.sweep.scenario.quiet;
  const auto looked = quiet ? std::nullopt : chosen(request, told);
  const Found found = looked ? look_into(*looked, told, record) : Found();
  if (arguments.sweep.scenario.json) {
    nlohmann::ordered_json json = reports::to_json(told.comparison);
    json["pair"] = nullptr;
    if (looked) {
      json["pair"] = {{"seed", told.comparison.header.first_seed + looked->replica},
                      {"first", 0},
                      {"second", looked->second},
                      {"divergence", nullptr},
                      {"recordings", nlohmann::ordered_json::array()}};
      if (found.divergence) {
        json["pair"]["divergence"] = reports::to_json(*found.divergence);
      }
      if (told.kept) {
        json["pair"]["recordings"] = found.files;
      }
    }
    print_json(json);
  } else if (!quiet) {
    print(reports::comparison_text(told.comparison, output_style()));
    if (looked && found.problem.empty()) {
      print(look_text(arguments, *looked, found, told));
    }
  }
  if (!found.problem.empty()) {
    complain(fmt::format("decisions were not compared: {}", found.problem));
  }
  for (std::size_t i = 0; i < told.rows.size(); ++i) {
    const auto lost =
        std::ranges::count_if(told.rows[i], [](const auto& row) { return row.values.empty(); });
    if (lost > 0) {
      complain(fmt::format("{}: {} runs cost their worker, and are left out",
                           printable(told.comparison.header.cells[i].label), lost));
    }
  }
  const reports::Verdict worst = worst_of(told.rows);
  const int code = reports::exit_code(worst);
  for (std::size_t i = 0; code != kOk && !quiet && i < told.rows.size(); ++i) {
    const auto row = std::ranges::find(told.rows[i], worst, &reports::RunRow::verdict);
    if (row != told.rows[i].end()) {
      complain(fmt::format("{}, seed {}: {}: exit code {}",
                           printable(told.comparison.header.cells[i].label), row->seed,
                           printable(row->reason), code));
      break;
    }
  }
  return found.problem.empty() || code != kOk ? code : kInternalError;
}

}  // namespace aftershock::sim::cli
