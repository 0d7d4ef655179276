#include "sim/sweep/hindsight.h"

#include <cstdint>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "sim/simulate/simulate.h"
#include "tests/property/random_modelarts.h"
#include "tests/property/random_scenario.h"
#include "tests/property/run_case.h"

// No run of any shipped policy does better than its hindsight bound.
namespace aftershock::sim {
namespace {

constexpr std::uint64_t kHindsightCases = 300;

/// Whether the scenario had a bound to be held against.
bool hold_against_hindsight(const std::string& text) {
  const auto read = read_text(text);
  const auto* scenario = std::get_if<std::shared_ptr<const scenario::Scenario>>(&read);
  if (scenario == nullptr || simulate::may_contend(**scenario)) {
    return false;  // a process has one SimGrid
  }
  const auto costs = sweep::start_costs(**scenario);
  if (!costs) {
    return false;
  }
  const reports::RunRow row = reports::row_of(simulate::simulate(*scenario, {}), {});
  const auto bound = reports::hindsight_useful(row, *costs);
  const auto useful = reports::number_of(row, "useful_share");
  if (!bound || !useful) {
    return false;
  }
  EXPECT_LE(*useful, *bound + 1e-12) << text;
  EXPECT_LE(*bound, 1.0) << text;
  return *useful < *bound;
}

TEST(Hindsight, IsNeverBeaten) {
  int held = 0;
  for (std::uint64_t key = 0; key < kHindsightCases; ++key) {
    held += hold_against_hindsight(random_scenario(key)) ? 1 : 0;
    held += hold_against_hindsight(random_modelarts(key)) ? 1 : 0;
  }
  EXPECT_GE(held, 300) << "too few of them say anything";
}

}  // namespace
}  // namespace aftershock::sim
