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

namespace aftershock::sim::invariants {

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
  explicit InvariantChecker(std::shared_ptr<const scenario::Scenario> scenario);

  /// The next entry is played, with so many more waiting.
  void play(std::int64_t t_us, std::size_t waiting) {
    if (t_us < now_us_ || waiting > most_waiting_) {
      check_calendar(t_us, waiting);
    }
    now_us_ = t_us;
  }

  // checker_decisions.cpp, checker_budgets.cpp, checker_commands.cpp: what a policy says. To be
  // called in this order: with the decision, before and after each command, with what is watched.
  void decided(const workload::Job& job, const policies::Decision& decision);
  void asked(const workload::Job& job, const policies::Command& command,
             const std::vector<machines::Pool>& pools);
  void answered(const workload::Job& job, const policies::Command& command) {
    if (books_[job.index].may_change) {
      check_answer(job, command);
    }
  }
  void watches(const workload::Job& job, const policies::Watch& watch);

  // checker_storage.cpp: checkpoints, and what a controller leaves for the next.
  void durable(const workload::Job& job, const workload::Checkpoint& checkpoint);
  void committed(const workload::Job& job, const workload::Checkpoint& checkpoint);
  void restored(const workload::Job& job, std::int64_t work_us);
  void persisted(const workload::Job& job) { books_[job.index].stored = books_[job.index].newest; }
  void forgot_run(const workload::Job& job);
  void controller_lost(const workload::Job& job, bool state_kept);
  void controller_started(const workload::Job& job);

  // checker_places.cpp: nodes and processes.
  void staged(const workload::Job& job) {
    if (job.stage != workload::Stage::kQueued) {
      waiting_.leave(job.index);
    }
    // Most often it goes on.
    if (books_[job.index].live != job.epoch || !workload::has_processes(job)) {
      check_stage(job);
    }
  }
  void placed(const workload::Job& job, const std::vector<workload::Job>& jobs,
              machines::Pool& pool);
  void drains(std::uint32_t pool, std::uint32_t node, std::uint32_t machine,
              std::int64_t deadline_us);
  void look_around(const std::vector<workload::Job>& jobs,
                   const std::vector<machines::Pool>& pools) {
    if (!drains_.empty()) {
      check_drains(jobs, pools);
    }
    if (!waiting_.empty()) {
      check_waiting(pools);
    }
  }
  void ended(const workload::Job& job);

  // checker_liveness.cpp: what has to come by a time.
  /// A fault strikes: what follows may be its doing.
  void struck(std::uint32_t number);
  /// From now on that is due.
  void expect(const workload::Job& job, DeadlineKind due, std::int64_t by_us);
  /// It has come.
  void keep(const workload::Job& job, DeadlineKind due) {
    if (books_[job.index].deadlines.any()) {
      check_kept(job, due);
    }
  }
  /// It cannot come any more, and need not.
  void drop(const workload::Job& job, DeadlineKind due) { books_[job.index].deadlines.take(due); }
  /// An elastic job was told what there is room for, or runs.
  void room(const workload::Job& job);
  /// It is not served at once.
  void waits(const workload::Job& job);
  /// The node is well again at that time.
  void isolated(std::uint32_t pool, std::uint32_t node, std::uint32_t machine, std::int64_t by_us);
  /// Deadlines already missed when a run is over: something may excuse them.
  [[nodiscard]] std::vector<MissedDeadline> missed_deadlines(const workload::Job& job) const;
  /// `others`: nodes by pool that are held by experiments and by maintenance, or by a start that
  /// leaked them.
  void close(const std::vector<workload::Job>& jobs, const std::vector<machines::Pool>& pools,
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
  void find(std::string_view id, const workload::Job& job, std::string_view what) {
    find(id, job.index, what);
  }
  void find(std::string_view id, std::uint32_t job, std::string_view what);
  void hear(const workload::Job& job, JobBook& book, const policies::Event& event);
  void hear_report(const workload::Job& job, JobBook& book,
                   const policies::CheckpointReported& report);
  void check_step(const workload::Job& job, JobBook& book, const policies::Step& step);
  void check_move(const workload::Job& job, JobBook& book, const policies::Step& step,
                  const policies::BudgetMove& move);
  void check_start(const workload::Job& job, JobBook& book, std::uint32_t workers);
  /// Attempts in a row that the application ended, as the next one is held to them.
  [[nodiscard]] static std::int64_t application_errors(const workload::Job& job,
                                                       const JobBook& book);
  void check_from(const workload::Job& job, JobBook& book, policies::CheckpointId from);
  void check_commit(const workload::Job& job, JobBook& book, policies::CheckpointId id);
  void check_backoff(const workload::Job& job, JobBook& book, const policies::Backoff& backoff);
  void check_stop(const workload::Job& job, const JobBook& book);
  void check_knowledge(const workload::Job& job, JobBook& book, const policies::Decision& decision);
  void check_node(const workload::Job& job, policies::NodeId node,
                  const std::vector<machines::Pool>& pools);
  void open(const workload::Job& job, JobBook& book);
  void check_empty(const workload::Job& job);
  void check_answer(const workload::Job& job, const policies::Command& command);
  void check_stage(const workload::Job& job);
  void check_places(const workload::Job& job, const std::vector<workload::Job>& jobs);
  void check_drains(const std::vector<workload::Job>& jobs,
                    const std::vector<machines::Pool>& pools);
  void check_loop(const workload::Job& job, JobBook& book);
  void check_serial(const workload::Job& job, JobBook& book);
  void check_spread(const workload::Job& job);
  void check_kept(const workload::Job& job, DeadlineKind due) { judge_deadline(job.index, due); }
  void judge_deadline(std::uint32_t job, DeadlineKind due);
  void end_deadlines(std::uint32_t job);
  void check_deadlines(const workload::Job& job, JobBook& book, const policies::Decision& decision);
  void check_waiting(const std::vector<machines::Pool>& pools);
  void check_isolated(const std::vector<machines::Pool>& pools);
  void note_nodes(machines::Pool& pool, machines::NodeBits& off_limits) const;

  std::shared_ptr<const scenario::Scenario> scenario_;
  std::int64_t now_us_ = 0;
  std::size_t most_waiting_ = 0;
  bool overfull_ = false;
  std::vector<JobBook> books_;                  ///< by job
  std::vector<std::uint32_t> least_;            ///< by job: fewest workers that it may start with
  std::vector<machines::NodeBits> off_limits_;  ///< by pool: where nothing may be launched
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

}  // namespace aftershock::sim::invariants
