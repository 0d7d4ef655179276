#include <algorithm>
#include <ostream>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/chance/draws.h"
#include "sim/faults/source.h"
#include "tests/unit/times.h"
#include "tests/validation/formulas.h"
#include "tests/validation/run.h"
#include "tests/validation/statistics.h"

// Oracle O8. V1: cold spares, failures only while the job runs. The share of the time in which it
// waits for a node is Erlang's B, whatever the law of repairs. V2: nodes that fail and are repaired
// each for itself. V3: both where so many repairs go on at a time.
namespace aftershock::sim::validation {
namespace {

constexpr int kWarmUpDays = 100;  ///< the run begins with all nodes whole, and repairs have a tail
constexpr int kRunDays = 500;
constexpr int kStretchDays = 50;  ///< far longer than it remembers: each is a sample of its own

/// Node failures and the waits that they make, counted from one moment to another.
struct Halts {
  std::int64_t failures = 0;
  std::int64_t halted_us = 0;
  std::int64_t failed_us = 0;  ///< over all nodes
};

/// Changes of the number of failed nodes, in order: when, and by how much.
using Changes = std::vector<std::pair<std::int64_t, int>>;

/// The loss system as a loop, which knows nothing of the simulator.
Halts count_halts(const Changes& changes, int spares, std::int64_t from_us, std::int64_t until_us) {
  Halts halts;
  std::int64_t failed = 0;
  std::int64_t since_us = 0;
  const auto pass = [&](std::int64_t now_us) {
    const std::int64_t passed_us =
        std::max<std::int64_t>(0, std::min(now_us, until_us) - std::max(since_us, from_us));
    halts.failed_us += failed * passed_us;
    halts.halted_us += failed > spares ? passed_us : 0;
    since_us = now_us;
  };
  for (const auto& [t_us, by] : changes) {
    pass(t_us);
    failed += by;
    halts.failures += by > 0 && t_us >= from_us && t_us < until_us ? 1 : 0;
  }
  pass(until_us);
  return halts;
}

/// When each node of a run failed, and how long a repair was drawn for it.
using Repairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// `pool`: of which the nodes are.
Repairs repairs_of(const scenario::Scenario& scenario, const FinishedRun& run, std::size_t pool) {
  scenario::Scenario seeded = scenario;
  seeded.seed = run.seed;
  Repairs repairs;
  for (const faults::FaultRecord& fault : run.faults) {
    const chance::RandomDraw draw(faults::fault_key(seeded, fault.spec, 0), fault.nth,
                                  chance::Purpose::kLasts);
    repairs.emplace_back(fault.t_us, chance::draw_us(*scenario.cluster.pools[pool].repair, draw));
  }
  return repairs;
}

/// The queue of repairs as a loop: each failure gets the one of the crew who is free first. More
/// people than failures: nobody waits.
Changes with_crew(const Repairs& repairs, std::size_t crew) {
  Changes changes;
  std::vector<std::int64_t> free_us(crew, 0);
  for (const auto& [t_us, takes_us] : repairs) {
    const auto next = std::ranges::min_element(free_us);
    *next = std::max(*next, t_us) + takes_us;
    changes.emplace_back(t_us, 1);
    changes.emplace_back(*next, -1);
  }
  std::ranges::sort(changes);
  return changes;
}

struct Spares {
  const char* name;
  double per_day;    ///< N l
  double mttr_days;  ///< mean time to repair
  int spares;
  double printed;
  int digits;
  const char* law;  ///< of repairs, with {} for its mean
  std::uint64_t runs;

