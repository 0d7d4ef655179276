#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/scenario/read/read.h"

// The library of a job's collectives, and its laws where the scenario does not say others.
namespace aftershock::sim::scenario {
namespace {

std::string text(const char* kind, std::uint32_t workers, const char* job) {
  return fmt::format(R"({{"schema":1,"name":"x","until":"1d","cluster":{{"pools":[{{"name":"p",)"
                     R"("nodes":2,"accelerators":{{"kind":"{}","per_node":2}}}}]}},"jobs":[{{)"
                     R"("name":"a","workers":{},"step":"1s",{}"policy":{{"name":"torchrun"}}}}]}})",
                     kind, workers, job);
}

JobSpec read_job_of(const std::string& scenario) {
  ReadResult result = read_scenario_text(scenario, "test.json");
  auto* read = std::get_if<ReadScenario>(&result);
  EXPECT_NE(read, nullptr) << scenario;
  return read == nullptr ? JobSpec() : read->scenario.jobs.at(0);
}

TEST(ReadCollectives, DefaultsAreThoseOfTheTransportThatThePoolHas) {
  constexpr std::int64_t kRetries = 7 * 4'096 * (std::int64_t{1} << 20U) / 1'000;
  const JobSpec between = read_job_of(text("gpu", 4, ""));
  EXPECT_EQ(between.collectives.transport, Transport::kNccl);
  EXPECT_EQ(between.collectives.peer_ended, Distribution::constant(kRetries));
  EXPECT_EQ(between.collectives.peer_vanished, Distribution::constant(kRetries));
  EXPECT_EQ(between.collectives.gone_after, Distribution::constant(60'000'000));
  const JobSpec within = read_job_of(text("gpu", 2, ""));
  EXPECT_FALSE(within.collectives.peer_ended || within.collectives.peer_vanished);
  EXPECT_EQ(within.collectives.gone_after, Distribution::constant(60'000'000));
  const JobSpec npus = read_job_of(text("npu", 4, ""));
  EXPECT_EQ(npus.collectives.transport, Transport::kHccl);
  EXPECT_FALSE(npus.collectives.peer_ended || npus.collectives.peer_vanished);
  EXPECT_EQ(npus.collectives.gone_after, Distribution::constant(0));
}

TEST(ReadCollectives, LawsReplaceThoseOfTheTransport) {
  const JobSpec job = read_job_of(
      text("gpu", 4,
           R"("collectives":{"transport":"gloo","peer_ended":"unseen","peer_vanished":"9s"},)"));
  EXPECT_FALSE(job.collectives.peer_ended);
  EXPECT_EQ(job.collectives.peer_vanished, Distribution::constant(9'000'000));
  EXPECT_TRUE(std::holds_alternative<Distribution::Uniform>(job.collectives.gone_after.shape));
}

TEST(ReadCollectives, NothingEndsAWaitThatIsNotHandled) {
  const JobSpec job =
      read_job_of(text("gpu", 4, R"("collectives":{"transport":"nccl_unhandled"},)"));
  EXPECT_FALSE(job.collective_timeout_us);
}

TEST(ReadCollectives, WarnOfWhatHasNoEffect) {
  const auto warnings = [](const std::string& scenario) {
    ReadResult result = read_scenario_text(scenario, "test.json");
    auto* read = std::get_if<ReadScenario>(&result);
    return read == nullptr ? std::size_t{0} : read->warnings.size();
  };
  EXPECT_EQ(warnings(text("gpu", 4, "")), 0U);
  EXPECT_EQ(warnings(text("gpu", 4, R"("collectives":{"transport":"hccl"},)")), 1U);
  EXPECT_EQ(warnings(text("npu", 4, R"("collectives":{"transport":"nccl"},)")), 1U);
  EXPECT_EQ(warnings(text("gpu", 4,
                          R"("collective_timeout":"10min",)"
                          R"("collectives":{"transport":"nccl_unhandled"},)")),
            1U);
}

}  // namespace
}  // namespace aftershock::sim::scenario
