#include "sim/sweep/sweep.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/assert.h"

namespace aftershock::sim::sweep {
namespace {

/// Gives rows on in order once their block is whole.
class Blocks {
 public:
  Blocks(std::uint32_t cells, std::uint32_t replicas) : cells_(cells), replicas_(replicas) {}

  void add(reports::RunRow row) { waiting_[row.replica / kBlock].push_back(std::move(row)); }

  /// The rows of the next block, when it is whole.
  std::optional<std::vector<reports::RunRow>> next() {
    const auto found = waiting_.find(block_);
    const std::uint64_t first = std::uint64_t{block_} * kBlock;
    const std::uint64_t wanted =
        first >= replicas_ ? 0 : cells_ * std::min<std::uint64_t>(kBlock, replicas_ - first);
    if (found == waiting_.end() || found->second.size() < wanted) {
      return std::nullopt;
    }
    std::vector<reports::RunRow> rows = std::move(found->second);
    waiting_.erase(found);
    ++block_;
    std::ranges::sort(rows, {},
                      [](const reports::RunRow& row) { return std::pair{row.cell, row.replica}; });
    return rows;
  }

  /// How many replicas of each cell were given on.
  [[nodiscard]] std::uint32_t replicas() const { return std::min(replicas_, block_ * kBlock); }

 private:
  std::uint64_t cells_;
  std::uint32_t replicas_;
  std::uint32_t block_ = 0;
  std::map<std::uint32_t, std::vector<reports::RunRow>> waiting_;
};

class Sweep {
 public:
  Sweep(const Plan& plan, reports::RunStore& store, WorkerPool& pool, const SweepOptions& options)
      : plan_(plan),
        store_(store),
        pool_(pool),
        options_(options),
        blocks_(static_cast<std::uint32_t>(plan.cells.size()), plan.replicas),
        there_(plan.cells.size()) {}

  SweepResult run();

 private:
  /// Looks at the rows of whole blocks; true: they are enough.
  bool look() {
    while (options_.enough && !enough_) {
      const auto rows = blocks_.next();
      if (!rows) {
        break;
      }
      for (const reports::RunRow& row : *rows) {
        options_.saw(row);
      }
      enough_ = options_.enough(blocks_.replicas());
    }
    return enough_;
  }

  /// Counts the rows of an earlier sweep; an error in words where they cannot be read.
  std::optional<std::string> take_up();

  void count(const reports::RunRow& row) {
    ++result_.done;
    if (options_.enough) {
      blocks_.add(row);
    }
  }

  const Plan& plan_;
  reports::RunStore& store_;
  WorkerPool& pool_;
  const SweepOptions& options_;
  Blocks blocks_;
  std::vector<std::vector<bool>> there_;  ///< by cell and replica, of an earlier sweep
  SweepResult result_;
  bool enough_ = false;
};

std::optional<std::string> Sweep::take_up() {
  return store_.each([&](reports::RunRow&& row) {
    if (row.replica < plan_.replicas) {
      auto& there = there_[row.cell];
      there.resize(std::max<std::size_t>(there.size(), row.replica + 1));
      there[row.replica] = true;
      count(row);
    }
    return true;
  });
}

SweepResult Sweep::run() {
  for (std::uint32_t cell = 0; cell < plan_.cells.size(); ++cell) {
    AFTERSHOCK_ASSERT(!options_.enough || !plan_.cells[cell].replicas);
    result_.total += options_.shard.count(plan_.replicas_of(cell));
  }
  if (const auto unreadable = take_up()) {
    result_.ended = Ended::kNotStored;
    result_.why = *unreadable;
    return result_;
  }
  look();
  const std::uint64_t left = result_.total - std::min(result_.total, result_.done);
  Schedule schedule(static_cast<std::uint32_t>(plan_.cells.size()), plan_.replicas,
                    runs_a_task(left, pool_.size()),
                    [&](std::uint32_t cell, std::uint32_t replica) {
                      return options_.shard.has(replica) && replica < plan_.replicas_of(cell) &&
                             !(replica < there_[cell].size() && there_[cell][replica]);
                    });
  Work work;
  work.next = [&]() -> std::optional<Task> {
    auto task = enough_ ? std::nullopt : schedule.next();
    if (task) {
      task->record = options_.record;
    }
    return task;
  };
  work.row = [&](reports::RunRow&& row) {
    store_.add(row);
    if (options_.first && row.cell == 0 && row.replica == options_.shard.shard - 1) {
      options_.first(row);
    }
    count(row);
    return !look() && store_.problem().empty();
  };
  work.trouble = [&](const Task& run, const std::string& what) {
    store_.trouble(run.cell, run.first, what);
  };
  work.not_recorded = [&](const std::string& why) {
    if (result_.not_recorded.empty()) {
      result_.not_recorded = why;
    }
  };
  work.tick = [&] {
    if (options_.commit_due && options_.commit_due()) {
      store_.commit();
    }
    if (options_.progress) {
      options_.progress(result_.done, result_.total);
    }
  };
  const DispatchResult dispatched = dispatch(pool_, plan_, work);
  result_.ended = dispatched.ended;
  result_.why = dispatched.why;
  result_.replicas = options_.enough ? blocks_.replicas() : plan_.replicas;
  if (enough_) {
    store_.drop_from(result_.replicas);
    result_.ended = Ended::kDone;
    result_.total = result_.done = std::uint64_t{result_.replicas} * plan_.cells.size();
  }
  if (result_.ended == Ended::kDone) {
    store_.finish();
  } else {
    store_.commit();
  }
  if (!store_.problem().empty()) {
    result_.ended = Ended::kNotStored;
    result_.why = store_.problem();
  }
  return result_;
}

}  // namespace

SweepResult sweep(const Plan& plan, reports::RunStore& store, WorkerPool& pool,
                  const SweepOptions& options) {
  return Sweep(plan, store, pool, options).run();
}

RecordResult record_runs(const Plan& plan, WorkerPool& pool,
                         const std::vector<reports::RunRow>& runs) {
  RecordResult result;
  std::vector<std::string>& problems = result.problems;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> hashes;
  for (const reports::RunRow& run : runs) {
    hashes[{run.cell, run.replica}] = run.hash;
  }
  std::size_t given = 0;
  Work work;
  work.next = [&]() -> std::optional<Task> {
    if (given == runs.size()) {
      return std::nullopt;
    }
    const reports::RunRow& run = runs[given++];
    return Task{run.cell, run.replica, 1, true};
  };
  work.row = [&](reports::RunRow&& row) {
    if (row.hash != hashes[{row.cell, row.replica}]) {
      problems.push_back(fmt::format("run {} of cell {} came to another end when it was recorded",
                                     row.replica, row.cell));
    }
    return true;
  };
  work.trouble = [&](const Task& run, const std::string& what) {
    problems.push_back(
        fmt::format("run {} of cell {} was not recorded: {}", run.first, run.cell, what));
  };
  work.not_recorded = [&](const std::string& why) { problems.push_back(why); };
  work.tick = [] {};
  const DispatchResult dispatched = dispatch(pool, plan, work);
  result.ended = dispatched.ended;
  if (dispatched.ended == Ended::kNoWorkers) {
    problems.push_back(dispatched.why);
  }
  return result;
}

}  // namespace aftershock::sim::sweep