  [[nodiscard]] double load() const { return per_day * mttr_days; }
};

void PrintTo(const Spares& row, std::ostream* out) { *out << row.name; }

class O8 : public testing::TestWithParam<Spares> {};

TEST_P(O8, HaltedForWantOfANode) {
  const Spares& row = GetParam();
  const double p = halted(row.load(), row.spares);
  expect_printed("P(halted)", p, row.printed, row.digits);
  const auto us = [](double days) {
    return fmt::format("{}us", std::llround(days * static_cast<double>(kDay)));
  };
  constexpr int kNodes = 8;
  const auto scenario =
      read("tests/validation/o8_spares.json",
           {fmt::format("/cluster/pools/0/spares={}", row.spares),
            "/cluster/pools/0/repair=" + fmt::format(fmt::runtime(row.law), us(row.mttr_days)),
            "/faults/0/source/exponential/mtbf=" + us(kNodes / row.per_day),
            fmt::format("/until={}d", kRunDays)});
  ASSERT_TRUE(scenario);
  const auto runs = over_seeds(*scenario, seeds(row.runs), [&](const FinishedRun& run) {
    const Repairs repairs = repairs_of(*scenario, run, 0);
    const Changes changes = with_crew(repairs, repairs.size());
    const Halts all = count_halts(changes, row.spares, 0, kRunDays * kDay);
    const auto& waits = run.job().ledger_us;
    const bool as_played =
        run.job().outcome == "running" && run.masked() == 0 &&
        waits[static_cast<std::size_t>(reports::Bucket::kWaitingForCapacity)] == all.halted_us &&
        run.summary.idle_repairing_us == all.failed_us;
    std::vector<Halts> stretches;
    for (int day = kWarmUpDays; as_played && day < kRunDays; day += kStretchDays) {
      stretches.push_back(
          count_halts(changes, row.spares, day * kDay, (day + kStretchDays) * kDay));
    }
    return stretches;
  });
  constexpr double kStretchUs = kStretchDays * static_cast<double>(kDay);
  std::vector<double> shares;
  std::vector<double> failures;
  std::vector<double> failed;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    ASSERT_FALSE(runs[i].empty()) << "seed " << i + 1 << ": not as the loop plays it";
    for (const Halts& stretch : runs[i]) {
      shares.push_back(static_cast<double>(stretch.halted_us) / kStretchUs);
      failures.push_back(static_cast<double>(stretch.failures) / kStretchDays);
      failed.push_back(static_cast<double>(stretch.failed_us) / kStretchUs);
    }
  }
  const auto expect_mean = [&](const std::string& what, const std::vector<double>& got,
                               double wanted) {
    const Moments moments(got);
    expect_within_four_errors(row.name + what, moments.mean, wanted, moments.mean_error());
  };
  expect_mean(", P(halted)", shares, p);
  expect_mean(", failures a day", failures, row.per_day * (1 - p));
  expect_mean(", failed nodes", failed, row.load() * (1 - p));
}

constexpr const char* kExponential = R"({{"exponential": {{"mean": "{}"}}}})";
constexpr const char* kConstant = R"("{}")";
constexpr const char* kLognormal = R"({{"lognormal": {{"mean": "{}", "sigma": 1.5}}}})";

INSTANTIATE_TEST_SUITE_P(
    Rows, O8,
    testing::Values(Spares{"small_exponential", 2, 0.5, 3, 0.01538461538, 11, kExponential, 60},
                    Spares{"small_constant", 2, 0.5, 3, 0.01538461538, 11, kConstant, 60},
                    Spares{"small_lognormal", 2, 0.5, 3, 0.01538461538, 11, kLognormal, 60},
                    Spares{"llama_exponential", 419 / 54.0, 1, 16, 0.001609055778, 12, kExponential,
                           60},
                    Spares{"llama_constant", 419 / 54.0, 1, 16, 0.001609055778, 12, kConstant, 30},
                    Spares{"rsc1_exponential", 13.312, 1, 13, 0.161994642, 9, kExponential, 24},
                    Spares{"rsc1_lognormal", 13.312, 1, 13, 0.161994642, 9, kLognormal, 24}),
    [](const auto& row) { return row.param.name; });

struct Independent {
  const char* name;
  double mtbf_days;
  const char* repair;
  double mttr_days;
};

void PrintTo(const Independent& row, std::ostream* out) { *out << row.name; }

class O8Independent : public testing::TestWithParam<Independent> {};

// V2: every node is up for 1/l and away for MTTR, in turn: nothing strikes it while it is away, so
// that l MTTR / (1 + l MTTR) of all node time is repair, whatever the law of repairs.
TEST_P(O8Independent, TimeInRepair) {
  const Independent& row = GetParam();
  constexpr double kNodeUs = 50 * 400.0 * static_cast<double>(kDay);
  const auto scenario = read("tests/validation/o8_independent.json",
                             {std::string("/cluster/pools/1/repair=") + row.repair,
                              fmt::format("/faults/0/source/exponential/mtbf={}d", row.mtbf_days)});
  ASSERT_TRUE(scenario);
  const auto shares = over_seeds(*scenario, seeds(40), [](const FinishedRun& run) {
    return static_cast<double>(run.summary.idle_repairing_us) / kNodeUs;
  });
  // All nodes are whole at the beginning: the share comes to its own at the rate l + 1/MTTR.
  const double load = row.mttr_days / row.mtbf_days;
  const double wanted = load / (1 + load);
  const double settling_days = row.mttr_days / (1 + load);
  const Moments moments(shares);
  expect_within_four_errors(std::string(row.name) + ", in repair", moments.mean,
                            wanted * (1 - settling_days / 400), moments.mean_error());
}

INSTANTIATE_TEST_SUITE_P(
    Rows, O8Independent,
    testing::Values(Independent{"often", 4, R"({"exponential": {"mean": "2d"}})", 2},
                    Independent{"seldom", 49, R"({"exponential": {"mean": "1d"}})", 1},
                    Independent{"more_down_than_up", 1, R"({"exponential": {"mean": "3d"}})", 3}),
    [](const auto& row) { return row.param.name; });

struct Crew {
  const char* name;
  int nodes;
  int spares;
  double per_node_day;  ///< l
  double mttr_days;
  int crew;
  bool cold;
  double printed;  ///< the job runs, or as many nodes as it needs are up
  int digits;
  std::uint64_t runs;

