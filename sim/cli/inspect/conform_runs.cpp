#include "sim/cli/inspect/conform_runs.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "policies/registry.h"
#include "reports/render/format.h"
#include "sim/cli/command.h"
#include "sim/cli/inspect/conform_cells.h"
#include "sim/cli/many_runs.h"
#include "sim/sweep/dispatch.h"
#include "sim/sweep/process_pool.h"
#include "sim/sweep/schedule.h"

namespace aftershock::sim::cli {
namespace {

/// A comparison that will take longer says so.
constexpr std::int64_t kLongUs = 60'000'000;

std::string view_text(const reports::RunSummary& summary, const reports::Decisions& decisions) {
  return policies::text_from_json(conform::view_of(reports::to_json(summary), decisions));
}

/// Takes rows in, and says what was wrong with those that have no view.
class Rows {
 public:
  explicit Rows(const sweep::Plan& plan) : plan_(plan) {}

  bool take(reports::RunRow&& row) {
    const bool whole = row.verdict != reports::Verdict::kPolicyFailed &&
                       row.verdict != reports::Verdict::kInternalError && !row.marks.empty();
    if (!whole) {
      complain(fmt::format("{}, seed {}: {}", plan_.cells[row.cell].name, row.seed,
                           reports::why_of(row)));
      worst_ = reports::worse_of(worst_, row.verdict);
    }
    texts_[{row.cell, row.replica}] = std::move(row.marks);
    return whole;
  }

  /// The view of a run, which is there.
  conform::View view(std::uint32_t cell, std::uint32_t replica) const {
    return policies::json_from_text<conform::View>(texts_.at({cell, replica}));
  }
  [[nodiscard]] std::size_t size() const { return texts_.size(); }
  /// So many runs are there of each of as many cells as belong together.
  [[nodiscard]] std::size_t whole(std::uint32_t sides) const {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> there;
    for (const auto& [run, text] : texts_) {
      ++there[{run.first / sides, run.second}];
    }
    return static_cast<std::size_t>(
        std::ranges::count_if(there, [sides](const auto& of) { return of.second == sides; }));
  }
  [[nodiscard]] reports::Verdict worst() const { return worst_; }

