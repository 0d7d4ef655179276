#include "sim/sweep/scale_rates.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"

namespace aftershock::sim::sweep {
namespace {

using Json = nlohmann::ordered_json;

Json with_source(const Json& source) {
  return {{"faults", Json::array({Json{{"kind", "hang"}, {"at", "1h"}},
                                  Json{{"kind", "node_crash"}, {"source", source}}})}};
}

TEST(ScaleRates, EverySourceInItsOwnWords) {
  struct Row {
    Json source;
    double factor;
    Json scaled;
  };
  const Row rows[] = {
      {{{"rate", "3.79/1000 node-days"}}, 2, {{"rate", "7.58/1000 node-days"}}},
      {{{"rate", "3.79/1000 node-days"}}, 0.5, {{"rate", "1.895/1000 node-days"}}},
      {{{"rate", "419/110592 node-days"}}, 1, {{"rate", "419/110592 node-days"}}},
      {{{"rate", "0.00001/pool-day"}}, 0.5, {{"rate", "0.000005/pool-day"}}},
      {{{"rate", "100/job-hour"}}, 10, {{"rate", "1000/job-hour"}}},
      {{{"rate", "1/job-day"}, {"clock", "training"}},
       3,
       {{"rate", "3/job-day"}, {"clock", "training"}}},
      {{{"exponential", {{"mtbf", "264d"}, {"per", "node"}}}},
       2,
       {{"exponential", {{"mtbf", "11404800000000us"}, {"per", "node"}}}}},
      {{{"exponential", {{"mtbf", "1s"}, {"per", "job"}}}},
       3,
       {{"exponential", {{"mtbf", "333333us"}, {"per", "job"}}}}},
      {{{"exponential", {{"mtbf", "264d"}, {"per", "node"}}}},
       1,
       {{"exponential", {{"mtbf", "264d"}, {"per", "node"}}}}},
  };
  for (const Row& row : rows) {
    Json scenario = with_source(row.source);
    EXPECT_EQ(scale_rates(scenario, row.factor), std::nullopt);
    EXPECT_EQ(scenario, with_source(row.scaled)) << row.source;
  }
}

TEST(ScaleRates, WhatCannotBeChangedStaysAsItWas) {
  for (Json scenario : {with_source({{"rate", "0.00000000000000001/pool-day"}}),
                        with_source({{"exponential", {{"mtbf", "1us"}, {"per", "job"}}}})}) {
    const Json before = scenario;
    const double factor =
        policies::text_from_json(scenario).find("rate") != std::string::npos ? 0.01 : 10;
    const auto problem = scale_rates(scenario, factor);
    ASSERT_TRUE(problem);
    EXPECT_NE(problem->find("/faults/1/source/"), std::string::npos) << *problem;
    EXPECT_EQ(scenario, before);
  }
  Json scripted = {{"faults", Json::array({Json{{"kind", "hang"}, {"at", "1h"}}})}};
  EXPECT_TRUE(scale_rates(scripted, 2));
  Json none = Json::object();
  EXPECT_TRUE(scale_rates(none, 2));
}

TEST(ScaleRates, FactorsAreNumbersAboveZero) {
  EXPECT_EQ(rate_factor("0.5"), 0.5);
  EXPECT_EQ(rate_factor("2"), 2);
  for (const char* text : {"", "0", "-1", "x", "2x", "inf", "nan", "1e999"}) {
    EXPECT_EQ(rate_factor(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace aftershock::sim::sweep
