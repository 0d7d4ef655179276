#include "gui/trace/members.h"

#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>

namespace aftershock::gui {
namespace {

std::vector<std::string> all_of(std::string_view object) {
  std::vector<std::string> found;
  Members members(object);
  while (const auto each = members.next()) {
    found.push_back(std::string(each->key) + "=" + std::string(each->value));
  }
  return found;
}

TEST(Members, AreGivenAsWritten) {
  EXPECT_THAT(all_of(R"({"t":1,"r":"fault","a":[1,{"b":"]}"}],"c":{"d":"\"}"},"e":null})"),
              ::testing::ElementsAre("t=1", R"(r="fault")", R"(a=[1,{"b":"]}"}])",
                                     R"(c={"d":"\"}"})", "e=null"));
  EXPECT_THAT(all_of(" { \"a\" : 1 , \"b\\\"\" : [ ] } "),
              ::testing::ElementsAre("a=1", "b\\\"=[ ]"));
  EXPECT_THAT(all_of("{}"), ::testing::IsEmpty());
}

TEST(Members, TheLastOfANameOnTheOutermostLevelCounts) {
  EXPECT_EQ(member(R"({"a":1,"b":{"a":2},"a":3})", "a"), "3");
  EXPECT_EQ(member(R"({"b":{"a":2}})", "a"), "");
}

TEST(Members, StayWithinWhateverTheyAreGiven) {
  const std::string good = R"({"t":1,"a":[1,{"b":"\u00e9]}"}],"c":"x\\"})";
  std::mt19937_64 random(3);
  for (int i = 0; i < 20'000; ++i) {
    std::string text = good.substr(random() % good.size());
    text.resize(random() % (text.size() + 1));
    if (!text.empty()) {
      text[random() % text.size()] = "{}[]\",:\\"[random() % 8];
    }
    // Its own allocation, so that the sanitizers see a step beyond it.
    const std::vector<char> exact(text.begin(), text.end());
    for (const std::string& each : all_of({exact.data(), exact.size()})) {
      const std::string_view value = std::string_view(each).substr(each.find('=') + 1);
      text_of(value);
      integer_of(value);
    }
  }
}

TEST(Members, Values) {
  EXPECT_EQ(integer_of("-5"), -5);
  EXPECT_EQ(integer_of("9223372036854775807"), 9223372036854775807);
  for (const std::string_view none : {"", "1.5", "9223372036854775808", "\"1\"", "null", "1 "}) {
    EXPECT_EQ(integer_of(none), std::nullopt) << none;
  }
  EXPECT_EQ(text_of(R"("a\"\\\/\b\f\n\r\tb")"), "a\"\\/\b\f\n\r\tb");
  EXPECT_EQ(text_of(R"("\u0041\u00e9\u20ac\ud83d\ude00")"), "A\u00e9\u20ac\U0001f600");
  EXPECT_EQ(text_of(R"("")"), "");
  for (const std::string_view none : {"", "1", "\"", "null", "\"a"}) {
    EXPECT_EQ(text_of(none), std::nullopt) << none;
  }
}

}  // namespace
}  // namespace aftershock::gui
