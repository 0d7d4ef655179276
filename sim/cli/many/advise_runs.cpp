#include "sim/cli/many/advise_runs.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "sim/advise/looks.h"
#include "sim/cli/command.h"
#include "sim/cli/many/run_again.h"
#include "sim/cli/many_runs.h"
#include "sim/sweep/process_pool.h"

namespace aftershock::sim::cli {
namespace {

/// The rows that a store has; none, with a word on standard error, where it cannot be read.
std::optional<std::uint64_t> rows_in(reports::RunStore& store) {
  std::uint64_t rows = 0;
  if (const auto problem = store.each([&rows](const reports::RunRow&) {
        ++rows;
        return true;
      })) {
    complain(*problem);
    return std::nullopt;
  }
  return rows;
}

/// Whether all runs were made, and no policy's process failed in one of them.
bool all_made(sweep::Plan& plan, reports::RunStore& store, const AdviceRuns& runs,
              advise::KnownRuns& known, int& code) {
  const auto pool = sweep::make_process_pool(plan, {runs.workers, {}});
  // A file says of every run how it went, with its own hash.
  const int made =
      runs.out.empty()
          ? make_unknown_runs(plan, store, *pool, runs.shown, true, known)
          : make_runs(runs.shown, plan, store, *pool, {}, "go on with --resume", true).code;
  if (made != kOk) {
    code = made;
    return false;
  }
  std::optional<reports::RunRow> failed;
  if (const auto problem = store.each(up_to(reports::Verdict::kPolicyFailed, failed))) {
    complain(*problem);
    return false;
  }
  if (failed) {
    complain_of_policy(store.header(), *failed);
    code = kPolicyProcessFailed;
    return false;
  }
  return true;
}

}  // namespace

int make_unknown_runs(sweep::Plan& plan, reports::RunStore& store, sweep::WorkerPool& pool,
                      const ScenarioOptions& shown, bool tell_soon, advise::KnownRuns& known) {
  constexpr std::string_view kGoOn = "with --out FILE they are kept, to go on with --resume";
  const std::vector<bool> first = known.first_of(plan);
  if (std::ranges::find(first, false) != first.end()) {
    std::vector<std::optional<std::uint32_t>> wanted;
    for (std::size_t cell = 0; cell < plan.cells.size(); ++cell) {
      wanted.push_back(plan.cells[cell].replicas);
      if (!first[cell]) {
        plan.cells[cell].replicas = 0;
      }
    }
    known.give(plan, store);
    const int code = make_runs(shown, plan, store, pool, {}, kGoOn, tell_soon).code;
    for (std::size_t cell = 0; cell < plan.cells.size(); ++cell) {
      plan.cells[cell].replicas = wanted[cell];
    }
    if (code != kOk) {
      return code;
    }
    known.take(plan, store);
  }
  known.give(plan, store);
  const int code = make_runs(shown, plan, store, pool, {}, kGoOn, tell_soon).code;
  known.take(plan, store);
  return code;
}

std::optional<advise::Advice> advice_by_runs(const advise::AdviceQuestion& question,
                                             sweep::Plan& plan, const AdviceRuns& runs,
                                             advise::KnownRuns& known, int& code) {
  code = kUnusable;
  if (runs.resume && runs.out.empty()) {
    complain("--resume goes with --out FILE, which has the runs that are done");
    return std::nullopt;
  }
  auto store =
      open_store(runs.out, runs.resume, store_header(plan, runs.path, overrides_of(runs.shown)));
  if (!store) {
    return std::nullopt;
  }
  if (runs.out.empty()) {
    advise::begin_looks(question, plan);
  }
  const auto done = rows_in(*store);
  if (!done) {
    return std::nullopt;
  }
  announce(runs.shown, plan, runs.workers, *done);
  while (true) {
    if (!all_made(plan, *store, runs, known, code)) {
      return std::nullopt;
    }
    auto advice = advise::advise(question, plan, *store);
    if (const auto* problem = std::get_if<std::string>(&advice)) {
      complain(*problem);
      return std::nullopt;
    }
    if (!advise::look_again(question, std::get<advise::Advice>(advice), plan)) {
      return std::get<advise::Advice>(std::move(advice));
    }
  }
}

}  // namespace aftershock::sim::cli
