#include "policies/device_codes/facts.h"

#include <array>
#include <string>

#include <gtest/gtest.h>

#include "policies/device_codes/catalogue.h"

namespace aftershock::policies {
namespace {

struct Expected {
  std::string_view code;
  std::string_view what;
  std::string_view value;   ///< how the value begins; empty: there is no such fact
  std::string_view source;  ///< a part of it
};

constexpr std::array<Expected, 26> kExpected{{
    {"80E01801", "subject", "chip", "faultCode.json"},
    {"80E01801", "module", "HBM", "event ids"},
    {"80E01801", "level", "RestartBusiness: ", "faultCode.json"},
    {"80E01801", "severity", "minor", "assumed"},
    {"80E01801", "class", "hardware", "ascend-faultdiag"},
    {"80E01801", "frequency", "2 in 24 h -> ManuallySeparateNPU", "FaultFrequency"},
    {"80E01801", "duration", "", ""},
    {"80E01801", "product", "not stated", "no product"},
    {"80E01801", "name", "hbm_multi_bit_ecc", "ours"},
    {"80E18402", "needs", "replacement", "assumed from the level"},
    {"xid:79", "needs", "reboot", "assumed from the class"},
    {"80E18005", "frequency", "3 in 24 h -> ManuallySeparateNPU", "FaultFrequency"},
    {"81078603", "frequency", "5 in 24 h -> ManuallySeparateNPU, until 48 h without it", ""},
    {"81078603", "duration", "longer than 20 s -> PreSeparateNPU, until healthy for 60 s",
     "FaultDuration"},
    {"8F18020B", "kind", "", ""},
    {"8F18020B", "class", "unknown", "not in the part"},
    {"2C000031", "level", "SeparateFault: ", "NodeD"},
    {"21000024", "level", "SeparateDPU: ", "RDMA"},
    {"020001001", "level", "SeparateNPU: ", "public"},
    {"[0x08520003,na,npu,na]", "level", "SeparateFault: ", "switch"},
    {"xid:94", "immediate action", "RESTART_APP", "catalogue"},
    {"xid:94", "class", "restart_app", "the immediate action"},
    {"xid:94", "product", "GA100, GH100, GB10x", "containment"},
    {"xid:94", "level", "", ""},
    {"xid:54", "class", "replace", "assumed"},
    {"xid:171", "immediate action", "none named", "catalogue"},
}};

TEST(Facts, SayWhereTheyAreFrom) {
  for (const Expected& each : kExpected) {
    SCOPED_TRACE(std::string(each.code) + " " + std::string(each.what));
    const DeviceFact* found = nullptr;
    const auto facts = facts_of(*find_device_code(each.code));
    for (const DeviceFact& fact : facts) {
      if (fact.what == each.what) found = &fact;
    }
    ASSERT_EQ(found == nullptr, each.value.empty());
    if (found == nullptr) continue;
    EXPECT_TRUE(found->value.starts_with(each.value)) << found->value;
    EXPECT_NE(found->source.find(each.source), std::string::npos) << found->source;
  }
}

TEST(Facts, AllHaveASource) {
  for (const DeviceFamily family : {DeviceFamily::kAscend, DeviceFamily::kXid}) {
    for (const DeviceCode& code : device_codes(family)) {
      for (const DeviceFact& fact : facts_of(code)) {
        EXPECT_NE(fact.value, "") << code.code << " " << fact.what;
        EXPECT_NE(fact.source, "") << code.code << " " << fact.what;
      }
    }
  }
}

}  // namespace
}  // namespace aftershock::policies
