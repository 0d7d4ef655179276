#include "policies/device_codes/ascend.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "policies/device_codes/ascend_lists.h"
#include "policies/device_codes/catalogue.h"

namespace aftershock::policies {
namespace {

using Level = HandlingLevel;
using About = DeviceSubject;

struct ListedCount {
  About subject;
  Level level;
  std::size_t count;
};

// The sizes of MindCluster's own lists.
constexpr std::array<ListedCount, 21> kCounts{{
    {About::kChip, Level::kNotHandleFault, 132},  {About::kChip, Level::kSubHealthFault, 13},
    {About::kChip, Level::kRestartRequest, 33},   {About::kChip, Level::kRestartBusiness, 25},
    {About::kChip, Level::kFreeRestartNpu, 23},   {About::kChip, Level::kRestartNpu, 162},
    {About::kChip, Level::kPreSeparateNpu, 200},  {About::kChip, Level::kSeparateNpu, 215},
    {About::kSwitch, Level::kNotHandleFault, 12}, {About::kSwitch, Level::kSubHealthFault, 8},
    {About::kSwitch, Level::kRestartRequest, 1},  {About::kSwitch, Level::kSeparateNpu, 9},
    {About::kNode, Level::kNotHandleFault, 7},    {About::kNode, Level::kPreSeparateNpu, 51},
    {About::kNode, Level::kSeparateNpu, 1},       {About::kPublic, Level::kNotHandleFault, 5},
    {About::kPublic, Level::kSubHealthFault, 10}, {About::kPublic, Level::kSeparateNpu, 13},
    {About::kPublic, Level::kPreSeparateNpu, 2},  {About::kDpu, Level::kSubHealthFault, 3},
    {About::kDpu, Level::kSeparateNpu, 2},
}};

TEST(AscendLists, HoldAsManyCodesAsMindClusterShips) {
  std::map<std::pair<About, Level>, std::size_t> found;
  const auto count = [&](std::span<const AscendList> lists) {
    for (const AscendList& list : lists) {
      const std::set<std::uint64_t> numbers(list.numbers.begin(), list.numbers.end());
      const std::set<std::uint16_t> halves(list.halves.begin(), list.halves.end());
      const std::set<std::string_view> words(list.words.begin(), list.words.end());
      found[{list.subject, list.level}] += numbers.size() + halves.size() + words.size();
    }
  };
  count(ascend_chip_lists());
  count(ascend_other_lists());
  EXPECT_EQ(found.size(), kCounts.size());
  for (const ListedCount& each : kCounts) {
    EXPECT_EQ((found[{each.subject, each.level}]), each.count)
        << name_of(each.subject) << " " << listed_as(each.subject, each.level);
  }
}

// One code stands in two lists, so there is one less than the lists hold together: 803 - 1 of
// chips, 30 of switches, 59 of nodes, 30 public ones, 5 of RDMA adapters.
TEST(AscendCodes, AreSortedAndStandOnce) {
  const auto codes = ascend_codes();
  EXPECT_EQ(codes.size(), 802U + 30U + 59U + 30U + 5U);
  for (std::size_t i = 1; i < codes.size(); ++i) EXPECT_LT(codes[i - 1].code, codes[i].code);
  const auto& twice = *find_device_code("A2301001");
  EXPECT_EQ(twice.level, Level::kSeparateNpu);
  EXPECT_NE(twice.note, "");
}

TEST(AscendCodes, SomeComeToManualSeparationByFrequency) {
  std::map<std::uint32_t, int> codes;
  for (const DeviceCode& code : ascend_codes()) {
    if (!code.frequency) continue;
    ++codes[code.frequency->times];
    EXPECT_EQ(code.frequency->window_s, 86'400);
    EXPECT_EQ(code.frequency->level, Level::kManuallySeparateNpu);
    EXPECT_EQ(code.frequency->release_s, code.code == "81078603" ? 172'800 : 0);
  }
  EXPECT_EQ(codes, (std::map<std::uint32_t, int>{{2, 41}, {3, 1}, {5, 1}}));
  EXPECT_EQ(find_device_code("80E01801")->frequency->times, 2U);
  EXPECT_EQ(find_device_code("80E18005")->frequency->times, 3U);
  EXPECT_EQ(find_device_code("81078603")->frequency->times, 5U);
  EXPECT_FALSE(find_device_code("80C98002")->frequency);
  EXPECT_FALSE(find_device_code("80CB8002")->frequency);
}

TEST(AscendCodes, OneIsJudgedByItsDuration) {
  std::vector<std::string> lasting;
  for (const DeviceCode& code : ascend_codes()) {
    if (code.duration) lasting.push_back(code.code);
  }
  ASSERT_EQ(lasting, std::vector<std::string>{"81078603"});
  const DurationRule rule = *find_device_code("81078603")->duration;
  EXPECT_EQ(rule.longer_than_s, 20);
  EXPECT_EQ(rule.recovered_after_s, 60);
  EXPECT_EQ(rule.level, Level::kPreSeparateNpu);
}

struct KnownAscend {
  std::string_view code;
  std::string_view name;
  About subject;
  std::string_view module;
  std::string_view kind;
  Level level;
  RootCause cause;
  Severity severity;
};

constexpr std::array<KnownAscend, 35> kKnownAscend{{
    {"80C98002", "aic_external_input_error", About::kChip, "AIC", "external input error",
     Level::kRestartRequest, RootCause::kUser, Severity::kMinor},
    {"80CB8002", "aiv_external_input_error", About::kChip, "AIV", "external input error",
     Level::kRestartRequest, RootCause::kUser, Severity::kMinor},
    {"80C98003", "aic_software_configuration", About::kChip, "AIC", "software configuration",
     Level::kRestartRequest, RootCause::kUserOrHardware, Severity::kMinor},
    {"80C98009", "aic_bus_access", About::kChip, "AIC", "bus access", Level::kRestartRequest,
     RootCause::kSoftwareOrHardware, Severity::kMinor},
    {"80CB8009", "aiv_bus_access", About::kChip, "AIV", "bus access", Level::kRestartRequest,
     RootCause::kSoftwareOrHardware, Severity::kMinor},
    {"80C98000", "aic_module_error", About::kChip, "AIC", "module error", Level::kRestartRequest,
     RootCause::kHardware, Severity::kMinor},
    {"80CB8000", "aiv_module_error", About::kChip, "AIV", "module error", Level::kRestartRequest,
     RootCause::kHardware, Severity::kMinor},
    {"80C98008", "aic_multi_bit_ecc", About::kChip, "AIC", "multi-bit ECC", Level::kRestartRequest,
     RootCause::kHardware, Severity::kMinor},
    {"80CB8008", "aiv_multi_bit_ecc", About::kChip, "AIV", "multi-bit ECC", Level::kRestartRequest,
     RootCause::kHardware, Severity::kMinor},
    {"80C9800A", "aic_timeout", About::kChip, "AIC", "time-out", Level::kRestartRequest,
     RootCause::kHardware, Severity::kMinor},
    {"80CB800A", "aiv_timeout", About::kChip, "AIV", "time-out", Level::kRestartRequest,
     RootCause::kHardware, Severity::kMinor},
    {"80CF8003", "sdma_software_configuration", About::kChip, "SDMA", "software configuration",
     Level::kRestartRequest, RootCause::kSoftware, Severity::kMinor},
    {"8131800A", "dsa_timeout", About::kChip, "DSA", "time-out", Level::kRestartRequest,
     RootCause::kUnknown, Severity::kMinor},
    {"8107800D", "port_fault", About::kNetworkPort, "PORT", "port fault", Level::kRestartRequest,
     RootCause::kHardware, Severity::kMinor},
    {"80E01801", "hbm_multi_bit_ecc", About::kChip, "HBM", "memory-cell multi-bit ECC",
     Level::kRestartBusiness, RootCause::kHardware, Severity::kMinor},
    {"8C204E00", "tsdaemon_heartbeat_lost", About::kChip, "PROCESS", "heartbeat lost",
     Level::kRestartBusiness, RootCause::kSoftware, Severity::kMinor},
    {"B4060008", "", About::kChip, "runtime", "", Level::kRestartBusiness, RootCause::kUnknown,
     Severity::kMinor},
    {"8C0E4E00", "", About::kChip, "PROCESS", "heartbeat lost", Level::kFreeRestartNpu,
     RootCause::kSoftware, Severity::kMajor},
    {"8C464E00", "", About::kChip, "PROCESS", "heartbeat lost", Level::kFreeRestartNpu,
     RootCause::kHardware, Severity::kMajor},
    {"8C17A005", "", About::kChip, "PROCESS", "resource release failed", Level::kFreeRestartNpu,
     RootCause::kSoftware, Severity::kMajor},
    {"80E18005", "hbm_controller_parity", About::kChip, "HBM controller", "parity",
     Level::kRestartNpu, RootCause::kUnknown, Severity::kMajor},
    {"80E18404", "hbm_uce_storm", About::kChip, "HBM controller", "storm of uncorrectable errors",
     Level::kRestartNpu, RootCause::kUnknown, Severity::kMajor},
    {"80DE1801", "ddr_memory_cell_multi_bit_ecc", About::kChip, "DDR", "memory-cell multi-bit ECC",
     Level::kRestartNpu, RootCause::kUnknown, Severity::kMajor},
    {"80E18402", "hbm_64_rows_isolated", About::kChip, "HBM controller", "64 rows isolated",
     Level::kSeparateNpu, RootCause::kUnknown, Severity::kCritical},
    {"80E18401", "hbm_16_rows_isolated", About::kChip, "HBM controller", "16 rows isolated",
     Level::kNotHandleFault, RootCause::kUnknown, Severity::kHint},
    {"80E0020B", "hbm_fatal_temperature", About::kChip, "HBM", "fatal temperature",
     Level::kSeparateNpu, RootCause::kUnknown, Severity::kCritical},
    {"81078603", "port_link_down", About::kNetworkPort, "PORT", "link down", Level::kNotHandleFault,
     RootCause::kUnknown, Severity::kHint},
    {"81078605", "port_partial_lanes", About::kNetworkPort, "PORT", "partial lanes",
     Level::kSubHealthFault, RootCause::kUnknown, Severity::kHint},
    {"80818C05", "stress_test_high_risk", About::kChip, "", "stress test: high risk",
     Level::kSeparateNpu, RootCause::kUnknown, Severity::kCritical},
    {"80818C06", "stress_test_low_risk", About::kChip, "", "stress test: low risk",
     Level::kSubHealthFault, RootCause::kUnknown, Severity::kHint},
    // In the bulk families the lower half does not name a kind of the anatomy: 020B means another
    // thing than temperature here.
    {"8F18020B", "", About::kChip, "PCIe/board", "", Level::kSeparateNpu, RootCause::kUnknown,
     Severity::kCritical},
    {"8F180220", "", About::kChip, "PCIe/board", "", Level::kPreSeparateNpu, RootCause::kUnknown,
     Severity::kHint},
    {"020001002", "", About::kChip, "", "", Level::kSeparateNpu, RootCause::kUnknown,
     Severity::kCritical},
    {"2C000031", "", About::kNode, "", "", Level::kSeparateNpu, RootCause::kUnknown,
     Severity::kCritical},
    {"[0x00f1fef5,155914,npu,na]", "", About::kSwitch, "", "", Level::kRestartRequest,
     RootCause::kUnknown, Severity::kMinor},
}};

TEST(AscendCodes, SayWhatIsKnown) {
  for (const KnownAscend& each : kKnownAscend) {
    SCOPED_TRACE(each.code);
    const DeviceCode* found = find_device_code(each.code);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->family, DeviceFamily::kAscend);
    EXPECT_EQ(found->name, each.name);
    EXPECT_EQ(found->subject, each.subject);
    EXPECT_EQ(found->module, each.module);
    EXPECT_EQ(found->kind, each.kind);
    EXPECT_EQ(found->level, each.level);
    EXPECT_EQ(found->root_cause, each.cause);
    EXPECT_EQ(found->severity, each.severity);
    EXPECT_EQ(found->product, "");
    EXPECT_FALSE(found->xid);
    EXPECT_EQ(find_device_code("ascend:" + std::string(each.code)), found);
    EXPECT_EQ(find_device_code(each.name), each.name.empty() ? nullptr : found);
  }
}

TEST(Levels, OrderAndSeverity) {
  // From the least to the most serious; what does not touch the running job is a hint.
  constexpr std::array<std::pair<std::string_view, Severity>, kHandlingLevels> kOrder{{
      {"NotHandleFault", Severity::kHint},
      {"SubHealthFault", Severity::kHint},
      {"RestartRequest", Severity::kMinor},
      {"RestartBusiness", Severity::kMinor},
      {"FreeRestartNPU", Severity::kMajor},
      {"RestartNPU", Severity::kMajor},
      {"PreSeparateNPU", Severity::kHint},
      {"SeparateNPU", Severity::kCritical},
      {"ManuallySeparateNPU", Severity::kCritical},
  }};
  for (std::size_t i = 0; i < kOrder.size(); ++i) {
    const auto level = static_cast<Level>(i);
    EXPECT_EQ(name_of(level), kOrder[i].first);
    EXPECT_EQ(severity_of(level), kOrder[i].second) << name_of(level);
    EXPECT_NE(meaning_of(level), "");
  }
}

TEST(Levels, HaveTheWordOfTheirList) {
  EXPECT_EQ(listed_as(About::kChip, Level::kSeparateNpu), "SeparateNPU");
  EXPECT_EQ(listed_as(About::kPublic, Level::kPreSeparateNpu), "PreSeparateNPU");
  EXPECT_EQ(listed_as(About::kNode, Level::kPreSeparateNpu), "PreSeparateFault");
  EXPECT_EQ(listed_as(About::kNode, Level::kSeparateNpu), "SeparateFault");
  EXPECT_EQ(listed_as(About::kSwitch, Level::kRestartRequest), "RestartRequestFault");
  EXPECT_EQ(listed_as(About::kSwitch, Level::kSubHealthFault), "SubHealthFault");
  EXPECT_EQ(listed_as(About::kDpu, Level::kSeparateNpu), "SeparateDPU");
}

TEST(JudgeUnknown, FollowsMindCluster) {
  EXPECT_EQ(judge_unknown(About::kChip, Severity::kHint), Level::kNotHandleFault);
  EXPECT_EQ(judge_unknown(About::kChip, Severity::kMinor), Level::kNotHandleFault);
  EXPECT_EQ(judge_unknown(About::kChip, Severity::kMajor), Level::kSeparateNpu);
  EXPECT_EQ(judge_unknown(About::kChip, Severity::kCritical), Level::kSeparateNpu);
  EXPECT_EQ(judge_unknown(About::kChip, std::nullopt), Level::kSeparateNpu);
  for (const Severity severity : {Severity::kHint, Severity::kCritical}) {
    EXPECT_EQ(judge_unknown(About::kNetworkPort, severity), Level::kPreSeparateNpu);
  }
  EXPECT_EQ(judge_unknown(About::kNetworkPort, std::nullopt), Level::kPreSeparateNpu);
}

}  // namespace
}  // namespace aftershock::policies
