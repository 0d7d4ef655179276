#include "policies/api/boxed.h"

#include <utility>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"

namespace aftershock::policies {
namespace {

using nlohmann::json;

TEST(Boxed, IsNullAtFirstAndAnEmptyObjectIsOne) {
  EXPECT_TRUE(Boxed<json>()->is_null());
  EXPECT_EQ(*empty_object(), json::object());
}

TEST(Boxed, CopiesAreDeep) {
  Boxed<json> first(json{{"a", 1}});
  Boxed<json> second = first;
  (*second)["a"] = 2;
  EXPECT_EQ((*first)["a"], 1);
  first = second;
  (*second)["a"] = 3;
  EXPECT_EQ((*first)["a"], 2);
  first = *&first;
  EXPECT_EQ((*first)["a"], 2);
}

TEST(Boxed, HoldsAValueAfterItWasMovedFrom) {
  Boxed<json> first(json{{"a", 1}});
  Boxed<json> second = std::move(first);
  EXPECT_EQ((*second)["a"], 1);
  EXPECT_TRUE(first->is_null());  // NOLINT(bugprone-use-after-move): promised
  first = std::move(second);
  EXPECT_EQ((*first)["a"], 1);
  EXPECT_TRUE(second->is_null());  // NOLINT(bugprone-use-after-move): promised
}

TEST(Boxed, KeepsTheOrderOfAnOrderedValue) {
  const Boxed<nlohmann::ordered_json> box(nlohmann::ordered_json{{"z", 1}, {"a", 2}});
  EXPECT_EQ(text_from_json(*box), R"({"z":1,"a":2})");
}

}  // namespace
}  // namespace aftershock::policies
