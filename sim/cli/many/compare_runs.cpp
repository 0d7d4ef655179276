#include "sim/cli/many/compare_runs.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/check/words.h"
#include "reports/compare/decision_json.h"
#include "reports/compare/decision_text.h"
#include "reports/render/comparison_text.h"
#include "reports/render/format.h"
#include "reports/results/cell_summary.h"
#include "reports/results/store_schema.h"
#include "sim/cli/command.h"
#include "sim/cli/many/deciding_notes.h"
#include "sim/cli/many/never_struck.h"
#include "sim/cli/many/run_again.h"

namespace aftershock::sim::cli {
namespace {

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

/// The differences that were found in two recordings.
struct Found {
  std::vector<std::string> files;
  std::string problem;
  bool interrupted = false;
  std::optional<reports::Divergence> divergence;
};

Found look_into(const Looked& looked, const Told& told, const RecordPair& record) {
  Found found;
  auto recorded = record(looked.second, looked.replica);
  if (auto* problem = std::get_if<sweep::NotRun>(&recorded)) {
    found.problem = std::move(problem->why);
    found.interrupted = problem->interrupted;
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

/// The command that shows a run of a cell. The viewer asks no external policy: it takes a
/// recording.
std::vector<std::string> look_commands(const CompareArguments& arguments, const sweep::Plan& plan,
                                       std::uint32_t cell, std::uint64_t seed) {
  const sweep::PlannedCell& planned = plan.cells[cell];
  const bool decided_outside = planned.policies != nullptr;
  const bool installed = decided_outside && names_installed(planned.policies->title());
  const bool from_elsewhere = decided_outside && !installed;
  ScenarioOptions options = arguments.sweep.scenario;
  sweep::Point parameters = planned.about.parameters;
  if (from_elsewhere) {
    // They go by the flag, which is among the options.
    std::erase_if(parameters, [](const auto& each) { return each.first == "policy"; });
  } else {
    options.policy_cmd = options.policy_lib = "";
  }
  if (!decided_outside) {
    options.policy_deadline = options.python = "";
    options.policy_env.clear();
  }
  const auto command =
      run_command(arguments.paths.front(), overrides_of(options), parameters, seed);
  if (!command) {
    return {};
  }
  if (!decided_outside) {
    return {*command + " --view"};
  }
  const std::string name = cell == 0 ? plan.scenario : fmt::format("{}-{}", plan.scenario, cell);
  return reports::recording_commands(*command, name, seed);
}

std::string look_text(const CompareArguments& arguments, const sweep::Plan& plan,
                      const Looked& looked, const Found& found, const Told& told) {
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
    return out + fmt::format("  look at both: aftershock view {} {}\n",
                             reports::shell_path(found.files[0]),
                             reports::shell_path(found.files[1]));
  }
  std::vector<std::string> commands = look_commands(arguments, plan, 0, seed);
  if (!told.exact) {
    const auto others = look_commands(arguments, plan, looked.second, seed);
    commands.insert(commands.end(), others.begin(), others.end());
  }
  for (std::size_t i = 0; i < commands.size(); ++i) {
    out += fmt::format("  {} {}\n", i == 0 ? "look at it:" : "           ", commands[i]);
  }
  return out;
}

std::int64_t failures_of_policies(const reports::CellRows& cells) {
  std::int64_t count = 0;
  for (const auto& rows : cells) {
    count += std::ranges::count(rows, reports::Verdict::kPolicyFailed, &reports::RunRow::verdict);
  }
  return count;
}

nlohmann::ordered_json told_json(const Told& told, const std::optional<Looked>& looked,
                                 const Found& found) {
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
  return json;
}

std::string told_text(const CompareArguments& arguments, const CompareRequest& request,
                      const Told& told, const std::optional<Looked>& looked, const Found& found) {
  std::string text = reports::comparison_text(told.comparison, output_style());
  // Of another build nobody varies anything.
  const auto notes =
      told.exact ? std::vector<std::string>() : deciding_notes(told.comparison, request.sweep.plan);
  for (const std::string& note : notes) {
    text += reports::wrapped("note: " + note, 0, output_style().width);
  }
  for (const std::string& assumed : request.assumed) {
    text += assumed;
  }
  if (looked && found.problem.empty()) {
    text += look_text(arguments, request.sweep.plan, *looked, found, told);
  }
  return text;
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
  if (!kept_) {
    const sweep::TemporaryFolder& made = temporary_.emplace();
    path_ = made.path();
    problem_ = made.problem();
    return;
  }
  std::error_code error;
  path_ = out + ".recordings";
  std::filesystem::create_directories(path_, error);
  if (error) {
    problem_ = fmt::format("{}: {}", path_, error.message());
  }
}

RecordingFolder::~RecordingFolder() {
  std::error_code ignored;
  if (kept_) {
    std::filesystem::remove(path_, ignored);  // where nothing was left in it
  }
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
  const auto failures = failures_of_policies(told.rows);
  const auto looked = quiet || failures > 0 ? std::nullopt : chosen(request, told);
  const Found found = looked ? look_into(*looked, told, record) : Found();
  if (arguments.sweep.scenario.format.is_table() && !quiet && failures > 0) {
    // A run that ends when its policy fails has lost little until then.
    complain(fmt::format("nothing is compared: in {} {} the policy failed", failures,
                         failures == 1 ? "run" : "runs"));
  } else {
    print_unless_quiet(arguments.sweep.scenario,
                       {.text = [&] { return told_text(arguments, request, told, looked, found); },
                        .markdown = [&] { return reports::comparison_markdown(told.comparison); },
                        .rows = [&] { return reports::comparison_rows(told.comparison); },
                        .json = [&] { return told_json(told, looked, found); }});
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
  if (!quiet) tell_never_struck(told.comparison.header, told.rows);
  const reports::Verdict worst = worst_of(told.rows);
  const int code = reports::exit_code(worst);
  for (std::size_t i = 0; code != kOk && i < told.rows.size(); ++i) {
    const auto row = std::ranges::find(told.rows[i], worst, &reports::RunRow::verdict);
    if (row != told.rows[i].end()) {
      complain(fmt::format("{}, seed {}: {}: exit code {}",
                           printable(told.comparison.header.cells[i].label), row->seed,
                           printable(reports::why_of(*row)), code));
      break;
    }
  }
  if (found.problem.empty() || code != kOk) {
    return code;
  }
  return found.interrupted ? reports::exit_code(reports::Verdict::kInconclusive) : kInternalError;
}

}  // namespace aftershock::sim::cli
