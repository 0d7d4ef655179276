#include <algorithm>

#include <fmt/format.h>

#include "sim/invariants/invariant_checker.h"

// Checkpoints, and what a controller leaves for the next.
namespace aftershock::sim::invariants {

namespace {

// The oldest are forgotten beyond so many.
constexpr std::size_t kRemembered = 64;

// Ids grow: the newest is almost always the one that is meant.
Written* find_written(JobBook& book, policies::CheckpointId id) {
  for (auto one = book.written.rbegin(); one != book.written.rend() && one->id >= id; ++one) {
    if (one->id == id) {
      return &*one;
    }
  }
  return nullptr;
}

// Every counter of theirs survives where the platform's state does.
bool keeps_counters(const policies::PolicyInfo& info) { return info.watches_nodes; }

bool finds_newest(const policies::PolicyInfo& info) {
  return std::ranges::find(info.persists, "latest checkpoint") != info.persists.end();
}

}  // namespace

void InvariantChecker::durable(const workload::Job& job, const workload::Checkpoint& checkpoint) {
  JobBook& book = books_[job.index];
  if (find_written(book, checkpoint.id) != nullptr) {
    return;  // its report waited for the one before
  }
  if (book.written.size() >= kRemembered) {
    const auto half = book.written.begin() + kRemembered / 2;
    book.forgotten = std::max(book.forgotten, (half - 1)->id);
    book.written.erase(book.written.begin(), half);
  }
  Written& written = book.written.emplace_back();
  written.id = checkpoint.id;
  written.epoch = book.epoch;
  written.work_us = checkpoint.work_us;
}

void InvariantChecker::hear_report(const workload::Job& job, JobBook& book,
                                   const policies::CheckpointReported& report) {
  Written* written = find_written(book, report.checkpoint);
  if (written == nullptr) {
    book.evidence = true;  // some name one that is not what all have written
    return;
  }
  if (report.epoch != written->epoch) {
    return;
  }
  const bool first = book.reporting != report.checkpoint;
  book.reporting = report.checkpoint;
  if (first && report.ranks.size() == job.workers) {
    written->reported = true;
    return;
  }
  if (first) {
    book.reporters = {};
  }
  book.reporters.add(report.ranks);
  written->reported = written->reported || book.reporters.size() == job.workers;
}

// As a policy asks for it: what the world makes of that is seen by committed().
void InvariantChecker::check_commit(const workload::Job& job, JobBook& book,
                                    policies::CheckpointId id) {
  const Written* written = find_written(book, id);
  if (written == nullptr || written->epoch != book.epoch) {
    return;
  }
  if (written->reported) {
    return;
  }
  const policies::RankSet reporters = book.reporting == id ? book.reporters : policies::RankSet();
  policies::RankSet excused = reporters;
  if (book.relaxed) {
    excused.add(book.announced);
  }
  if (reporters.empty() || excused.size() < job.workers) {
    find("S05", job,
         fmt::format("checkpoint {} is committed when {} of {} ranks have reported it", id,
                     reporters.size(), job.workers));
  }
}

void InvariantChecker::committed(const workload::Job& job, const workload::Checkpoint& checkpoint) {
  JobBook& book = books_[job.index];
  Written* written = find_written(book, checkpoint.id);
  if (written == nullptr) {
    find("S05", job,
         fmt::format("checkpoint {} counts, and was never whole in storage", checkpoint.id));
    return;
  }
  if (written->epoch != book.epoch) {
    find("S07", job,
         fmt::format("checkpoint {} of attempt {} is committed in attempt {}", checkpoint.id,
                     written->epoch, book.epoch));
  }
  const bool resumes = scenario_->jobs[job.index].script.resumes;
  if (resumes && book.newest != 0 && written->work_us < book.newest_work_us) {
    find("S04", job,
         fmt::format("committed progress went back from {} to {} us", book.newest_work_us,
                     written->work_us));
  }
  written->committed = true;
  book.newest = checkpoint.id;
  book.newest_work_us = written->work_us;
  book.application = 0;
  book.fruitless = 0;
  book.serial = 0;
}

void InvariantChecker::check_from(const workload::Job& job, JobBook& book,
                                  policies::CheckpointId from) {
  const auto expected = std::exchange(book.resumes_from, std::nullopt);
  if (from != 0 && from > book.forgotten) {
    const Written* written = find_written(book, from);
    if (written == nullptr || !written->committed) {
      find("S05", job,
           fmt::format("is to resume from checkpoint {}, which was never committed", from));
    }
  }
  if (expected && *expected != from) {
    find("S24", job,
         fmt::format("resumes from checkpoint {} under a new controller, and {} was stored", from,
                     *expected));
  }
}

void InvariantChecker::restored(const workload::Job& job, std::int64_t work_us) {
  const JobBook& book = books_[job.index];
  if (!scenario_->jobs[job.index].script.resumes || book.newest == 0 ||
      work_us >= book.newest_work_us) {
    return;
  }
  const workload::Checkpoint* newest = workload::find_checkpoint(job, book.newest);
  if (newest == nullptr || (!newest->deleted_by && !newest->unreadable_by)) {
    find("S04", job,
         fmt::format("resumes at {} us of work, and checkpoint {} has {}", work_us, book.newest,
                     book.newest_work_us));
  }
}

void InvariantChecker::forgot_run(const workload::Job& job) {
  JobBook& book = books_[job.index];
  book.written.clear();
  book.forgotten = 0;
  book.newest = 0;
  book.stored = 0;
}

void InvariantChecker::controller_lost(const workload::Job& job, bool state_kept) {
  JobBook& book = books_[job.index];
  end_deadlines(job.index);
  book.backs_off_since_us.reset();  // a controller keeps what it waits for in memory
  book.knew.clear();
  if (keeps_counters(job.control.host.info()) && state_kept) {
    for (const policies::BudgetState& state : job.control.host.policy().budgets()) {
      book.knew.push_back(state.used);
    }
  }
}

void InvariantChecker::controller_started(const workload::Job& job) {
  JobBook& book = books_[job.index];
  book.commands = {};
  if (job.control.drivers > 1) {
    book.restarted = true;
    book.evidence = true;
    book.moved = true;  // a fault of the attempt is one of its controller
  }
  book.resumes_from.reset();
  if (job.control.drivers > 1 && book.knew.empty()) {
    // Counters that are in memory only begin anew: Ray's do (ray.md 1.9).
    book.budgets.clear();
    book.used_up = false;
    book.application = 0;
  }
  if (job.control.host.info().watches_nodes) {
    return;
  }
  // A new driver finds the checkpoint in storage, be it another job's; the choice to go on from it
  // is not checked here.
  const workload::Checkpoint* stored = workload::find_checkpoint(job, book.stored);
  const bool whole = job.control.drivers > 1 && job.stored.found_run &&
                     job.control.torn.name.empty() && stored != nullptr && !stored->deleted_by &&
                     !stored->unreadable_by && book.stored == book.newest;
  if (finds_newest(job.control.host.info()) && whole) {
    book.resumes_from = book.stored;
  }
  book.written.clear();
  book.newest = 0;
  for (const workload::Checkpoint& checkpoint : job.saved.checkpoints) {
    book.written.push_back(
        {.id = checkpoint.id,
         .epoch = checkpoint.epoch,
         .work_us = checkpoint.work_us,
         .reported = true,
         .committed = checkpoint.state == workload::CheckpointState::kCommitted});
  }
}

}  // namespace aftershock::sim::invariants
