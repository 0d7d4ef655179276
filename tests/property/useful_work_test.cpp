#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "sim/simulate/simulate.h"
#include "tests/property/random_modelarts.h"
#include "tests/property/random_scenario.h"
#include "tests/property/run_case.h"

// Useful work of scenarios in which anything may be said.
namespace aftershock::sim {
namespace {

constexpr std::uint64_t kCases = 600;

bool never_waits_at_its_end(const reports::JobSummary& job) {
  return job.at_end == reports::EndState::kCompleted || job.at_end == reports::EndState::kTraining;
}

struct Seen {
  int skipped = 0;   ///< scenarios that cannot be used
  int alike = 0;     ///< jobs whose useful share is their ETTR
  int apart = 0;     ///< jobs that ended otherwise
  int lessened = 0;  ///< scenarios with a last fault that was taken away
};

/// A run, and how often each fault of the scenario struck.
struct Struck {
  reports::RunSummary run;
  std::vector<faults::FaultRecord> strikes;

  [[nodiscard]] std::vector<int> counts(std::size_t faults) const {
    std::vector<int> all(faults);
    for (const faults::FaultRecord& strike : strikes) {
      ++all[strike.spec];
    }
    return all;
  }

  /// The faults that struck, and their times, but for one of the scenario.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, std::int64_t>> moments_but(
      std::optional<std::uint32_t> fault) const {
    std::vector<std::pair<std::uint32_t, std::int64_t>> all;
    for (const faults::FaultRecord& strike : strikes) {
      if (strike.spec != fault) {
        all.emplace_back(strike.spec, strike.t_us);
      }
    }
    return all;
  }
};

Struck struck(const std::shared_ptr<const scenario::Scenario>& scenario) {
  Struck out;
  simulate::SimulateOptions options;
  options.strikes = &out.strikes;
  out.run = simulate::simulate(scenario, options);
  return out;
}

std::int64_t fired(const reports::RunSummary& run) {
  std::int64_t sum = 0;
  for (const auto& [kind, counts] : run.faults) {
    sum += counts.fired;
  }
  return sum;
}

/// Whether the job comes to the same failure in every attempt, at its first checkpoint: how far
/// such a job is at the horizon says only when its last attempt began.
bool goes_round(const scenario::Scenario& scenario, const Struck& of) {
  return std::ranges::any_of(of.strikes, [&](const faults::FaultRecord& strike) {
    return scenario.faults[strike.spec].effects.front().effect.kind ==
           scenario::FaultKind::kUnsharedStorage;
  });
}

/// The scenario in which every attempt takes the same times: after one that a fault ended a shorter
/// one could follow, and the job be further at the horizon for it.
std::shared_ptr<const scenario::Scenario> steady(const scenario::Scenario& scenario) {
  auto same = std::make_shared<scenario::Scenario>(scenario);
  for (scenario::JobSpec& job : same->jobs) {
    for (scenario::PhaseLengths* lengths : {&job.phases, &job.restart_phases}) {
      for (scenario::Distribution* law :
           {&lengths->launching, &lengths->rendezvous, &lengths->restoring, &lengths->warming_up,
            &lengths->tearing_down, &lengths->finalizing}) {
        if (!std::holds_alternative<scenario::Distribution::Constant>(law->shape)) {
          law->shape = scenario::Distribution::Constant{30'000'000};
        }
      }
    }
  }
  return same;
}

/// The fault that struck last, where it is scripted, struck once, and the horizon is given.
std::optional<std::uint32_t> last_fault(const scenario::Scenario& scenario, const Struck& of) {
  const faults::FaultRecord* last = nullptr;
  for (const faults::FaultRecord& strike : of.strikes) {
    last = last == nullptr || strike.t_us > last->t_us ? &strike : last;
  }
  if (last == nullptr || !scenario.until_us || scenario.faults[last->spec].source ||
      of.counts(scenario.faults.size())[last->spec] != 1) {
    return std::nullopt;
  }
  return last->spec;
}

/// In its place, for what others draw goes by theirs: at a time that never comes.
std::shared_ptr<const scenario::Scenario> without_fault(const scenario::Scenario& scenario,
                                                        std::uint32_t fault) {
  auto calmer = std::make_shared<scenario::Scenario>(scenario);
  scenario::FaultSpec& gone = calmer->faults[fault];
  gone.when.reset();
  gone.step_job.reset();
  gone.at_us = *scenario.until_us + 1;
  return calmer;
}

/// The scenario in which one job at most of those that share a storage has bytes to write: a
/// process has one SimGrid, which transfers that share would need.
std::shared_ptr<const scenario::Scenario> uncontended(const scenario::Scenario& scenario) {
  auto alone = std::make_shared<scenario::Scenario>(scenario);
  std::set<std::uint32_t> used;
  for (scenario::JobSpec& job : alone->jobs) {
    if (job.run.storage && job.checkpoint && job.checkpoint->bytes > 0 &&
        !used.insert(*job.run.storage).second) {
      job.checkpoint->bytes = 0;
    }
  }
  return alone;
}

/// A job whose last fault is taken away has done no less.
void hold_without_last(const std::shared_ptr<const scenario::Scenario>& scenario,
                       const std::string& text, Seen& seen) {
  const Struck with = struck(scenario);
  const auto last = last_fault(*scenario, with);
  if (!last || goes_round(*scenario, with)) {
    return;
  }
  const Struck without = struck(without_fault(*scenario, *last));
  if (without.moments_but({}) == with.moments_but(last) &&
      fired(without.run) + 1 == fired(with.run)) {
    EXPECT_GE(without.run.jobs.front().useful.share(), with.run.jobs.front().useful.share())
        << text;
    ++seen.lessened;
  }
}

void hold(const std::string& text, Seen& seen) {
  const auto read = read_text(text);
  const auto* valid = std::get_if<std::shared_ptr<const scenario::Scenario>>(&read);
  if (valid == nullptr) {
    ++seen.skipped;
    return;
  }
  const auto scenario = uncontended(**valid);
  ASSERT_FALSE(simulate::may_contend(*scenario)) << text;
  const Struck with = struck(scenario);
  const reports::RunSummary& run = with.run;
  for (const reports::JobSummary& job : run.jobs) {
    EXPECT_GE(job.useful.us, 0) << text;
    EXPECT_LE(job.useful.us, job.useful.of_us) << text;
    EXPECT_LE(job.useful.us, job.ledger_us[reports::index_of(reports::Bucket::kProductive)])
        << text;
    if (job.reduced_accelerator_us > 0) {
      EXPECT_LE(job.useful.share(), job.ettr) << text;
      ++seen.apart;
    } else if (job.wall_us > 0 && never_waits_at_its_end(job)) {
      EXPECT_EQ(job.useful.share(), job.ettr) << text;
      ++seen.alike;
    } else {
      ++seen.apart;
    }
  }
  for (const reports::ExperimentSummary& experiment : run.experiments) {
    EXPECT_GE(experiment.useful.us, 0) << text;
    EXPECT_LE(experiment.useful.us, experiment.useful.of_us) << text;
  }
  if (run.jobs.size() == 1 && run.experiments.empty()) {
    hold_without_last(steady(*scenario), text, seen);
  }
}

TEST(UsefulWork, OfRandomScenarios) {
  Seen seen;
  for (std::uint64_t key = 0; key < kCases; ++key) {
    hold(random_scenario(key), seen);
    hold(random_modelarts(key), seen);
  }
  EXPECT_EQ(seen.skipped, 0);
  EXPECT_GE(seen.alike, 500);
  EXPECT_GE(seen.apart, 500);
  EXPECT_GE(seen.lessened, 15);
}

}  // namespace
}  // namespace aftershock::sim
