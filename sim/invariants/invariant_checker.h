#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "policies/api/decision.h"
#include "policies/api/events.h"
#include "sim/invariants/job_book.h"
#include "sim/invariants/waiting_jobs.h"
#include "sim/machines/pool.h"
#include "sim/scenario/scenario.h"
#include "sim/workload/job.h"

namespace aftershock::sim {

/// An invariant that does not hold.
struct Finding {
  std::string_view id;
  std::string what;  ///< names the job, and the node or checkpoint where there is one
};

/// Holds a run to invariants(): is told what happens, keeps books of its own, and compares. It
/// changes nothing, and nothing is decided by what it knows; a plain value. Its cost follows the
/// number of events, not the size of the cluster.
class InvariantChecker {
 public:
  explicit InvariantChecker(std::shared_ptr<const Scenario> scenario);

  /// The next entry is played, with so many more waiting.
  void play(std::int64_t t_us, std::size_t waiting) {
    if (t_us < now_us_ || waiting > most_waiting_) {
      check_calendar(t_us, waiting);
    }
    now_us_ = t_us;
  }

  // checker_decisions.cpp, checker_budgets.cpp, checker_commands.cpp: what a policy says. To be
  // called in this order: with the decision, before and after each command, with what is watched.
  void decided(const Job& job, const policies::Decision& decision);
  void asked(const Job& job, const policies::Command& command, const std::vector<Pool>& pools);
  void answered(const Job& job, const policies::Command& command) {
    if (books_[job.index].may_change) {
      check_answer(job, command);
    }
  }
  void watches(const Job& job, const policies::Watch& watch);

  // checker_storage.cpp: checkpoints, and what a controller leaves for the next.
  void durable(const Job& job, const Checkpoint& checkpoint);
  void committed(const Job& job, const Checkpoint& checkpoint);
  void restored(const Job& job, std::int64_t work_us);
  void persisted(const Job& job) { books_[job.index].stored = books_[job.index].newest; }
  void forgot_run(const Job& job);
  void controller_lost(const Job& job, bool state_kept);
  void controller_started(const Job& job);

  // checker_places.cpp: nodes and processes.
  void staged(const Job& job) {
    if (job.stage != Stage::kQueued) {
      waiting_.leave(job.index);
    }
    // Most often it goes on.
    if (books_[job.index].live != job.epoch || !has_processes(job)) {
      check_stage(job);
    }
  }
  void placed(const Job& job, const std::vector<Job>& jobs, Pool& pool);
  void drains(std::uint32_t pool, std::uint32_t node, std::uint32_t machine,
              std::int64_t deadline_us);
  void look_around(const std::vector<Job>& jobs, const std::vector<Pool>& pools) {
    if (!drains_.empty()) {
      check_drains(jobs, pools);
    }
    if (!waiting_.empty()) {
      check_waiting(pools);
    }
  }
  void ended(const Job& job);

  // checker_liveness.cpp: what has to come by a time.
  /// A fault strikes: what follows may be its doing.
  void struck(std::uint32_t number);
  /// From now on that is due.
  void expect(const Job& job, DeadlineKind due, std::int64_t by_us);
  /// It has come.
  void keep(const Job& job, DeadlineKind due) {
    if (books_[job.index].deadlines.any()) {
      check_kept(job, due);
    }
  }
  /// It cannot come any more, and need not.
  void drop(const Job& job, DeadlineKind due) { books_[job.index].deadlines.take(due); }
  /// An elastic job was told what there is room for, or runs.
  void room(const Job& job);
  /// It is not served at once.
  void waits(const Job& job);
  /// The node is well again at that time.
  void isolated(std::uint32_t pool, std::uint32_t node, std::uint32_t machine, std::int64_t by_us);
  /// Deadlines already missed when a run is over: something may excuse them.
  [[nodiscard]] std::vector<MissedDeadline> missed_deadlines(const Job& job) const;
  /// `others`: nodes by pool that are held by experiments and by maintenance, or by a start that
  /// leaked them.
  void close(const std::vector<Job>& jobs, const std::vector<Pool>& pools,
             const std::vector<std::vector<std::uint32_t>>& others);

