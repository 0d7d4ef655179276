#include "sim/workload/pod_start.h"

#include <limits>

#include <gtest/gtest.h>

#include "sim/scenario/text/units.h"

namespace aftershock::sim::workload {
namespace {

constexpr std::int64_t kGigabyte = 1'000'000'000;
constexpr std::int64_t kSecond = 1'000'000;

struct Case {
  const char* of;
  scenario::PodSpec spec;
  PodStart start;
  std::optional<std::int64_t> nic_bytes_per_s;
  std::int64_t takes_us;
};

constexpr scenario::PodSpec kImage{.image_bytes = 10 * kGigabyte,
                                   .registry_bytes_per_s = 5 * kGigabyte};
constexpr scenario::PodSpec kPods{
    .registry_bytes_per_s = {}, .each_us = kSecond / 4, .rank_table_us = kSecond / 100};

const Case kCases[] = {
    {"nothing that costs", {}, {512, 512, 512}, kGigabyte, 0},
    {"no pod that starts", kPods, {0, 0, 512}, {}, 0},
    {"two nodes that share the registry", kImage, {2, 2, 2}, {}, 4 * kSecond},
    {"nodes that hold the image", kImage, {2, 0, 2}, {}, 0},
    {"one node with a slow network", kImage, {1, 1, 8}, kGigabyte / 10, 100 * kSecond},
    {"eight nodes that the registry holds up", kImage, {8, 8, 8}, kGigabyte, 16 * kSecond},
    {"no bandwidth at all",
     {.image_bytes = kGigabyte, .registry_bytes_per_s = {}},
     {8, 8, 8},
     {},
     0},
    {"one pod of 512", kPods, {1, 0, 512}, {}, kSecond / 4 + 512 * kSecond / 100},
    {"all 512 pods", kPods, {512, 0, 512}, {}, 512 * kSecond / 4 + 512 * kSecond / 100},
    {"more than anybody waits for",
     {.registry_bytes_per_s = {}, .each_us = scenario::kHundredYearsUs},
     {std::numeric_limits<std::uint32_t>::max(), 0, 1},
     {},
     scenario::kHundredYearsUs},
};

TEST(PodStart, TakesMoreTheMorePodsStart) {
  for (const Case& each : kCases) {
    EXPECT_EQ(pod_start_us(each.spec, each.start, each.nic_bytes_per_s), each.takes_us) << each.of;
  }
}

TEST(ImageHolders, FetchOnceAndAgainAfterAnotherMachineCame) {
  machines::NodeBits nodes(5);
  nodes.set(1).set(3);
  ImageHolders holders;
  holders.forget(3);
  EXPECT_EQ(holders.fetch(nodes), 2U);
  EXPECT_EQ(holders.fetch(nodes), 0U);
  nodes.set(4);
  EXPECT_EQ(holders.fetch(nodes), 1U);
  holders.forget(3);
  EXPECT_EQ(holders.fetch(nodes), 1U);
}

}  // namespace
}  // namespace aftershock::sim::workload
