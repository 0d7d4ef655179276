#include <algorithm>
#include <array>

#include "policies/device_codes/ascend_lists.h"

namespace aftershock::policies {
namespace {

// [alarm,subtype,peer type,peer id]
constexpr std::array<std::string_view, 12> kSwitchNotHandleFault{
    "[0x00f103b6,155909,na,na]",  "[0x00f10509,132332,L2,na]",  "[0x00f10509,132333,L2,na]",
    "[0x00f1fef5,155913,L2,na]",  "[0x00f1fef5,155913,cpu,na]", "[0x00f1fef5,155913,na,na]",
    "[0x00f1fef5,155913,npu,na]", "[0x00f1fef5,155914,L2,na]",  "[0x00f1fef5,155915,L2,na]",
    "[0x00f1fef5,155915,cpu,na]", "[0x00f1fef5,155915,npu,na]", "[0x08520003,na,L2,na]"};
constexpr std::array<std::string_view, 8> kSwitchSubHealthFault{
    "[0x00f103b6,155908,na,na]",  "[0x00f10509,132332,cpu,na]", "[0x00f10509,132332,npu,na]",
    "[0x00f10509,132333,cpu,na]", "[0x00f10509,132333,npu,na]", "[0x00f1ff06,132134,na,na]",
    "[0x00f1ff06,155910,na,na]",  "[0x00f1ff06,155911,na,na]"};
constexpr std::array<std::string_view, 1> kSwitchRestartRequestFault{"[0x00f1fef5,155914,npu,na]"};
constexpr std::array<std::string_view, 9> kSwitchSeparateFault{
    "[0x00f103b0,155649,na,na]",  "[0x00f103b0,155904,na,na]",  "[0x00f103b0,155907,na,na]",
    "[0x00f1fef5,155912,L2,na]",  "[0x00f1fef5,155912,cpu,na]", "[0x00f1fef5,155912,npu,na]",
    "[0x00f1fef5,155914,cpu,na]", "[0x08520003,na,cpu,na]",     "[0x08520003,na,npu,na]"};

constexpr std::array<std::uint64_t, 7> kNodeNotHandleFault{
    0x0100000D, 0x03000009, 0x0300000D, 0x03000011, 0x03000013, 0x29000001, 0x2900002F};
constexpr std::array<std::uint64_t, 51> kNodePreSeparateFault{
    0x00000003, 0x0000001D, 0x0000001F, 0x00000021, 0x00000099, 0x000000D3, 0x01000017, 0x01000057,
    0x01000059, 0x02000007, 0x02000009, 0x0200000B, 0x02000013, 0x02000017, 0x0200001F, 0x02000027,
    0x02000029, 0x0200002B, 0x0200002D, 0x0500000D, 0x06000025, 0x08000001, 0x08000003, 0x08000045,
    0x0800004B, 0x0800005D, 0x0800006F, 0x08000095, 0x080000C9, 0x080000CF, 0x080000D5, 0x080000D7,
    0x080000DB, 0x080000DF, 0x080000E7, 0x080000EB, 0x080000ED, 0x080000F3, 0x0D000001, 0x0D000003,
    0x0F000011, 0x120000CD, 0x24000007, 0x2400000D, 0x2400000F, 0x24000011, 0x2800001F, 0x28000053,
    0x2C000081, 0x62000006, 0x6200000C};
constexpr std::array<std::uint64_t, 1> kNodeSeparateFault{0x2C000031};

constexpr std::array<std::uint64_t, 5> kPublicNotHandleFault{0x100001011, 0x200001006, 0x200001010,
                                                             0x200001011, 0x200001012};
constexpr std::array<std::uint64_t, 10> kPublicSubHealthFault{
    0x010001001, 0x010001002, 0x010001004, 0x110001010, 0x110001020,
    0x110001021, 0x210001007, 0x210001008, 0x210001009, 0x310001005};
constexpr std::array<std::uint64_t, 13> kPublicSeparateNpu{
    0x020001001, 0x020001003, 0x020001004, 0x120001001, 0x120001002, 0x120001003, 0x220001001,
    0x220001002, 0x220001003, 0x220001004, 0x220001005, 0x220001006, 0x220001007};
constexpr std::array<std::uint64_t, 2> kPublicPreSeparateNpu{0x110001022, 0x110001023};

constexpr std::array<std::uint64_t, 3> kDpuSubHealthFault{0x21000022, 0x21000023, 0x22000025};
constexpr std::array<std::uint64_t, 2> kDpuSeparateDpu{0x21000024, 0x22000026};

constexpr std::array<AscendList, 13> kOtherLists{
    {{.subject = DeviceSubject::kSwitch,
      .level = HandlingLevel::kNotHandleFault,
      .words = kSwitchNotHandleFault},
     {.subject = DeviceSubject::kSwitch,
      .level = HandlingLevel::kSubHealthFault,
      .words = kSwitchSubHealthFault},
     {.subject = DeviceSubject::kSwitch,
      .level = HandlingLevel::kRestartRequest,
      .words = kSwitchRestartRequestFault},
     {.subject = DeviceSubject::kSwitch,
      .level = HandlingLevel::kSeparateNpu,
      .words = kSwitchSeparateFault},
     {DeviceSubject::kNode, HandlingLevel::kNotHandleFault, 8, kNodeNotHandleFault},
     {DeviceSubject::kNode, HandlingLevel::kPreSeparateNpu, 8, kNodePreSeparateFault},
     {DeviceSubject::kNode, HandlingLevel::kSeparateNpu, 8, kNodeSeparateFault},
     {DeviceSubject::kPublic, HandlingLevel::kNotHandleFault, 9, kPublicNotHandleFault},
     {DeviceSubject::kPublic, HandlingLevel::kSubHealthFault, 9, kPublicSubHealthFault},
     {DeviceSubject::kPublic, HandlingLevel::kSeparateNpu, 9, kPublicSeparateNpu},
     {DeviceSubject::kPublic, HandlingLevel::kPreSeparateNpu, 9, kPublicPreSeparateNpu},
     {DeviceSubject::kDpu, HandlingLevel::kSubHealthFault, 8, kDpuSubHealthFault},
     {DeviceSubject::kDpu, HandlingLevel::kSeparateNpu, 8, kDpuSeparateDpu}}};

static_assert(std::all_of(kOtherLists.begin(), kOtherLists.end(), [](const AscendList& list) {
  return std::is_sorted(list.numbers.begin(), list.numbers.end());
}));

}  // namespace

std::span<const AscendList> ascend_other_lists() { return kOtherLists; }

}  // namespace aftershock::policies
