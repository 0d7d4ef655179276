#include <algorithm>
#include <type_traits>
#include <variant>

#include <fmt/format.h>

#include "sim/invariants/invariant_checker.h"
#include "sim/scenario/text/node_names.h"

// Commands: what is asked for, and what came of it.
namespace aftershock::sim::invariants {

namespace {

Standing standing_of(const workload::Job& job) {
  return {.epoch = job.epoch,
          .stage = static_cast<std::uint8_t>(job.stage),
          .stage_epoch = job.stage_epoch,
          .healings = job.pods.healings,
          .kept = job.pods.kept};
}

template <class Asked>
inline constexpr bool kStarts = std::is_same_v<Asked, policies::StartAttempt> ||
                                std::is_same_v<Asked, policies::ReplaceWorkers> ||
                                std::is_same_v<Asked, policies::RestartProcesses> ||
                                std::is_same_v<Asked, policies::RecreatePods>;

/// The closed set of scenario.md decision 12.
bool is_reason(std::string_view reason, const policies::PolicyInfo& info) {
  const auto within = [&](std::string_view word) {
    return reason.starts_with(word) && reason.ends_with(")")
               ? reason.substr(word.size(), reason.size() - word.size() - 1)
               : std::string_view();
  };
  if (reason == "completed" || reason == "stopped_by_user") {
    return true;
  }
  if (const auto budget = within("exhausted("); !budget.empty()) {
    return std::ranges::find(info.budgets, budget) != info.budgets.end();
  }
  if (const auto rule = within("gave_up("); !rule.empty()) {
    return std::ranges::find(info.rules, rule, &policies::Rule::id) != info.rules.end();
  }
  return !within("unrecoverable(").empty();
}

}  // namespace

void InvariantChecker::check_stop(const workload::Job& job, const JobBook& book) {
  // Room for a size, once told, holds from one attempt to the next.
  const bool resizes = job.pool_watch.capacity && job.pool_watch.capacity_told &&
                       *job.pool_watch.capacity_told != job.workers;
  if (!book.evidence && !book.overran && !resizes) {
    find("S21", job,
         fmt::format("workers of attempt {} are stopped, and nothing was heard of it", book.epoch));
  }
}

// A policy has a say over the nodes of its own pool that no other job holds.
void InvariantChecker::check_node(const workload::Job& job, policies::NodeId node,
                                  const std::vector<machines::Pool>& pools) {
  std::uint32_t index = node;
  for (std::uint32_t pool = 0; pool < pools.size(); index -= pools[pool++].size()) {
    if (index >= pools[pool].size()) {
      continue;
    }
    const std::uint32_t holder = pools[pool].node(index).job;
    if (pools[pool].taken(index) && holder != job.index) {
      const std::string name = scenario::node_name(scenario_->cluster.pools[pool], index);
      find("S15", job, fmt::format("isolates {}, which is another's", name));
    }
    return;
  }
}

void InvariantChecker::asked(const workload::Job& job, const policies::Command& command,
                             const std::vector<machines::Pool>& pools) {
  JobBook& book = books_[job.index];
  if (const auto* persist = std::get_if<policies::Persist>(&command);
      persist != nullptr && persist->job == job.index && book.commands.take(persist->id)) {
    book.may_change = false;
    return;
  }
  book.may_change = !std::holds_alternative<policies::CommitCheckpoint>(command) &&
                    !std::holds_alternative<policies::DeleteCheckpoints>(command) &&
                    !std::holds_alternative<policies::Persist>(command);
  if (book.may_change) {
    book.before = standing_of(job);
  }
  std::visit(
      [&](const auto& asked) {
        using Asked = std::decay_t<decltype(asked)>;
        if (asked.job != job.index) {
          find("S15", job, fmt::format("a {} for job {}", Asked::kName, asked.job));
        }
        if (!book.commands.take(asked.id)) {
          find("S19", job, fmt::format("command {} is given twice", asked.id));
        }
        if constexpr (std::is_same_v<Asked, policies::StartAttempt>) {
          check_start(job, book, asked.workers);
          check_from(job, book, asked.from.value_or(0));
        } else if constexpr (kStarts<Asked>) {
          check_start(job, book, job.workers);
        } else if constexpr (std::is_same_v<Asked, policies::StopWorkers>) {
          check_stop(job, book);
        } else if constexpr (std::is_same_v<Asked, policies::IsolateNode>) {
          check_stop(job, book);
          check_node(job, asked.node, pools);
        } else if constexpr (std::is_same_v<Asked, policies::CommitCheckpoint>) {
          check_commit(job, book, asked.checkpoint);
        } else if constexpr (std::is_same_v<Asked, policies::DeleteCheckpoints>) {
          if (book.newest != 0 &&
              std::ranges::find(asked.checkpoints, book.newest) != asked.checkpoints.end()) {
            find("S06", job,
                 fmt::format("its newest committed checkpoint {} is deleted", book.newest));
          }
        } else if constexpr (std::is_same_v<Asked, policies::Fail>) {
          for (std::size_t i = 0; i < book.budgets.size(); ++i) {
            const BudgetBook& budget = book.budgets[i];
            const std::string_view name = job.control.host.info().budgets[i];
            if (asked.reason == fmt::format("exhausted({})", name) && budget.limit &&
                budget.counted <= *budget.limit) {
              find("S11", job,
                   fmt::format("ends because {} is used up, at {} of {}", name, budget.counted,
                               *budget.limit));
            }
          }
        }
      },
      command);
}

void InvariantChecker::check_answer(const workload::Job& job, const policies::Command& command) {
  JobBook& book = books_[job.index];
  const Standing after = standing_of(job);
  if (after == book.before) {
    return;
  }
  std::visit(
      [&](const auto& asked) {
        using Asked = std::decay_t<decltype(asked)>;
        if constexpr (kStarts<Asked> || std::is_same_v<Asked, policies::StopWorkers>) {
          if (kStarts<Asked> ? asked.epoch <= book.epoch : asked.epoch != book.epoch) {
            find("S19", job,
                 fmt::format("a {} for attempt {} took effect in attempt {}", Asked::kName,
                             asked.epoch, book.epoch));
          }
        }
      },
      command);
  if (after.epoch != book.before.epoch) {
    open(job, book);
  }
}

void InvariantChecker::open(const workload::Job& job, JobBook& book) {
  book.application = application_errors(job, book);
  book.epoch = job.epoch;
  book.announced = {};
  book.relaxed = false;
  book.workers = job.workers;
  book.ran = false;
  book.failed = false;
  // News of nodes and chips, or of a user, outlives its attempt, and so does news of workers that
  // are to be replaced.
  book.evidence = std::exchange(book.hardware, false) || job.pods.replacing;
  book.moved = false;
  book.overran = false;
  book.backs_off_since_us.reset();
  // Room that was there for the attempt before is what this one may have taken.
  book.deadlines.take(DeadlineKind::kGrows);
}

// Of what the attempt before was about.
void InvariantChecker::check_empty(const workload::Job& job) {
  const std::string_view left = job.detection.report_slot != 0 || job.detection.report_waiting != 0
                                    ? "a report"
                                : job.saved.uploading != 0 || job.saved.upload != 0 ? "an upload"
                                : job.saved.download != 0                           ? "a download"
                                : job.saved.uncommitted != 0        ? "an unfinished checkpoint"
                                : !job.detection.failures.empty()   ? "a failure"
                                : job.detection.returned_visible_us ? "the end of training"
                                                                    : "";
  if (!left.empty()) {
    find("S22", job,
         fmt::format("{} of the attempt before is left in attempt {}", left, job.epoch));
  }
}

void InvariantChecker::ended(const workload::Job& job) {
  JobBook& book = books_[job.index];
  if (book.ended) {
    find("S10", job, fmt::format("ends once more, for \"{}\"", job.reason));
  }
  book.ended = true;
  end_deadlines(job.index);
  if (!is_reason(job.reason, job.control.host.info())) {
    find("S10", job,
         fmt::format("\"{}\" is not a reason for which jobs end: expected exhausted(BUDGET), "
                     "gave_up(RULE), unrecoverable(WHY) or stopped_by_user",
                     job.reason));
  }
}

}  // namespace aftershock::sim::invariants
