#include "sim/sweep/splitting_population.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "sim/engine/random.h"

namespace aftershock::sim {

namespace {

/// A world on its way, and the highest level that it has been at.
struct Walker {
  World world;
  std::size_t charges_seen = 0;
  double share = 0;
};

class Population {
 public:
  Population(const World& begin, std::uint32_t job, std::uint32_t effort, std::uint32_t number)
      : job_(job), effort_(effort), branch_((std::uint64_t{number} + 1) << 32U) {
    walkers_.reserve(effort);
    for (std::uint32_t i = 0; i < effort; ++i) {
      add({begin});
    }
  }

  /// Lets all of them go on to a level; those that do not come there are gone.
  LevelTally advance(double share) {
    LevelTally tally;
    if (!walkers_.empty() && 2 * walkers_.size() <= effort_) {
      tally.copies = fill_up();
    }
    tally.worlds = static_cast<std::int64_t>(walkers_.size());
    std::size_t arrived = 0;
    for (Walker& walker : walkers_) {
      const std::int64_t entries = walker.world.entries_played();
      const std::int64_t begun_us = walker.world.now_us();
      const bool comes = reaches(walker, share);
      tally.entries += walker.world.entries_played() - entries;
      tally.simulated_us += walker.world.now_us() - begun_us;
      if (!failed_.empty()) {
        return tally;
      }
      if (comes) {
        if (&walkers_[arrived] != &walker) {
          walkers_[arrived] = std::move(walker);
        }
        ++arrived;
      }
    }
    walkers_.erase(walkers_.begin() + static_cast<std::ptrdiff_t>(arrived), walkers_.end());
    reached_ *= tally.worlds > 0
                    ? static_cast<double>(arrived) / static_cast<double>(tally.worlds)
                    : 0;
    tally.reached = reached_;
    return tally;
  }

  [[nodiscard]] const std::string& failed() const { return failed_; }

 private:
  void add(Walker walker) {
    walker.world.branch(++branch_);
    walkers_.push_back(std::move(walker));
  }

  // Every walker gets as many copies as any other, up to one that some of them, drawn, have more.
  std::int64_t fill_up() {
    const auto before = static_cast<std::uint32_t>(walkers_.size());
    std::vector<std::uint32_t> order(before);
    std::iota(order.begin(), order.end(), 0U);
    const std::uint32_t more = effort_ % before;
    // A branch that no world has.
    const RandomKey key{.seed = walkers_.front().world.scenario().seed, .branch = ++branch_};
    for (std::uint32_t i = 0; i < more; ++i) {
      const std::uint32_t drawn = draw_index(before - i, RandomDraw(key, i, Purpose::kTarget));
      std::swap(order[i], order[i + drawn]);
    }
    walkers_.reserve(effort_);
    for (std::uint32_t i = 0; i < before; ++i) {
      for (std::uint32_t copies = effort_ / before + (i < more ? 1 : 0); copies > 1; --copies) {
        add(walkers_[order[i]]);
      }
    }
    return static_cast<std::int64_t>(walkers_.size()) - before;
  }

  bool reaches(Walker& walker, double share) {
    World& world = walker.world;
    const Job& job = world.jobs()[job_];
    while (walker.share < share) {
      if (world.over() || world.calendar().empty() || job.outcome != Outcome::kRunning) {
        return false;
      }
      world.play(world.calendar().pop());
      if (!world.transfers().orders().empty()) {
        failed_ = "transfers came to share a storage, which takes SimGrid: worlds that wait for it "
                  "cannot be copied";
        return false;
      }
      if (!world.cut_short().empty()) {
        failed_ = fmt::format("a world did not come to its end: {}", world.cut_short());
        return false;
      }
      if (job.charges.size() > walker.charges_seen) {
        walker.share = std::max(walker.share, worst_share(job, walker.charges_seen));
        walker.charges_seen = job.charges.size();
      }
    }
    return true;
  }

  std::uint32_t job_;
  std::uint32_t effort_;
  std::uint64_t branch_;  ///< the last one that was given away
  std::vector<Walker> walkers_;
  double reached_ = 1;
  std::string failed_;
};

}  // namespace

Repetition run_repetition(const World& begin, std::uint32_t job, const std::vector<Level>& levels,
                          std::uint32_t effort, std::uint32_t number,
                          const std::function<bool()>& go_on) {
  Repetition repetition;
  Population population(begin, job, effort, number);
  for (const Level& level : levels) {
    repetition.levels.push_back(population.advance(level.share));
    repetition.failed = population.failed();
    if (repetition.failed.empty() && !go_on()) {
      repetition.failed = "stopped";
    }
    if (!repetition.failed.empty()) {
      break;
    }
  }
  return repetition;
}

}  // namespace aftershock::sim