 private:
  const sweep::Plan& plan_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> texts_;
  reports::Verdict worst_ = reports::Verdict::kPassed;
};

/// All runs of a plan, as they are told: one that several cells make is one.
struct Total {
  std::uint64_t runs = 0;
  std::uint32_t sides = 1;
};

/// Runs what is wanted of a plan; the exit code of what went wrong, which was said.
int run_plan(const sweep::Plan& plan, sweep::WorkerPool& pool, Rows& rows, Progress& progress,
             Total total, const std::function<bool(std::uint32_t, std::uint32_t)>& wanted) {
  sweep::Schedule schedule(static_cast<std::uint32_t>(plan.cells.size()), plan.replicas,
                           sweep::runs_a_task(total.runs * total.sides, pool.size()), wanted);
  sweep::Work work;
  work.next = [&schedule] { return schedule.next(); };
  work.row = [&rows](reports::RunRow&& row) { return rows.take(std::move(row)); };
  work.trouble = [](const sweep::Task&, const std::string&) {};
  work.not_recorded = [](const std::string&) {};
  work.tick = [&] { progress.show(rows.size() / total.sides, total.runs); };
  const sweep::DispatchResult result = sweep::dispatch(pool, plan, work);
  progress.clear();
  if (result.ended == sweep::Ended::kInterrupted) {
    complain(
        fmt::format("interrupted with {} of {} runs done", rows.whole(total.sides), total.runs));
    return reports::exit_code(reports::Verdict::kInconclusive);
  }
  if (result.ended != sweep::Ended::kDone) {
    complain(result.why);
    return kInternalError;
  }
  return reports::exit_code(rows.worst());
}

/// Says how long it will take, where that is long: `start_us` is what a process takes to be there,
/// and `first_us` a process and a run.
void tell_length(std::int64_t start_us, std::int64_t first_us, std::uint64_t runs,
                 std::uint32_t workers) {
  const std::int64_t each_us = std::max<std::int64_t>(first_us - start_us, 0);
  const std::int64_t all_us = start_us + each_us * static_cast<std::int64_t>(runs / workers);
  if (all_us > kLongUs) {
    complain(fmt::format("{} runs of the installed code: this will take about {}",
                         reports::format_count(static_cast<std::int64_t>(runs)),
                         reports::format_duration(all_us)));
  }
}

/// The runs to make: of a case a cell for the port, and behind it one for the installed code where
/// that is run.
struct Both {
  sweep::Plan plan;
  std::uint32_t sides = 2;
  std::uint64_t runs = 0;                         ///< of each side
  std::vector<std::vector<std::string>> digests;  ///< by case and replica
  std::int64_t start_us = 0;  ///< how long the first answer of the installed code took
};

/// Of the first runs of a case, whose cell is the plan's last.
std::vector<std::string> digests_of(const CaseCells& cells, const sweep::Plan& plan,
                                    std::uint32_t runs) {
  const auto cell = static_cast<std::uint32_t>(plan.cells.size() - 1);
  std::vector<std::string> digests;
  for (std::uint32_t replica = 0; replica < runs; ++replica) {
    digests.push_back(cells.digest(plan.seed_of(cell, replica)));
  }
  return digests;
}

/// None, with the errors of all scenarios on standard error.
std::optional<Both> plan_of(const ConformRequest& request) {
  Both both;
  both.plan.told = view_text;
  both.sides = request.recorded ? 1 : 2;
  bool good = true;
  for (std::size_t of = 0; of < request.list.cases.size(); ++of) {
    const conform::Case& one = request.list.cases[of];
    const auto cells = CaseCells::read(one, request.paths[of], request.port);
    const Stopwatch answering;
    auto installed =
        cells && both.sides == 2 ? cells->decided_by(request.installed, true) : std::nullopt;
    both.start_us = of == 0 ? answering.elapsed_us() : both.start_us;
    if (!cells || (both.sides == 2 && !installed)) {
      good = false;
      continue;
    }
    both.plan.cells.push_back(cells->port());
    both.digests.push_back(digests_of(*cells, both.plan, conform::runs_of(one)));
    if (installed) {
      both.plan.cells.push_back(*std::move(installed));
    }
    both.plan.replicas = std::max(both.plan.replicas, conform::runs_of(one));
    both.runs += conform::runs_of(one);
  }
  return good ? std::optional(std::move(both)) : std::nullopt;
}

/// Runs all of them, that of the installed code's first case before the others.
int run_all(const ConformRequest& request, const Both& both, Rows& rows) {
  const auto& cases = request.list.cases;
  Progress progress(!request.shows_progress);
  const auto pool = sweep::make_process_pool(both.plan, {request.workers, {}});
  const auto is_first = [&both](std::uint32_t cell, std::uint32_t replica) {
    return cell == both.sides - 1 && replica == 0;
  };
  const Total total{.runs = both.runs, .sides = both.sides};
  const Stopwatch running;
  const int code = run_plan(both.plan, *pool, rows, progress, total, is_first);
  if (code != kOk) {
    return code;
  }
  if (both.sides == 2) {
    tell_length(both.start_us, running.elapsed_us(), both.runs, request.workers);
  }
  return run_plan(
      both.plan, *pool, rows, progress, total, [&](std::uint32_t cell, std::uint32_t replica) {
        return replica < conform::runs_of(cases[cell / both.sides]) && !is_first(cell, replica);
      });
}

/// Whether each run was recorded, of the scenario as it is; a word on standard error for those that
/// were not.
bool all_recorded(const ConformRequest& request, const Both& both) {
  bool all = true;
  for (std::uint32_t of = 0; of < request.list.cases.size(); ++of) {
    const conform::Case& one = request.list.cases[of];
    for (std::uint32_t replica = 0; replica < conform::runs_of(one); ++replica) {
      const std::uint64_t seed = both.plan.seed_of(of, replica);
      const std::string& digest = both.digests[of][replica];
      const conform::RecordedRun* run = request.recorded->find(one.scenario, seed, digest);
      if (run == nullptr || run->digest != digest) {
        complain(fmt::format(
            "{}: {}; --record records it", run_words(one, seed),
            run == nullptr ? "was not recorded" : "is another scenario than was recorded"));
        all = false;
      }
    }
  }
  return all;
}

}  // namespace

std::string run_words(const conform::Case& one, std::uint64_t seed) {
  return printable(!one.cells.empty()  ? fmt::format("{}, {}", one.scenario, one.cells[seed])
                   : one.sequences > 0 ? fmt::format("{}, sequence {}", one.scenario, seed)
                   : one.seeds > 0     ? fmt::format("{}, seed {}", one.scenario, seed)
                                       : one.scenario);
}

ConformRuns run_both(const ConformRequest& request) {
  const auto& cases = request.list.cases;
  auto both = plan_of(request);
  if (!both || (request.recorded && !all_recorded(request, *both))) {
    return {.code = kUnusable, .runs = {}, .installed = {}, .digests = {}};
  }
  Rows rows(both->plan);
  ConformRuns made{
      .code = run_all(request, *both, rows), .runs = {}, .installed = {}, .digests = {}};
  for (std::uint32_t of = 0; made.code == kOk && of < cases.size(); ++of) {
    const std::uint32_t cell = of * both->sides;
    for (std::uint32_t replica = 0; replica < conform::runs_of(cases[of]); ++replica) {
      const std::uint64_t seed = both->plan.seed_of(cell, replica);
      const conform::View port = rows.view(cell, replica);
      const std::string& digest = both->digests[of][replica];
      conform::View installed = request.recorded
                                    ? request.recorded->find(cases[of].scenario, seed, digest)->view
                                    : rows.view(cell + 1, replica);
      made.digests.push_back(digest);
      made.runs.push_back({.of = of,
                           .seed = seed,
                           .counts = conform::counts_of(port),
                           .differences = conform::differences(port, installed)});
      const bool kept = request.keeps_views || !made.runs.back().differences.empty();
      made.installed.push_back(kept ? std::move(installed) : conform::View());
    }
  }
  return made;
}

std::optional<std::vector<ProfileFit>> try_profiles(const ConformRequest& request,
                                                    const ConformRuns& made,
                                                    const std::vector<std::size_t>& differ) {
  std::vector<ProfileFit> fits;
  sweep::Plan plan;
  plan.told = view_text;
  // By cell: which profile it is of, and which runs it has by replica.
  std::vector<std::pair<std::size_t, std::map<std::uint32_t, std::size_t>>> wanted;
  std::uint64_t total = 0;
  const policies::PolicyEntry* entry = policies::shipped_policy(request.list.policy);
  for (const std::string_view profile : entry->profiles) {
    if (profile == request.list.profile) {
      continue;
    }
    fits.push_back({.profile = std::string(profile), .agree = 0});
    std::map<std::size_t, std::map<std::uint32_t, std::size_t>> runs;
    for (const std::size_t run : differ) {
      const conform::Case& one = request.list.cases[made.runs[run].of];
      const std::uint64_t seed = made.runs[run].seed;
      const std::uint64_t replica = seed - conform::first_seed(one).value_or(seed);
      runs[made.runs[run].of][static_cast<std::uint32_t>(replica)] = run;
    }
    for (auto& [of, replicas] : runs) {
      const conform::Case& one = request.list.cases[of];
      const scenario::ReadOptions options = port_options(request.list.policy, std::string(profile));
      const auto cells = CaseCells::read(one, request.paths[of], request.port);
      if (auto cell = cells ? cells->decided_by(options, false) : std::nullopt) {
        plan.cells.push_back(*std::move(cell));
        plan.replicas = std::max(plan.replicas, conform::runs_of(one));
        total += replicas.size();
        wanted.emplace_back(fits.size() - 1, std::move(replicas));
      }
    }
  }
  if (plan.cells.empty()) {
    return fits;
  }
  Rows rows(plan);
  Progress progress(!request.shows_progress);
  const auto pool = sweep::make_process_pool(plan, {request.workers, {}});
  if (run_plan(plan, *pool, rows, progress, {.runs = total, .sides = 1},
               [&wanted](std::uint32_t cell, std::uint32_t replica) {
                 return wanted[cell].second.contains(replica);
               }) != kOk) {
    return std::nullopt;
  }
  for (std::uint32_t cell = 0; cell < wanted.size(); ++cell) {
    for (const auto& [replica, run] : wanted[cell].second) {
      if (conform::differences(rows.view(cell, replica), made.installed[run]).empty()) {
        ++fits[wanted[cell].first].agree;
      }
    }
  }
  std::ranges::stable_sort(fits, std::greater(), &ProfileFit::agree);
  return fits;
}

}  // namespace aftershock::sim::cli