  /// Fewest workers that the job may start with.
  [[nodiscard]] std::uint32_t least_workers(std::uint32_t job) const { return least_[job]; }

  /// Whether take() has anything to give.
  [[nodiscard]] bool found() const { return !findings_.empty(); }
  /// The findings since the last call.
  std::vector<Finding> take() { return std::exchange(findings_, {}); }

 private:
  /// A node that is to be gone at a time.
  struct Drain {
    std::uint32_t pool = 0;
    std::uint32_t node = 0;
    std::uint32_t machine = 0;
    std::int64_t deadline_us = 0;
  };

  void check_calendar(std::int64_t t_us, std::size_t waiting);
  void find(std::string_view id, const Job& job, std::string_view what) {
    find(id, job.index, what);
  }
  void find(std::string_view id, std::uint32_t job, std::string_view what);
  void hear(const Job& job, JobBook& book, const policies::Event& event);
  void hear_report(const Job& job, JobBook& book, const policies::CheckpointReported& report);
  void check_step(const Job& job, JobBook& book, const policies::Step& step);
  void check_move(const Job& job, JobBook& book, const policies::Step& step,
                  const policies::BudgetMove& move);
  void check_start(const Job& job, JobBook& book, std::uint32_t workers);
  /// Attempts in a row that the application ended, as the next one is held to them.
  [[nodiscard]] static std::int64_t application_errors(const Job& job, const JobBook& book);
  void check_from(const Job& job, JobBook& book, policies::CheckpointId from);
  void check_commit(const Job& job, JobBook& book, policies::CheckpointId id);
  void check_backoff(const Job& job, JobBook& book, const policies::Backoff& backoff);
  void check_stop(const Job& job, const JobBook& book);
  void check_knowledge(const Job& job, JobBook& book, const policies::Decision& decision);
  void check_node(const Job& job, policies::NodeId node, const std::vector<Pool>& pools);
  void open(const Job& job, JobBook& book);
  void check_empty(const Job& job);
  void check_answer(const Job& job, const policies::Command& command);
  void check_stage(const Job& job);
  void check_places(const Job& job, const std::vector<Job>& jobs);
  void check_drains(const std::vector<Job>& jobs, const std::vector<Pool>& pools);
  void check_loop(const Job& job, JobBook& book);
  void check_serial(const Job& job, JobBook& book);
  void check_spread(const Job& job);
  void check_kept(const Job& job, DeadlineKind due) { judge_deadline(job.index, due); }
  void judge_deadline(std::uint32_t job, DeadlineKind due);
  void end_deadlines(std::uint32_t job);
  void check_deadlines(const Job& job, JobBook& book, const policies::Decision& decision);
  void check_waiting(const std::vector<Pool>& pools);
  void check_isolated(const std::vector<Pool>& pools);
  void note_nodes(Pool& pool, NodeBits& off_limits) const;

  std::shared_ptr<const Scenario> scenario_;
  std::int64_t now_us_ = 0;
  std::size_t most_waiting_ = 0;
  bool overfull_ = false;
  std::vector<JobBook> books_;        ///< by job
  std::vector<std::uint32_t> least_;  ///< by job: fewest workers that it may start with
  std::vector<NodeBits> off_limits_;  ///< by pool: where nothing may be launched
  std::vector<Drain> drains_;
  std::vector<Drain> isolations_;  ///< deadline: when they are well again
  WaitingJobs waiting_;
  std::int64_t looked_us_ = 0;  ///< at those, last
  /// When faults struck last: the first of them, and how many.
  struct Moment {
    std::int64_t t_us = -1;
    std::uint32_t first = 0;
    std::uint32_t faults = 0;
  } moment_;
  std::vector<Finding> findings_;
};

}  // namespace aftershock::sim