  [[nodiscard]] std::vector<double> chances() const {
    std::vector<double> rates;
    // Cold: the job stands still with one spare too few, so that nothing more fails.
    for (int failed = 0; failed < (cold ? spares + 1 : nodes + spares); ++failed) {
      rates.push_back(per_node_day * (cold ? nodes : nodes + spares - failed));
    }
    return failed_nodes(rates, 1 / mttr_days, crew);
  }
};

void PrintTo(const Crew& row, std::ostream* out) { *out << row.name; }

class O8Crew : public testing::TestWithParam<Crew> {};

// A run is one sample: where the crew is hardly fast enough, a long queue is remembered for months.
TEST_P(O8Crew, QueueOfRepairs) {
  constexpr int kFromDays = 1000;
  constexpr int kUntilDays = 3000;
  const Crew& row = GetParam();
  const std::vector<double> chances = row.chances();
  double enough = 0;
  double failed = 0;
  for (std::size_t i = 0; i < chances.size(); ++i) {
    enough += i <= static_cast<std::size_t>(row.spares) ? chances[i] : 0;
    failed += chances[i] * static_cast<double>(i);
  }
  expect_printed("P(enough)", enough, row.printed, row.digits);
  // Cold, eight nodes fail as often as all of the row's: only N l matters.
  const std::size_t pool = row.cold ? 0 : 1;
  const double mtbf_days = row.cold ? 8 / (row.nodes * row.per_node_day) : 1 / row.per_node_day;
  const auto us = [](double days) {
    return fmt::format("{}us", std::llround(days * static_cast<double>(kDay)));
  };
  const auto scenario =
      read(row.cold ? "tests/validation/o8_spares.json" : "tests/validation/o8_independent.json",
           {row.cold ? fmt::format("/cluster/pools/0/spares={}", row.spares)
                     : fmt::format("/cluster/pools/1/nodes={}", row.nodes + row.spares),
            fmt::format("/cluster/repair_crew={}", row.crew),
            fmt::format(R"(/cluster/pools/{}/repair={{"exponential": {{"mean": "{}"}}}})", pool,
                        us(row.mttr_days)),
            "/faults/0/source/exponential/mtbf=" + us(mtbf_days),
            fmt::format("/until={}d", kUntilDays)});
  ASSERT_TRUE(scenario);
  struct Shares {
    bool as_played = false;
    double enough = 0;
    double failed = 0;
  };
  const auto runs = over_seeds(*scenario, seeds(row.runs), [&](const FinishedRun& run) {
    const Changes changes = with_crew(repairs_of(*scenario, run, pool), std::size_t(row.crew));
    const Halts all = count_halts(changes, row.spares, 0, kUntilDays * kDay);
    const Halts late = count_halts(changes, row.spares, kFromDays * kDay, kUntilDays * kDay);
    constexpr double kLateUs = (kUntilDays - kFromDays) * static_cast<double>(kDay);
    const auto& waits = run.job().ledger_us;
    return Shares{
        .as_played =
            run.summary.idle_repairing_us == all.failed_us &&
            (!row.cold || waits[static_cast<std::size_t>(reports::Bucket::kWaitingForCapacity)] ==
                              all.halted_us),
        .enough = 1 - static_cast<double>(late.halted_us) / kLateUs,
        .failed = static_cast<double>(late.failed_us) / kLateUs};
  });
  std::vector<double> enough_shares;
  std::vector<double> failed_shares;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    ASSERT_TRUE(runs[i].as_played) << "seed " << i + 1 << ": not as the loop plays it";
    enough_shares.push_back(runs[i].enough);
    failed_shares.push_back(runs[i].failed);
  }
  const Moments up(enough_shares);
  expect_within_four_errors(std::string(row.name) + ", enough", up.mean, enough, up.mean_error());
  const Moments down(failed_shares);
  expect_within_four_errors(std::string(row.name) + ", failed", down.mean, failed,
                            down.mean_error());
}

