#include "policies/device_codes/ascend_facts.h"

#include <algorithm>
#include <array>
#include <span>

namespace aftershock::policies {
namespace {

using Codes = std::span<const std::string_view>;

constexpr std::array<std::string_view, 19> kHardware{
    "80AD8009", "80BB8000", "80BB8008", "80BB8009", "80BB800A", "80BD8000", "80BD8009",
    "80C98000", "80C98008", "80C9800A", "80CB8000", "80CB8008", "80CB800A", "80D98008",
    "80E01801", "8107800D", "81318008", "81AB8008", "8C464E00"};
constexpr std::array<std::string_view, 2> kUser{"80C98002", "80CB8002"};
constexpr std::array<std::string_view, 1> kUserOrHardware{"80C98003"};
constexpr std::array<std::string_view, 7> kSoftwareOrHardware{
    "80BB8003", "80BD8003", "80C98009", "80CB8009", "80DB8000", "80DB800A", "80DD8000"};
constexpr std::array<std::string_view, 16> kSoftware{
    "80CF8003", "80D58000", "80D58009", "80DD8003", "8C044E00", "8C064E00", "8C084E00", "8C0A4E00",
    "8C0C4E00", "8C0E4E00", "8C104E00", "8C124E00", "8C17A005", "8C19A005", "8C1DA005", "8C204E00"};
constexpr std::array<std::string_view, 41> kTwiceADay{
    "80A18008", "80A38008", "80A58008", "80B58000", "80B78000", "80B98000", "80B98008",
    "80BB8000", "80BB8008", "80BD8000", "80BD8008", "80C78008", "80C98000", "80C98008",
    "80CB8008", "80CD8008", "80CF8008", "80D98008", "80DE1801", "80DF8008", "80E01801",
    "80E18008", "80E38008", "80E39200", "80E3A202", "80E3A203", "80E78000", "80E78008",
    "80F18000", "80F18008", "80F38008", "80F78008", "81318008", "81338008", "813B8008",
    "81478008", "81578008", "815F8008", "81938008", "81958008", "81978008"};

constexpr std::array<AscendGloss, 17> kGlosses{{
    {"4C1F8608", "", "", "together with 81078603 it is SeparateNPU"},
    {"80818C05", "stress_test_high_risk", "stress test: high risk", ""},
    {"80818C06", "stress_test_low_risk", "stress test: low risk", ""},
    {"80C98002", "", "", "left out of the frequency rules on purpose"},
    {"80CB8002", "", "", "left out of the frequency rules on purpose"},
    {"80E0020B", "hbm_fatal_temperature", "fatal temperature", ""},
    {"80E01801", "hbm_multi_bit_ecc", "", "the online recovery of processes can repeat the step"},
    {"80E18401", "hbm_16_rows_isolated", "16 rows isolated", ""},
    {"80E18402", "hbm_64_rows_isolated", "64 rows isolated", "ModelArts sends the node to repair"},
    {"80E18404", "hbm_uce_storm", "storm of uncorrectable errors", ""},
    {"81078603", "", "",
     "judged apart from the chip's codes; with 8C1F8609 it is SubHealthFault, with 8C1F860B, "
     "8C1F8608 or 4C1F8608 SeparateNPU, for which ClusterD remembers it for 300 s"},
    {"8C1F8608", "", "", "together with 81078603 it is SeparateNPU"},
    {"8C1F8609", "", "", "together with 81078603 it is SubHealthFault"},
    {"8C1F860B", "", "", "together with 81078603 or [0x08520003,na,L2,na] it is SeparateNPU"},
    {"8C204E00", "tsdaemon_heartbeat_lost", "", ""},
    {"A2301001", "", "", "listed as RestartBusiness as well; the most serious level counts"},
    {"[0x08520003,na,L2,na]", "", "",
     "together with 8C1F860B it is SeparateNPU, for which ClusterD remembers it for 300 s"},
}};

static_assert(std::is_sorted(kGlosses.begin(), kGlosses.end(),
                             [](const AscendGloss& left, const AscendGloss& right) {
                               return left.code < right.code;
                             }));

bool has(Codes codes, std::string_view code) {
  return std::binary_search(codes.begin(), codes.end(), code);
}

constexpr std::int64_t kDayS = 86'400;

}  // namespace

RootCause ascend_root_cause(std::string_view code) {
  if (has(kHardware, code)) return RootCause::kHardware;
  if (has(kSoftware, code)) return RootCause::kSoftware;
  if (has(kSoftwareOrHardware, code)) return RootCause::kSoftwareOrHardware;
  if (has(kUser, code)) return RootCause::kUser;
  return has(kUserOrHardware, code) ? RootCause::kUserOrHardware : RootCause::kUnknown;
}

std::optional<FrequencyRule> ascend_frequency(std::string_view code) {
  if (code == "80E18005") return FrequencyRule{.times = 3, .window_s = kDayS};
  if (code == "81078603") {
    return FrequencyRule{.times = 5, .window_s = kDayS, .release_s = 2 * kDayS};
  }
  if (has(kTwiceADay, code)) return FrequencyRule{.times = 2, .window_s = kDayS};
  return std::nullopt;
}

std::optional<DurationRule> ascend_duration(std::string_view code) {
  if (code != "81078603") return std::nullopt;
  return DurationRule{.longer_than_s = 20, .recovered_after_s = 60};
}

const AscendGloss* ascend_gloss(std::string_view code) {
  const auto found = std::lower_bound(
      kGlosses.begin(), kGlosses.end(), code,
      [](const AscendGloss& gloss, std::string_view wanted) { return gloss.code < wanted; });
  return found != kGlosses.end() && found->code == code ? &*found : nullptr;
}

}  // namespace aftershock::policies
