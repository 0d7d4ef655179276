#include "policies/external/library.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/registry.h"

AFTERSHOCK_POLICY_LIBRARY("test", aftershock::policies::make_policy)

namespace aftershock::policies {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(DirectContract, NamesWhatTheTypesDependOn) {
  const std::string text = kDirectContract.text();
  EXPECT_THAT(text, StartsWith("aftershock_policy_direct 1; headers " AFTERSHOCK_POLICY_HEADERS));
  EXPECT_EQ(std::string_view(AFTERSHOCK_POLICY_HEADERS).size(), 64U);
  EXPECT_THAT(text, HasSubstr("; json 3."));
  EXPECT_THAT(text, HasSubstr("; sizes " + std::to_string(sizeof(void*)) + '/'));
}

TEST(PolicyLibrary, OpensItsDoorToWhoWasBuiltAlike) {
  EXPECT_EQ(aftershock_policy_direct("aftershock_policy_direct 1; headers of somebody else"),
            nullptr);
  const auto* door =
      static_cast<const DirectDoor*>(aftershock_policy_direct(kDirectContract.text()));
  ASSERT_NE(door, nullptr);
  EXPECT_EQ(door->allocation, Allocation());
  PolicyRequest request;
  request.name = "ray_train";
  request.env["RAY_TRAIN_V2_ENABLED"] = "1";
  const MakeResult made = door->make(request);
  ASSERT_TRUE(std::holds_alternative<ConfiguredPolicy>(made));
  EXPECT_EQ(std::get<ConfiguredPolicy>(made).policy->info().name, "ray_train");
}

TEST(PolicyLibrary, AnswersMessages) {
  EXPECT_EQ(aftershock_policy_abi(), AFTERSHOCK_POLICY_ABI);
  aftershock_policy* policy = aftershock_policy_open();
  const std::string_view hello = R"({"type":"hello","protocol":"1.0"})";
  const char* answer = nullptr;
  std::size_t size = 0;
  ASSERT_EQ(aftershock_policy_answer(policy, hello.data(), hello.size(), &answer, &size), 0);
  EXPECT_THAT(std::string(answer, size), HasSubstr(R"("name":"test")"));
  aftershock_policy_close(policy);
}

}  // namespace
}  // namespace aftershock::policies
