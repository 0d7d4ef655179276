#include "sim/sweep/splitting_population.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/chance/draws.h"
#include "sim/chance/gamma_share.h"
#include "sim/control/charges.h"
#include "sim/world/world.h"

namespace aftershock::sim::sweep {

namespace {

/// A world on its way, the highest level that it has been at, and what it stands for.
struct Walker {
  world::World world;
  std::size_t charges_seen = 0;
  double share = 0;
  double weight = 0;
};

// The first branch of a repetition's futures, of which there are at most 2^32.
std::uint64_t first_branch(std::uint32_t number) { return (std::uint64_t{number} + 1) << 32U; }

// Plays on until the job has come to `share` of its retries. False when it will not; `failed` says
// why that is not known.
bool reaches(Walker& walker, std::uint32_t job_index, double share, Failing& failed) {
  world::World& world = walker.world;
  const workload::Job& job = world.jobs[job_index];
  while (walker.share < share) {
    if (world.over() || world.calendar().empty() || job.outcome != workload::Outcome::kRunning) {
      return false;
    }
    world.play(world.calendar().pop());
    if (!world.transfers().orders().empty()) {
      failed.why =
          "transfers came to share a storage, which takes SimGrid: its worlds cannot be copied";
      return false;
    }
    if (!world.core.cut_short_by().empty()) {
      failed.policy = world.core.policy_failed();
      failed.why = failed.policy ? world.core.cut_short_by()
                                 : "a world did not come to its end: " + world.core.cut_short_by();
      return false;
    }
    if (job.control.charges.size() > walker.charges_seen) {
      walker.share = std::max(walker.share, worst_share(job, walker.charges_seen));
      walker.charges_seen = job.control.charges.size();
    }
  }
  return true;
}

// P(the retries that are left are used up in the time that is left).
double prospect(const Outlook& outlook, std::int64_t used, std::int64_t now_us) {
  constexpr double kLeastLeft = 0.01;
  const auto left = static_cast<double>(std::max<std::int64_t>(1, outlook.limit + 1 - used));
  const double time_us =
      std::max(outlook.end_us - static_cast<double>(now_us), kLeastLeft * outlook.end_us);
  return chance::gamma_share(left, outlook.charges_per_us * time_us);
}

class Population {
 public:
  Population(const world::World& begin, std::uint32_t job, const Outlook& outlook,
             std::uint32_t effort, std::uint32_t number)
      : job_(job), effort_(effort), outlook_(outlook), branch_(first_branch(number)) {
    walkers_.reserve(effort);
    for (std::uint32_t i = 0; i < effort; ++i) {
      add({.world = begin, .weight = 1.0 / effort});
    }
  }

  /// Lets all of them go on to a level; those that do not come there are gone.
  LevelTally advance(double share) {
    LevelTally tally;
    tally.copies = renew();
    tally.worlds = static_cast<std::int64_t>(walkers_.size());
    std::size_t arrived = 0;
    double reached = 0;
    for (Walker& walker : walkers_) {
      const std::int64_t entries = walker.world.core.entries_played();
      const std::int64_t begun_us = walker.world.now_us();
      const bool comes = reaches(walker, job_, share, failed_);
      tally.entries += walker.world.core.entries_played() - entries;
      tally.simulated_us += walker.world.now_us() - begun_us;
      if (!failed_.why.empty()) {
        return tally;
      }
      if (comes) {
        reached += walker.weight;
        if (&walkers_[arrived] != &walker) {
          walkers_[arrived] = std::move(walker);
        }
        ++arrived;
      }
    }
    walkers_.erase(walkers_.begin() + static_cast<std::ptrdiff_t>(arrived), walkers_.end());
    // All of them is all, whatever the weights' last bits say.
    const bool all = arrived == effort_ && outlook_.charges_per_us == 0;
    tally.reached = all && std::abs(reached - 1) < 1e-9 ? 1 : reached;
    return tally;
  }

  [[nodiscard]] const Failing& failed() const { return failed_; }

 private:
  void add(Walker walker) {
    world::take_branch(walker.world, ++branch_);
    walkers_.push_back(std::move(walker));
  }

  // The value of each world: its weight times its outlook. A tenth goes to all alike, so that none
  // comes to stand for much more than another where the outlook is wrong.
  std::vector<double> values() const {
    constexpr double kAlike = 0.1;
    std::vector<double> values;
    double weights = 0;
    double sum = 0;
    for (const Walker& walker : walkers_) {
      const bool alike = outlook_.charges_per_us == 0;
      const workload::Job& job = walker.world.jobs[job_];
      const double promise =
          alike ? 1
                : prospect(outlook_, job.control.host.policy().budgets()[outlook_.budget].used,
                           walker.world.now_us());
      values.push_back(walker.weight * promise);
      weights += walker.weight;
      sum += values.back();
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] += kAlike * walkers_[i].weight * sum / weights;
    }
    return values;
  }

