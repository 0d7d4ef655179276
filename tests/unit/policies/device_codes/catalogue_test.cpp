#include "policies/device_codes/catalogue.h"

#include <array>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace aftershock::policies {
namespace {

TEST(Catalogue, NamesAreUniqueAndLeadBack) {
  std::set<std::string> names;
  std::size_t named = 0;
  for (const DeviceFamily family : {DeviceFamily::kAscend, DeviceFamily::kXid}) {
    for (const DeviceCode& code : device_codes(family)) {
      EXPECT_EQ(find_device_code(canonical(code)), &code);
      if (code.name.empty()) continue;
      ++named;
      EXPECT_TRUE(names.insert(code.name).second) << code.name;
      EXPECT_EQ(find_device_code(code.name), &code);
      EXPECT_EQ(code.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"),
                std::string::npos)
          << code.name;
      EXPECT_FALSE(parse_device_code(code.name)) << code.name;
    }
  }
  // 94 of Ascend: 9 by hand and 85 by module and kind; 30 of Xids.
  EXPECT_EQ(named, 94U + 30U);
}

struct Lookup {
  std::string_view text;
  std::string_view canonical;  ///< empty: nothing is found
};

TEST(Catalogue, FindsWhatPeopleWrite) {
  constexpr std::array<Lookup, 30> kLookups{{
      {"80E01801", "ascend:80E01801"},
      {"80e01801", "ascend:80E01801"},
      {"0x80E01801", "ascend:80E01801"},
      {"ascend:80E01801", "ascend:80E01801"},
      {"ascend:80e01801", "ascend:80E01801"},
      {"ascend:0x80E01801", "ascend:80E01801"},
      {"hbm_multi_bit_ecc", "ascend:80E01801"},
      {"ascend:hbm_multi_bit_ecc", "ascend:80E01801"},
      {"xid:hbm_multi_bit_ecc", ""},
      {"00000003", "ascend:00000003"},
      {"FFFFFFFF", ""},
      {"110001024", "ascend:110001024"},
      {"020000002", "ascend:020000002"},
      {"20000002", ""},
      {"8F19A04E", "ascend:8F19A04E"},
      {"8F19A04F", ""},
      {"[0x08520003,na,L2,na]", "ascend:[0x08520003,na,L2,na]"},
      {"ascend:[0x08520003,na,L2,na]", "ascend:[0x08520003,na,L2,na]"},
      {"xid:94", "xid:94"},
      {"xid:8", "xid:8"},
      {"xid:172", "xid:172"},
      {"xid:contained_ecc", "xid:94"},
      {"contained_ecc", "xid:94"},
      {"gpu_fell_off_bus", "xid:79"},
      {"uncontained_ecc", "xid:95"},
      {"xid:9", ""},
      {"xid:094", ""},
      {"94", ""},
      {"", ""},
      {"xid:", ""},
  }};
  for (const Lookup& each : kLookups) {
    SCOPED_TRACE(each.text);
    const DeviceCode* found = find_device_code(each.text);
    EXPECT_EQ(found == nullptr ? "" : canonical(*found), each.canonical);
  }
}

TEST(Catalogue, KnowsTheFormOfCodesThatNobodyLists) {
  const auto form = [](std::string_view text) {
    const auto parsed = parse_device_code(text);
    if (!parsed) return std::string("none");
    return (parsed->family == DeviceFamily::kXid ? "xid " : "ascend ") + parsed->code;
  };
  EXPECT_EQ(form("0xdeadbeef"), "ascend DEADBEEF");
  EXPECT_EQ(form("ascend:123456789"), "ascend 123456789");
  EXPECT_EQ(form("xid:999"), "xid 999");
  EXPECT_EQ(form("[1,2,3,4]"), "ascend [1,2,3,4]");
  for (const std::string_view text :
       {"1234567", "1234567890", "80G01801", "xid:1e2", "xid:-1", "xid:100000", "[1,2]", "[", "999",
        "nvidia:94", "XID:94", "hbm_multi_bit_ecc"}) {
    EXPECT_EQ(form(text), "none") << text;
  }
}

TEST(Catalogue, FindsWhatWasProbablyMeant) {
  constexpr std::array<Lookup, 8> kNear{{
      {"hbm_multibit_ecc", "hbm_multi_bit_ecc"},
      {"ascend:hbm_multi_bit_ec", "hbm_multi_bit_ecc"},
      {"gpu_fell_of_bus", "gpu_fell_off_bus"},
      {"80E01802", "ascend:80E01801"},
      {"ascend:80E0180", "ascend:80E01801"},
      {"XID:94", "xid:94"},
      {"xid:094", "xid:94"},
      {"something_quite_different_from_all", ""},
  }};
  for (const Lookup& each : kNear) {
    EXPECT_EQ(nearest_device_code(each.text), each.canonical) << each.text;
  }
}

TEST(Catalogue, SaysHowAnUnlistedCodeIsJudged) {
  const auto rule = [](std::string_view text) {
    return rule_for_unlisted(*parse_device_code(text));
  };
  EXPECT_NE(rule("80E0FFFF").find("SeparateNPU"), std::string::npos);
  EXPECT_EQ(rule("80E0FFFF").find("PreSeparateNPU"), std::string::npos);
  EXPECT_NE(rule("8107FFFF").find("PreSeparateNPU"), std::string::npos);
  EXPECT_NE(rule("xid:999").find("isolates the node"), std::string::npos);
  const auto known = *parse_device_code("80E0FFFF");
  EXPECT_NE(rule_for_unlisted(known, Severity::kMinor).find("NotHandle"), std::string::npos);
  EXPECT_NE(rule_for_unlisted(known, Severity::kMajor).find("as SeparateNPU"), std::string::npos);
}

}  // namespace
}  // namespace aftershock::policies
