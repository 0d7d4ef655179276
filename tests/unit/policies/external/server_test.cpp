#include "policies/external/server.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "policies/registry.h"

namespace aftershock::policies {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::string_view kWorld =
    R"({"type":"world","seed":"1","policy":{"name":"ray_train","profile":"2026-05",)"
    R"("config":{"max_failures":3},"env":{"RAY_TRAIN_V2_ENABLED":"1"}},)"
    R"("inventory":{"nodes":[],"jobs":[{"name":"llm","max_workers":8}]}})";

TEST(Server, AnswersMessageByMessage) {
  Server server("test", make_policy);
  EXPECT_THAT(server.answer(R"({"type":"hello","protocol":"1.0"})"),
              StartsWith(R"({"type":"hello_ok","protocol":"1.0","name":"test")"));
  const std::string ready(server.answer(kWorld));
  EXPECT_THAT(ready, StartsWith(R"({"type":"ready","name":"ray_train","profile":"2026-05")"));
  EXPECT_THAT(ready, HasSubstr(R"({"name":"max_failures","used":0,"limit":3})"));
  EXPECT_THAT(
      server.answer(
          R"({"type":"batch","seq":1,"t_us":0,"events":[{"type":"job_submitted","workers":8}]})"),
      StartsWith(R"({"type":"decide","seq":1,"steps":[)"));
  EXPECT_EQ(server.answer(R"({"type":"ask","what":"trials"})"),
            R"({"type":"answer","what":"trials","trials":[]})");
  EXPECT_EQ(server.answer(R"({"type":"reset"})"), R"({"type":"reset_ok"})");
  EXPECT_EQ(server.answer(kWorld), ready);
  EXPECT_FALSE(server.over());
  EXPECT_EQ(server.answer(R"({"type":"end"})"), R"({"type":"bye"})");
  EXPECT_TRUE(server.over());
}

TEST(Server, SaysWhatItCannotAnswer) {
  Server server("test", make_policy);
  for (const char* line :
       {"", "x", "[]", "{}", R"({"type":7})", R"({"type":"other"})", R"({"type":"batch","seq":1})",
        R"({"type":"ask","what":"trials"})", R"({"type":"world"})"}) {
    EXPECT_THAT(server.answer(line), StartsWith(R"({"type":"error","message":")")) << line;
  }
  std::string wrong(kWorld);
  wrong.replace(wrong.find("max_failures"), 12, "max_failuers");
  EXPECT_THAT(server.answer(wrong), StartsWith(R"({"type":"refused","issues":[{"pointer":"/conf)"));
}

}  // namespace
}  // namespace aftershock::policies