  // Where the worlds are worth no more than half as many equal ones, they are drawn anew: each has
  // as many copies as its value's share says, rounded so that this is the mean (systematic
  // resampling), and what it stands for is divided among them. Gives how many were added.
  std::int64_t renew() {
    const std::vector<double> value = values();
    double sum = 0;
    double squares = 0;
    for (const double one : value) {
      sum += one;
      squares += one * one;
    }
    if (value.empty() || !(sum > 0) || 2 * sum * sum > effort_ * squares) {
      return 0;
    }
    // A branch that no world has.
    const chance::RandomKey key{.seed = walkers_.front().world.scenario().seed,
                                .branch = ++branch_,
                                .source = chance::RandomSource::kSplitting};
    const double offset = chance::draw_unit(chance::RandomDraw(key, 0, chance::Purpose::kTarget));
    std::vector<Walker> before = std::exchange(walkers_, {});
    walkers_.reserve(effort_);
    std::int64_t copies = 0;
    double up_to = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      const double share = effort_ * value[i] / sum;
      const auto first = static_cast<std::int64_t>(std::ceil(up_to - offset));
      up_to += share;
      const std::int64_t count = static_cast<std::int64_t>(std::ceil(up_to - offset)) - first;
      before[i].weight /= share;
      for (std::int64_t more = 1; more < count; ++more) {
        add(before[i]);
      }
      if (count > 0) {
        walkers_.push_back(std::move(before[i]));
        copies += count - 1;
      }
    }
    return copies;
  }

  std::uint32_t job_;
  std::uint32_t effort_;
  Outlook outlook_;
  std::uint64_t branch_;  ///< the last one that was given away
  std::vector<Walker> walkers_;
  Failing failed_;
};

}  // namespace

Outlook look_ahead(const world::World& begin, std::uint32_t job_index, std::uint32_t runs,
                   std::uint32_t number, Failing& failed) {
  Outlook outlook;
  std::uint64_t branch = first_branch(number);
  std::vector<std::int64_t> charges(begin.jobs[job_index].control.host.info().budgets.size());
  double all_us = 0;
  for (std::uint32_t i = 0; i < runs && failed.why.empty(); ++i) {
    Walker walker{.world = begin};
    world::take_branch(walker.world, ++branch);
    reaches(walker, job_index, 1, failed);
    const workload::Job& job = walker.world.jobs[job_index];
    for (const workload::ChargeRecord& charge : job.control.charges) {
      charges[charge.move.budget] += charge.move.limit && !charge.move.exempt ? 1 : 0;
    }
    const auto end_us = static_cast<double>(walker.world.now_us());
    all_us += end_us;
    outlook.end_us = std::max(outlook.end_us, end_us);
    ++outlook.took.worlds;
    outlook.took.entries += walker.world.core.entries_played();
    outlook.took.simulated_us += walker.world.now_us();
  }
  const auto charged = std::ranges::find_if(charges, [](std::int64_t count) { return count > 0; });
  const auto budget = static_cast<std::size_t>(charged - charges.begin());
  const policies::PolicyInfo& info = begin.jobs[job_index].control.host.info();
  const auto some = [](std::int64_t count) { return count > 0; };
  if (std::ranges::count_if(charges, some) != 1 || control::counts_in_a_row(info, budget)) {
    return outlook;
  }
  outlook.budget = static_cast<std::uint16_t>(budget);
  outlook.limit = begin.jobs[job_index].control.host.policy().budgets()[budget].limit.value_or(0);
  outlook.charges_per_us = static_cast<double>(*charged) / all_us;
  constexpr double kNotRare = 0.01;
  if (prospect(outlook, 0, 0) > kNotRare) {
    outlook.charges_per_us = 0;
  }
  return outlook;
}

Repetition run_repetition(const world::World& begin, std::uint32_t job,
                          const std::vector<Level>& levels, const Outlook& outlook,
                          std::uint32_t effort, std::uint32_t number,
                          const std::function<bool()>& go_on) {
  Repetition repetition;
  Population population(begin, job, outlook, effort, number);
  for (const Level& level : levels) {
    repetition.levels.push_back(population.advance(level.share));
    repetition.failed = population.failed();
    if (repetition.failed.why.empty() && !go_on()) {
      repetition.failed.why = "stopped";
    }
    if (!repetition.failed.why.empty()) {
      break;
    }
  }
  return repetition;
}

}  // namespace aftershock::sim::sweep
