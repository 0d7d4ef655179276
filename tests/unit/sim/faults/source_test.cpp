#include "sim/faults/source.h"

#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "sim/faults/fault_record.h"

namespace aftershock::sim::faults {
namespace {

scenario::PoolSpec pool(std::uint32_t nodes, std::uint32_t racks, std::uint32_t per_node) {
  scenario::PoolSpec spec;
  spec.name = "p";
  spec.nodes = nodes;
  spec.max_nodes = nodes;
  spec.racks = racks;
  spec.accelerators_per_node = per_node;
  return spec;
}

scenario::Scenario scenario() {
  scenario::Scenario made;
  made.seed = 11;
  made.cluster.pools.push_back(pool(10, 4, 8));
  scenario::JobSpec job;
  job.name = "a";
  job.workers = 20;
  made.jobs.push_back(job);
  scenario::FaultSpec fault;
  fault.id = "f";
  fault.target.kind = scenario::TargetKind::kPool;
  fault.target.text = "pool:p";
  fault.source = scenario::StochasticSource{1e6L, scenario::RatePer::kNode};
  fault.effects.push_back({});
  made.faults.push_back(fault);
  return made;
}

TEST(Source, RackSlotsAreRuns) {
  const scenario::PoolSpec spec = pool(10, 4, 8);  // 3 2 3 2
  const std::uint32_t first[] = {0, 3, 5, 8};
  const std::uint32_t count[] = {3, 2, 3, 2};
  for (std::uint32_t rack = 0; rack < 4; ++rack) {
    EXPECT_EQ(rack_slots(spec, rack).first, first[rack]);
    EXPECT_EQ(rack_slots(spec, rack).count, count[rack]);
  }
}

TEST(Source, UnitsOfATarget) {
  struct Row {
    scenario::TargetKind target;
    scenario::RatePer per;
    std::uint32_t wanted;
  };
  const Row rows[] = {
      {scenario::TargetKind::kPool, scenario::RatePer::kNode, 10},
      {scenario::TargetKind::kPool, scenario::RatePer::kAccelerator, 80},
      {scenario::TargetKind::kPool, scenario::RatePer::kPool, 1},
      {scenario::TargetKind::kNode, scenario::RatePer::kNode, 1},
      {scenario::TargetKind::kNode, scenario::RatePer::kAccelerator, 8},
      {scenario::TargetKind::kAccelerator, scenario::RatePer::kAccelerator, 1},
      {scenario::TargetKind::kJob, scenario::RatePer::kJob, 1},
      {scenario::TargetKind::kRank, scenario::RatePer::kJob, 1},
  };
  for (const Row& row : rows) {
    scenario::Scenario made = scenario();
    made.faults[0].target.kind = row.target;
    made.faults[0].source->per = row.per;
    EXPECT_EQ(units_of(made, made.faults[0]), row.wanted)
        << static_cast<int>(row.target) << " per " << static_cast<int>(row.per);
  }
}

// On the clock of a job's training the units of a pool are the job's: 20 workers, 8 a node.
TEST(Source, UnitsAtRiskInTraining) {
  scenario::Scenario made = scenario();
  made.faults[0].source->training_job = 0;
  const std::pair<scenario::RatePer, std::uint32_t> rows[] = {{scenario::RatePer::kNode, 3},
                                                              {scenario::RatePer::kAccelerator, 20},
                                                              {scenario::RatePer::kPool, 1}};
  for (const auto& [per, wanted] : rows) {
    made.faults[0].source->per = per;
    EXPECT_EQ(units_of(made, made.faults[0]), wanted) << static_cast<int>(per);
  }
}

// Ten nodes of mean 1 s: one strike every 0.1 s.
TEST(Source, GapsHaveTheSummedRate) {
  const scenario::Scenario made = scenario();
  constexpr int kDraws = 20'000;
  double sum = 0;
  for (std::uint64_t n = 0; n < kDraws; ++n) {
    sum += static_cast<double>(draw_gap_us(made, 0, n, 0, 10));
  }
  EXPECT_NEAR(sum / kDraws, 1e5, 4 * 1e5 / std::sqrt(kDraws));
}

TEST(Source, GapsAreAFunctionOfSeedAndFault) {
  const scenario::Scenario made = scenario();
  scenario::Scenario other = made;
  other.jobs[0].policy.name = "another";
  other.jobs[0].steps = 7;
  EXPECT_EQ(draw_gap_us(made, 0, 5, 0, 10), draw_gap_us(other, 0, 5, 0, 10));
  other.seed = 12;
  EXPECT_NE(draw_gap_us(made, 0, 5, 0, 10), draw_gap_us(other, 0, 5, 0, 10));
  scenario::Scenario two = made;
  two.faults.push_back(made.faults[0]);
  two.faults[1].id = "g";
  EXPECT_NE(draw_gap_us(two, 0, 5, 0, 10), draw_gap_us(two, 1, 5, 0, 10));
  EXPECT_EQ(draw_gap_us(two, 0, 5, 0, 10), draw_gap_us(made, 0, 5, 0, 10));
}

TEST(Source, CausesComeByTheirWeights) {
  scenario::Scenario made = scenario();
  made.faults[0].effects.assign(4, {});
  const double weights[] = {148, 0.5, 72, 198.5};
  double total = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    made.faults[0].effects[i].weight = weights[i];
    total += weights[i];
  }
  constexpr int kDraws = 20'000;
  std::vector<int> counts(4);
  for (std::uint64_t n = 0; n < kDraws; ++n) {
    ++counts.at(draw_effect(made, 0, n, 0));
  }
  for (std::size_t i = 0; i < 4; ++i) {
    const double p = weights[i] / total;
    EXPECT_NEAR(counts[i], kDraws * p, 4 * std::sqrt(kDraws * p * (1 - p))) << i;
  }
  made.faults[0].effects.resize(1);
  EXPECT_EQ(draw_effect(made, 0, 3, 0), 0U);
}

TEST(FaultRecord, IdsOfRepeatingSourcesAreNumbered) {
  scenario::Scenario made = scenario();
  FaultRecord fault;
  fault.nth = 7;
  EXPECT_EQ(fault_id(made, fault), "f#7");
  made.faults[0].source.reset();
  EXPECT_EQ(fault_id(made, fault), "f");
  made.faults[0].every_attempt = true;
  EXPECT_EQ(fault_id(made, fault), "f#7");
}

TEST(FaultRecord, PlaceAndWords) {
  scenario::Scenario made = scenario();
  FaultRecord fault;
  fault.pool = 0;
  fault.node = 3;
  fault.accelerator = 5;
  fault.job = 0;
  fault.rank = 13;
  scenario::FaultEffect& effect = made.faults[0].effects[0].effect;
  struct Row {
    scenario::FaultKind kind;
    const char* place;
  };
  const Row rows[] = {
      {scenario::FaultKind::kNodeCrash, "node:p-3"},
      {scenario::FaultKind::kPreemption, "node:p-3"},
      {scenario::FaultKind::kPartition, "node:p-3"},
      {scenario::FaultKind::kWorkerCrash, "job:a/rank:13"},
      {scenario::FaultKind::kHang, "job:a/rank:13"},
      {scenario::FaultKind::kAcceleratorFault, "accelerator:p-3/5"},
  };
  for (const Row& row : rows) {
    effect.kind = row.kind;
    EXPECT_EQ(fault_place(made, fault), row.place);
  }
  effect.kind = scenario::FaultKind::kNodeCrash;
  effect.label = "faulty host";
  EXPECT_EQ(fault_words(made, fault), "node_crash (faulty host) node:p-3");
}

}  // namespace
}  // namespace aftershock::sim::faults
