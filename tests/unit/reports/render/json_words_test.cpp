#include "reports/render/json_words.h"

#include <string>

#include <gtest/gtest.h>

namespace aftershock::reports {
namespace {

TEST(JsonWords, TellWhatAMessageSays) {
  const std::pair<const char*, const char*> rows[] = {
      {R"({"type":"a_b","x":[1,2,3,4,5,6,7,8,9,10],"y":{"z":true}})",
       "a b: x 1, 2, 3, 4, 5, 6, 7, 8, ... (10 in all), y (z)"},
      {R"({"type":"start","id":4,"job":0,"grace_us":5000000,"ranks":[[0,7],[9,9]]})",
       "start: grace 5 s, ranks 0-7, 9"},
      {R"({"type":"start","from":null,"error":"","list":[],"again":false})", "start"},
      {"3", ""},
      {"no JSON", ""},
  };
  for (const auto& [text, words] : rows) {
    EXPECT_EQ(in_words(parsed(text)), words) << text;
  }
}

TEST(JsonWords, ReadNothingFromTooDeepATextAndListsFromArraysAlone) {
  EXPECT_TRUE(parsed(std::string(100, '[') + std::string(100, ']')).is_null());
  EXPECT_EQ(list_in(parsed(R"({"a":[1,2]})"), "a").size(), 2U);
  for (const char* text : {"[]", "3", R"({"a":3})", R"({"a":{"b":1}})", "{}"}) {
    EXPECT_TRUE(list_in(parsed(text), "a").empty()) << text;
  }
}

}  // namespace
}  // namespace aftershock::reports
