#include <algorithm>
#include <limits>
#include <variant>

#include <fmt/format.h>

#include "sim/control/charges.h"
#include "sim/invariants/invariant_checker.h"

// Charges of retry budgets, and their exhaustion.
namespace aftershock::sim::invariants {

namespace {

using policies::Event;

bool is_failure(const Event& event) {
  return std::holds_alternative<policies::WorkersFailed>(event) ||
         std::holds_alternative<policies::PollUnanswered>(event) ||
         std::holds_alternative<policies::AttemptStartFailed>(event) ||
         std::holds_alternative<policies::HangSuspected>(event);
}

// The limit of the budget, by the policy's configuration where that has one.
std::optional<std::int64_t> limit_of(const workload::Job& job, const policies::BudgetMove& move) {
  const auto& limits = job.control.host.terms().limits;
  return move.budget < limits.size() ? limits[move.budget] : move.limit;
}

// Of the budgets that a step moves the tightest ends it; what is charged to none with a limit goes
// on for ever.
std::optional<std::int64_t> tightest(const workload::Job& job, const policies::Step& step) {
  std::optional<std::int64_t> tightest;
  bool charged = false;
  for (const policies::BudgetMove& move : step.budgets) {
    charged = charged || !move.exempt;
    if (const auto limit = limit_of(job, move); limit && (!tightest || *limit < *tightest)) {
      tightest = limit;
    }
  }
  return tightest || !charged ? tightest : std::numeric_limits<std::int64_t>::max();
}

}  // namespace

void InvariantChecker::check_move(const workload::Job& job, JobBook& book,
                                  const policies::Step& step, const policies::BudgetMove& move) {
  const policies::PolicyInfo& info = job.control.host.info();
  book.moved = true;
  book.budgets.resize(std::max(book.budgets.size(), info.budgets.size()));
  BudgetBook& budget = book.budgets[move.budget];
  const std::string_view name = info.budgets[move.budget];
  const bool in_a_row = control::counts_in_a_row(info, move.budget);
  budget.limit = limit_of(job, move);
  if (move.cause == policies::ChargeCause::kApplication) {
    book.application_limit = std::max(book.application_limit, tightest(job, step));
  }
  if (move.cause != policies::ChargeCause::kApplication && book.hardware) {
    book.application = 0;  // that hardware was to blame was heard after the application had failed
  }
  // A limit of its own in time, such as a Job's activeDeadlineSeconds, of which nobody tells.
  const std::vector<Event>& events = job.control.host.batch().events;
  const bool overran = !book.evidence && std::ranges::any_of(step.saw, [&](std::uint16_t at) {
    return at < events.size() && std::holds_alternative<policies::Timer>(events[at]);
  });
  book.overran |= overran;
  if (move.exempt) {
    if (move.used > budget.used) {
      find("S08", job,
           fmt::format("{} goes from {} to {} for a cause that is exempt", name, budget.used,
                       move.used));
    }
    budget.used = move.used;
    return;
  }
  const bool anew = in_a_row && move.used == 1;
  if (move.used <= budget.used && !anew) {
    find("S09", job,
         fmt::format("{} is charged and goes from {} to {}", name, budget.used, move.used));
  }
  budget.counted = anew ? 1 : budget.counted + std::max<std::int64_t>(1, move.used - budget.used);
  budget.used = move.used;
  const auto failure = [&](std::uint16_t at) {
    return at < events.size() && is_failure(events[at]);
  };
  if (overran || std::ranges::any_of(step.saw, failure)) {
    if (budget.charged_in == book.epoch + 1 && !info.charges_pods) {
      find("S08", job, fmt::format("attempt {} is charged to {} twice", book.epoch, name));
    }
    budget.charged_in = book.epoch + 1;
  } else if (!book.evidence) {
    find("S08", job, fmt::format("{} is charged for nothing that was heard", name));
  }
  const bool beyond = budget.limit && budget.counted > *budget.limit;
  if (move.exhausted && budget.limit && !beyond) {
    find("S11", job,
         fmt::format("{} is called used up at {} of {}", name, budget.counted, *budget.limit));
  }
  book.used_up |= beyond;
}

// A controller that came back, before it has decided anything.
void InvariantChecker::check_knowledge(const workload::Job& job, JobBook& book,
                                       const policies::Decision& decision) {
  book.restarted = false;
  if (book.knew.empty()) {
    return;
  }
  std::vector<policies::BudgetState> states = job.control.host.policy().budgets();
  const bool moved = std::ranges::any_of(
      decision.steps, [](const policies::Step& step) { return !step.budgets.empty(); });
  for (std::size_t i = 0; i < states.size() && i < book.knew.size() && !moved; ++i) {
    if (states[i].used != book.knew[i]) {
      find("S24", job,
           fmt::format("{} stood at {} and is {} to the controller that came back",
                       job.control.host.info().budgets[i], book.knew[i], states[i].used));
    }
  }
}

// A start of another attempt, by any command, is checked against the charges for the last one.
void InvariantChecker::check_start(const workload::Job& job, JobBook& book, std::uint32_t workers) {
  const scenario::JobSpec& spec = scenario_->jobs[job.index];
  if (workers < least_[job.index] || workers > spec.workers) {
    find("S17", job,
         fmt::format("an attempt of {} workers is asked for, of {} to {}", workers,
                     least_[job.index], spec.workers));
  }
  // Charges of a policy of pods are checked by M6.
  if (!job.control.host.info().watches_nodes && book.ran && book.failed && !book.moved) {
    find("S09", job, fmt::format("attempt {} failed, and the next one is free", book.epoch));
  }
  if (book.backs_off_since_us && now_us_ < book.backs_off_until_us) {
    find("S12", job,
         fmt::format("an attempt is asked for {} us after what failed, and the backoff is {} us",
                     now_us_ - *book.backs_off_since_us,
                     book.backs_off_until_us - *book.backs_off_since_us));
  }
  if (book.used_up) {
    find("S09", job, "another attempt follows although a budget is used up");
  }
  const std::int64_t own = application_errors(job, book);
  if (book.application_limit && own > *book.application_limit) {
    find("S13", job,
         fmt::format("{} attempts in a row ended in an error of the application, and {} may", own,
                     *book.application_limit));
  }
}

std::int64_t InvariantChecker::application_errors(const workload::Job& job, const JobBook& book) {
  // The failure limit of its pods pays for this one, and that limit does not belong to the job's
  // budgets.
  const bool free = job.control.host.info().watches_nodes && book.failed && !book.moved;
  return free && book.application > 0 ? book.application - 1 : book.application;
}

}  // namespace aftershock::sim::invariants