INSTANTIATE_TEST_SUITE_P(
    Rows, O8Crew,
    testing::Values(Crew{"cold_1", 128, 4, 6.5e-3, 1, 1, true, 0.8997806191, 10, 40},
                    Crew{"cold_2", 128, 4, 6.5e-3, 1, 2, true, 0.9896476944, 10, 40},
                    Crew{"cold_small", 16, 2, 0.05, 2, 1, true, 0.5574762316, 10, 40},
                    Crew{"hot_1", 128, 4, 6.5e-3, 1, 1, false, 0.6311720963, 10, 40},
                    Crew{"hot_2", 128, 4, 6.5e-3, 1, 2, false, 0.9816470176, 10, 40},
                    Crew{"hot_small", 16, 2, 0.05, 2, 1, false, 0.0418546876, 10, 40}),
    [](const auto& row) { return row.param.name; });
/// The fewest spares with which the job waits for at most such a share of the time.
int fewest_spares(double load, double share) {
  int spares = 0;
  while (halted(load, spares) > share) {
    ++spares;
  }
  return spares;
}

TEST(O8Figures, AsPrinted) {
  expect_printed("P(halted)", halted(13.312, 20), 0.01340454841, 11);
  expect_printed("P(halted)", halted(13.312, 25), 0.0006976807631, 13);
  expect_printed("P(halted)", halted(1.6865444 * 133.25 / 24, 16), 0.007950256435, 10);
  EXPECT_EQ(fewest_spares(13.312, 0.01), 21);
  expect_printed("P(halted)", halted(13.312, 21), 0.00804571, 8);
  EXPECT_EQ(fewest_spares(13.312 * 5, 0.01), 81);
  EXPECT_EQ(fewest_spares(13.312 / 4, 0.01), 8);
  EXPECT_EQ(fewest_spares(7.7593, 0.01), 14);
  EXPECT_EQ(fewest_spares(13.312, 0.001), 25);
  expect_printed("P(run), V3", 1 - erlang_b(5, 0.832), 0.9985538911, 10);
  const Crew small{"", 16, 2, 0.05, 2, 1, false, 0, 0, 0};
  double failed = 0;
  for (std::size_t i = 0; i < small.chances().size(); ++i) {
    failed += small.chances()[i] * static_cast<double>(i);
  }
  expect_printed("E[failed], V3", failed, 8.07142438, 8);
}

}  // namespace
}  // namespace aftershock::sim::validation
