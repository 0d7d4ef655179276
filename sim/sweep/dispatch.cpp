#include "sim/sweep/dispatch.h"

#include <deque>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/assert.h"

namespace aftershock::sim::sweep {
namespace {

constexpr int kTickMs = 200;

class Dispatcher {
 public:
  Dispatcher(WorkerPool& pool, const Plan& plan, const Work& work)
      : pool_(pool), plan_(plan), work_(work), busy_(pool.size()) {}

  DispatchResult run() {
    for (std::uint32_t worker = 0; worker < pool_.size(); ++worker) {
      employ(worker);
    }
    while (at_work_ > 0) {
      WorkerNews news = pool_.wait(kTickMs);
      if (auto* came = std::get_if<RowCame>(&news)) {
        ++busy_[came->worker]->done;
        take(std::move(came->row));
      } else if (const auto* missing = std::get_if<NotRecorded>(&news)) {
        work_.not_recorded(missing->why);
      } else if (const auto* done = std::get_if<TaskDone>(&news)) {
        leave(done->worker);
        employ(done->worker);
      } else if (const auto* lost = std::get_if<WorkerLost>(&news)) {
        mourn(*lost);
      } else if (std::holds_alternative<Interrupted>(news)) {
        return {Ended::kInterrupted, {}};
      } else if (auto* gone = std::get_if<PoolLost>(&news)) {
        return {Ended::kNoWorkers, std::move(gone->why)};
      }
      work_.tick();
    }
    return {};
  }

 private:
  struct Job {
    Task task;
    std::uint32_t done = 0;
  };

  void take(reports::RunRow&& row) { enough_ = !work_.row(std::move(row)) || enough_; }

  void employ(std::uint32_t worker) {
    if (enough_) {
      return;
    }
    std::optional<Task> task;
    if (!again_.empty()) {
      task = again_.front();
      again_.pop_front();
    } else {
      task = work_.next();
    }
    if (task) {
      busy_[worker] = Job{*task, 0};
      ++at_work_;
      pool_.give(worker, *task);
    }
  }

  void leave(std::uint32_t worker) {
    busy_[worker].reset();
    --at_work_;
  }

  void mourn(const WorkerLost& lost) {
    const auto job = busy_[lost.worker];
    if (!job) {
      employ(lost.worker);  // it died of idleness: nothing was lost
      return;
    }
    leave(lost.worker);
    const Task& task = job->task;
    AFTERSHOCK_ASSERT(job->done <= task.count);
    Task rest{task.cell, task.first + job->done, task.count - job->done, task.record};
    if (rest.count > 0) {
      const Task culprit{rest.cell, rest.first, 1, rest.record};
      ++rest.first;
      --rest.count;
      if (rest.count > 0) {
        again_.push_back(rest);
      }
      const int tries = ++tries_[{culprit.cell, culprit.first}];
      work_.trouble(culprit, lost.how);
      if (tries < kTries) {
        again_.push_back(culprit);
      } else {
        reports::RunRow row;
        row.cell = culprit.cell;
        row.replica = culprit.first;
        row.seed = plan_.seed_of(culprit.cell, culprit.first);
        row.verdict = reports::Verdict::kInternalError;
        row.outcome = "unknown";
        row.verdict_reason = fmt::format("its worker died {} times: {}", tries, lost.how);
        take(std::move(row));
      }
    }
    employ(lost.worker);
    // Tasks that were put back may be more than the one place that became free.
    for (std::uint32_t worker = 0; worker < pool_.size() && !again_.empty(); ++worker) {
      if (!busy_[worker]) {
        employ(worker);
      }
    }
  }

  WorkerPool& pool_;
  const Plan& plan_;
  const Work& work_;
  std::vector<std::optional<Job>> busy_;
  std::deque<Task> again_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> tries_;
  std::uint32_t at_work_ = 0;
  bool enough_ = false;
};

}  // namespace

DispatchResult dispatch(WorkerPool& pool, const Plan& plan, const Work& work) {
  return Dispatcher(pool, plan, work).run();
}

}  // namespace aftershock::sim::sweep
