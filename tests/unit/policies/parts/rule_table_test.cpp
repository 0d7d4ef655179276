#include "policies/parts/rule_table.h"

#include <gtest/gtest.h>

namespace aftershock::policies {
namespace {

enum class Id : std::uint16_t { kOne, kTwo, kCount };

constexpr RuleTable<Id> kTable{
    {{Id::kOne, {"one", "says", "here"}}, {Id::kTwo, {"two", "says", "there"}}}};
constexpr RuleTable<Id> kSwapped{{kTable[1], kTable[0]}};

TEST(RuleTable, IsInTheOrderOfItsEnumeration) {
  static_assert(in_order(kTable));
  static_assert(!in_order(kSwapped));
  ASSERT_EQ(rules_of(kTable).size(), 2U);
  EXPECT_EQ(rules_of(kTable)[1].id, "two");
}

struct Named {
  std::string_view name;
};

TEST(RuleTable, OneInfoAProfile) {
  constexpr std::array<Named, 2> kProfiles{{{"new"}, {"old"}}};
  PolicyInfo (*make)(const Named&) = [](const Named& profile) {
    PolicyInfo info;
    info.profile = profile.name;
    return info;
  };
  const std::vector<PolicyInfo> infos = infos_of<Named>(kProfiles, make);
  EXPECT_EQ(&info_of(infos, "old"), &infos[1]);
}

}  // namespace
}  // namespace aftershock::policies
