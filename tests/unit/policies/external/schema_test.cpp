#include "policies/external/schema.h"

#include <fstream>
#include <functional>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace aftershock::policies::wire {
namespace {

using nlohmann::ordered_json;

TEST(MessagesSchema, CheckedInCopyIsTheGeneratedOne) {
  std::ifstream file("policies/external/messages.schema.json");
  std::stringstream text;
  text << file.rdbuf();
  // Not EXPECT_EQ: it would print both.
  EXPECT_TRUE(text.str() == messages_schema_text())
      << "write it anew: build/bin/aftershock policies schema > "
         "policies/external/messages.schema.json";
}

TEST(MessagesSchema, EveryReferenceIsDefined) {
  const auto schema = messages_schema();
  int references = 0;
  const std::function<void(const ordered_json&)> visit = [&](const ordered_json& value) {
    if (value.is_object() && value.contains("$ref")) {
      ++references;
      const std::string name = value["$ref"].get<std::string>();
      // Names have dots and no slashes: the last part is one member of $defs.
      EXPECT_TRUE(schema["$defs"].contains(name.substr(name.rfind('/') + 1))) << name;
    }
    for (const auto& child : value) {
      if (child.is_structured()) visit(child);
    }
  };
  visit(schema);
  EXPECT_GT(references, 40);  // 27 events and as many messages and commands again
}

}  // namespace
}  // namespace aftershock::policies::wire
