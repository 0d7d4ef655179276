#include "sim/sweep/dispatch.h"

#include <deque>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "sim/sweep/schedule.h"

namespace aftershock::sim::sweep {
namespace {

using RunId = std::pair<std::uint32_t, std::uint32_t>;

/// Does what it is given at once, but dies over some runs, so often each.
class FakeWorkerPool final : public WorkerPool {
 public:
  FakeWorkerPool(std::uint32_t size, std::map<RunId, int> deadly)
      : size_(size), deadly_(std::move(deadly)) {}

  [[nodiscard]] std::uint32_t size() const override { return size_; }
  void give(std::uint32_t worker, const Task& task) override {
    for (std::uint32_t i = 0; i < task.count; ++i) {
      const RunId run{task.cell, task.first + i};
      if (deadly_[run]-- > 0) {
        news_.push_back(WorkerLost{worker, "killed by signal 9"});
        return;
      }
      reports::RunRow row;
      row.cell = run.first;
      row.replica = run.second;
      news_.push_back(RowCame{worker, std::move(row)});
    }
    news_.push_back(TaskDone{worker});
  }
  WorkerNews wait(int /*timeout_ms*/) override {
    WorkerNews news = std::move(news_.front());
    news_.pop_front();
    return news;
  }

 private:
  std::uint32_t size_;
  std::map<RunId, int> deadly_;
  std::deque<WorkerNews> news_;
};

struct Seen {
  std::multiset<RunId> good;
  std::multiset<RunId> given_up;
  int troubles = 0;
};

/// As many cells as any of these schedules has.
Plan plan_of_cells() {
  Plan plan;
  plan.cells.resize(8);
  return plan;
}

Seen dispatched(WorkerPool& pool, Schedule schedule) {
  Seen seen;
  Work work;
  work.next = [&] { return schedule.next(); };
  work.row = [&](reports::RunRow&& row) {
    (row.verdict == reports::Verdict::kInternalError ? seen.given_up : seen.good)
        .insert({row.cell, row.replica});
    return true;
  };
  work.trouble = [&](const Task&, const std::string&) { ++seen.troubles; };
  work.not_recorded = [](const std::string&) {};
  work.tick = [] {};
  EXPECT_EQ(dispatch(pool, plan_of_cells(), work).ended, Ended::kDone);
  return seen;
}

bool always(std::uint32_t /*cell*/, std::uint32_t /*replica*/) { return true; }

TEST(Dispatch, EveryRunOnce) {
  for (const std::uint32_t workers : {1U, 2U, 7U}) {
    FakeWorkerPool pool(workers, {});
    const Seen seen = dispatched(pool, Schedule(3, 40, 5, always));
    EXPECT_EQ(seen.good.size(), 120);
    EXPECT_EQ(std::set<RunId>(seen.good.begin(), seen.good.end()).size(), 120);
    EXPECT_EQ(seen.troubles, 0);
  }
}

TEST(Dispatch, ARunThatKillsItsWorkerOnceIsTriedAgain) {
  FakeWorkerPool pool(2, {{{0, 0}, 1}, {{1, 17}, 1}, {{2, 39}, 1}});
  const Seen seen = dispatched(pool, Schedule(3, 40, 5, always));
  EXPECT_EQ(std::set<RunId>(seen.good.begin(), seen.good.end()).size(), 120);
  EXPECT_EQ(seen.good.size(), 120);
  EXPECT_EQ(seen.troubles, 3);
}

TEST(Dispatch, ARunThatKillsItsWorkerTwiceIsGivenUpAndCostsNoOther) {
  FakeWorkerPool pool(2, {{{1, 3}, 2}, {{1, 4}, 2}});
  const Seen seen = dispatched(pool, Schedule(3, 40, 8, always));
  EXPECT_EQ(seen.good.size(), 118);
  EXPECT_EQ(seen.given_up, (std::multiset<RunId>{{1, 3}, {1, 4}}));
  EXPECT_EQ(seen.troubles, 4);
}

TEST(Dispatch, NothingMoreIsAskedForWhenEnoughWasSeen) {
  FakeWorkerPool pool(1, {});
  Schedule schedule(1, 1000, 4, always);
  int rows = 0;
  Work work;
  work.next = [&] { return schedule.next(); };
  work.row = [&](reports::RunRow&&) { return ++rows < 10; };
  work.trouble = [](const Task&, const std::string&) {};
  work.not_recorded = [](const std::string&) {};
  work.not_recorded = [](const std::string&) {};
  work.tick = [] {};
  EXPECT_EQ(dispatch(pool, plan_of_cells(), work).ended, Ended::kDone);
  EXPECT_EQ(rows, 12) << "the task at hand is finished";
}

TEST(Schedule, BlockByBlockCellByCell) {
  Schedule schedule(2, 20, 10, always);
  std::vector<std::array<std::uint32_t, 3>> tasks;
  while (const auto task = schedule.next()) {
    tasks.push_back({task->cell, task->first, task->count});
  }
  const std::vector<std::array<std::uint32_t, 3>> kExpected{{0, 0, 10}, {0, 10, 6}, {1, 0, 10},
                                                            {1, 10, 6}, {0, 16, 4}, {1, 16, 4}};
  EXPECT_EQ(tasks, kExpected);
}

TEST(Schedule, LeavesOutWhatIsNotWantedAndSplitsThere) {
  for (const std::uint32_t most : {1U, 3U, 16U}) {
    const auto wanted = [](std::uint32_t cell, std::uint32_t replica) {
      return (cell + replica) % 3 != 0;
    };
    Schedule schedule(3, 50, most, wanted);
    std::multiset<RunId> got;
    while (const auto task = schedule.next()) {
      ASSERT_GT(task->count, 0);
      ASSERT_LE(task->count, most);
      for (std::uint32_t i = 0; i < task->count; ++i) {
        got.insert({task->cell, task->first + i});
      }
    }
    std::multiset<RunId> expected;
    for (std::uint32_t cell = 0; cell < 3; ++cell) {
      for (std::uint32_t replica = 0; replica < 50; ++replica) {
        if (wanted(cell, replica)) {
          expected.insert({cell, replica});
        }
      }
    }
    EXPECT_EQ(got, expected);
  }
}

TEST(Schedule, ShardsShareTheReplicas) {
  for (std::uint32_t replica = 0; replica < 20; ++replica) {
    int owners = 0;
    for (std::uint32_t shard = 1; shard <= 3; ++shard) {
      owners += Shard{shard, 3}.has(replica) ? 1 : 0;
    }
    EXPECT_EQ(owners, 1);
  }
  for (const std::uint32_t replicas : {0U, 1U, 2U, 3U, 100U, 101U}) {
    std::uint32_t all = 0;
    for (std::uint32_t shard = 1; shard <= 3; ++shard) {
      all += Shard{shard, 3}.count(replicas);
    }
    EXPECT_EQ(all, replicas);
  }
}

}  // namespace
}  // namespace aftershock::sim::sweep
