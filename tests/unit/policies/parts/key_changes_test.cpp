#include "policies/parts/key_changes.h"

#include <gtest/gtest.h>

namespace aftershock::policies {
namespace {

using Keys = std::vector<std::string>;

TEST(KeyChanges, SayWhatIsMissingAndWhatIsNew) {
  EXPECT_EQ(key_changes({}, {}), "");
  EXPECT_EQ(key_changes({"a", "b"}, {"a", "b"}), "");
  EXPECT_EQ(key_changes({"a", "b", "c"}, {"b"}), R"(missing "a", "c")");
  EXPECT_EQ(key_changes({}, {"a"}), R"(new "a")");
  EXPECT_EQ(key_changes({"a", "b"}, {"b", "c", "d"}), R"(missing "a"; new "c", "d")");
}

}  // namespace
}  // namespace aftershock::policies
