#include "reports/json/json_tree.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "reports/json/json_as_text.h"
#include "reports/json/json_writer.h"

namespace aftershock::reports {
namespace {

void write(auto& json) {
  json.open_object();
  json.member("text", "a \"b\"");
  json.member("none", std::optional<std::int64_t>());
  json.member("some", std::optional<std::int64_t>(3));
  json.member("real", 3.0);
  json.member("endless", std::numeric_limits<double>::infinity());
  json.member("yes", true);
  json.member("least", std::numeric_limits<std::int64_t>::min());
  json.member("most", std::numeric_limits<std::uint64_t>::max());
  json.key("of_each");
  json.open_array();
  json.open_object();
  json.close_object();
  json.value(7);
  json.open_array();
  json.value("inner");
  json.close_array();
  json.value(std::vector<std::string>{"b", "a"});
  json.close_array();
  json.member("after", std::string("z"));
  json.close_object();
}

TEST(JsonTree, HasWhatTheSameCallsWriteAsText) {
  JsonWriter text;
  write(text);
  JsonTree tree;
  write(tree);
  const nlohmann::ordered_json made = tree.take();
  EXPECT_EQ(text_from_json(made), text.text());
  EXPECT_EQ(made, json_from_text<nlohmann::ordered_json>(text.text()));
}

}  // namespace
}  // namespace aftershock::reports
