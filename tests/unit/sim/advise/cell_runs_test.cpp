#include "sim/advise/cell_runs.h"

#include <gtest/gtest.h>

#include "sim/sweep/run_values.h"

namespace aftershock::sim::advise {
namespace {

/// Twenty runs with these useful shares by their number.
template <class Share>
CellRuns runs_of(const scenario::Expression& goal, Share&& share) {
  CellRuns runs(goal, {});
  for (std::uint32_t i = 0; i < 20; ++i) {
    reports::RunRow row{
        .replica = i, .seed = i + 1, .outcome = "running", .reason = {}, .values = {}};
    row.values.resize(reports::metrics().size());
    row.values[*reports::metric_named("useful_share")] = share(i);
    runs.add(row);
  }
  return runs;
}

TEST(CellRuns, AreAlikeByTheSizeOfTheirPairedDifferences) {
  const auto parsed = scenario::parse_many_runs("max useful", scenario::Scenario{}, true);
  const scenario::Expression& goal = std::get<scenario::Expression>(parsed);
  const struct {
    const char* why;
    double difference;  ///< of every run
    double scatter;     ///< of it, by turns up and down
    Likeness likeness;
  } rows[] = {
      {"told apart, and nobody would pay for it", 0.00001, 0.000001, Likeness::kAlike},
      {"told apart", 0.005, 0.0001, Likeness::kApart},
      {"may be chance, and small", 0.001, 0.01, Likeness::kAlike},
      {"may be chance, and may be large", 0.01, 0.2, Likeness::kOpen},
  };
  const auto base = [](std::uint32_t run) { return 0.7 + 0.01 * run; };
  const CellRuns best = runs_of(goal, base);
  for (const auto& row : rows) {
    const CellRuns other = runs_of(goal, [&](std::uint32_t run) {
      return base(run) - row.difference + (run % 2 == 0 ? row.scatter : -row.scatter);
    });
    EXPECT_EQ(likeness(best, other), row.likeness) << row.why;
  }
}

}  // namespace
}  // namespace aftershock::sim::advise
