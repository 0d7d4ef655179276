#include "sim/control/chip_windows.h"

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace aftershock::sim::control {
namespace {

constexpr policies::TimeUs kHourUs = 3600 * policies::kSecondUs;
constexpr policies::TimeUs kDayUs = 24 * kHourUs;

policies::DeviceFault ecc(policies::NodeId node = 1, std::uint32_t accelerator = 3) {
  return {.node = node, .accelerator = accelerator, .code = "ascend:80E01801"};
}

struct WindowRow {
  const char* name;
  std::vector<policies::TimeUs> times;
  std::vector<bool> third;
  policies::PodTerms terms{};
};

class Windows : public testing::TestWithParam<WindowRow> {};

TEST_P(Windows, CountReports) {
  const WindowRow& row = GetParam();
  ChipWindows windows;
  std::vector<bool> third;
  for (const policies::TimeUs t_us : row.times) {
    windows.third.clear();
    third.push_back(count_report(windows, row.terms, ecc(), t_us, 0));
  }
  EXPECT_EQ(third, row.third);
}

INSTANTIATE_TEST_SUITE_P(
    Row, Windows,
    testing::Values(
        WindowRow{"a_microsecond_less", {0, kHourUs, kDayUs - 1}, {false, false, true}},
        WindowRow{"exactly_a_day", {0, kHourUs, kDayUs}, {false, false, false}},
        WindowRow{"slides", {0, kHourUs, kDayUs, kDayUs + 1}, {false, false, false, true}},
        WindowRow{"begins_anew", {0, 1, 2, 3, 4, 5}, {false, false, true, false, false, true}},
        WindowRow{"counts_on", {0, 1, 2, 3}, {false, false, true, true}, {.count_kept = true}},
        WindowRow{"heals", {0, 1, 2}, {false, false, false}, {.third_fault_heals = true}}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(ChipWindows, CountEveryChipAndCodeByItself) {
  ChipWindows windows;
  auto other_code = ecc();
  other_code.code = "ascend:80C98002";
  for (const auto& fault : {ecc(), ecc(2), ecc(1, 4), other_code, ecc()}) {
    EXPECT_FALSE(count_report(windows, {}, fault, 0, 0));
  }
  EXPECT_TRUE(count_report(windows, {}, ecc(), 0, 7));
  EXPECT_TRUE(took_as_third(windows, {}, 7));
  EXPECT_FALSE(took_as_third(windows, {}, 6));
}

TEST(ChipWindows, AnotherCodeBeginsAnewWhereItIsReadSo) {
  ChipWindows windows;
  const policies::PodTerms terms{.other_codes_reset = true};
  auto other_code = ecc();
  other_code.code = "ascend:80C98002";
  EXPECT_FALSE(count_report(windows, terms, ecc(), 0, 0));
  EXPECT_FALSE(count_report(windows, terms, ecc(), 1, 0));
  EXPECT_FALSE(count_report(windows, terms, other_code, 2, 0));
  EXPECT_FALSE(count_report(windows, terms, ecc(), 3, 0));
}

// A controller that came back may have forgotten its actions before, and may not.
TEST(ChipWindows, AreOpenToBothAfterARestart) {
  ChipWindows windows;
  count_report(windows, {}, ecc(), 0, 0);
  count_report(windows, {}, ecc(), 1, 0);
  windows.remembered_since_us = 2;
  EXPECT_FALSE(count_report(windows, {}, ecc(), 3, 0)) << "it need not take it as the third";
  EXPECT_TRUE(windows.over.empty());
  EXPECT_TRUE(took_as_third(windows, {}, 0)) << "and it may";
}

struct MeaningRow {
  std::string code;
  std::optional<policies::Severity> severity;
  ChipMeaning meaning;
};

// modelarts.md 1.2, A28, A34; 6.1 for codes that nobody lists.
TEST(ChipMeaning, IsByConfigurationThenDeviceThenCatalogue) {
  using policies::Severity;
  const policies::PodTerms terms{.severities = {{"80E18402", Severity::kMinor}}};
  for (const auto& [code, severity, meaning] : {
           MeaningRow{"ascend:80E01801", {}, ChipMeaning::kHeals},
           MeaningRow{"ascend:80E01801", Severity::kCritical, ChipMeaning::kIsolates},
           MeaningRow{"ascend:80E01801", Severity::kHint, ChipMeaning::kNothing},
           MeaningRow{"ascend:80E18402", Severity::kCritical, ChipMeaning::kHeals},
           MeaningRow{"ascend:80E0020B", {}, ChipMeaning::kIsolates},
           MeaningRow{"ascend:80FFFFFF", {}, ChipMeaning::kIsolates},
           MeaningRow{"ascend:80FFFFFF", Severity::kMinor, ChipMeaning::kNothing},
           MeaningRow{"ascend:8107FFFF", {}, ChipMeaning::kNothing},
           MeaningRow{"xid:79", Severity::kMajor, ChipMeaning::kIsolates},
           MeaningRow{"xid:79", Severity::kMinor, ChipMeaning::kNothing},
       }) {
    EXPECT_EQ(meaning_of(terms, {.code = code, .severity = severity}), meaning) << code;
  }
}

}  // namespace
}  // namespace aftershock::sim::control
