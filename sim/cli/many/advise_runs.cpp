#include "sim/cli/many/advise_runs.h"

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
bool all_made(const sweep::Plan& plan, reports::RunStore& store, const AdviceRuns& runs,
              int& code) {
  const auto pool = sweep::make_process_pool(plan, {runs.workers, {}});
  const MadeRuns made =
      make_runs(runs.shown, plan, store, *pool, {},
                runs.out.empty() ? "with --out FILE they are kept, to go on with --resume"
                                 : "go on with --resume",
                true);
  if (made.code != kOk) {
    code = made.code;
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

std::optional<advise::Advice> advice_by_runs(const advise::AdviceQuestion& question,
                                             sweep::Plan& plan, const AdviceRuns& runs, int& code) {
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
    if (!all_made(plan, *store, runs, code)) {
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
