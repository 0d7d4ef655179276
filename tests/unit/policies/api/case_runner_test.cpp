#include "policies/api/case_runner.h"

#include <gtest/gtest.h>

#include "policies/registry.h"

namespace aftershock::policies {
namespace {

Driver driver() {
  PolicyRequest request;
  request.name = "ray_train";
  return {std::move(std::get<ConfiguredPolicy>(make_policy(request)).policy), Inventory{}};
}

std::string answer(Driver& driver, std::string_view line) {
  const auto answer = driver.answer(line);
  const auto* error = std::get_if<Driver::Error>(&answer);
  return error != nullptr ? "error: " + error->message : std::get<std::string>(answer);
}

TEST(Driver, AnswersALineWithALine) {
  Driver hand = driver();
  const std::string line =
      answer(hand, R"({"seq":1,"t_us":0,"events":[{"type":"job_submitted","workers":2}]})");
  EXPECT_TRUE(line.starts_with(R"({"steps":[{"rule":"ray_train.schedule.new_attempt",)")) << line;
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(hand.policy().info().states[hand.policy().state()], "SCHEDULING");
}

TEST(Driver, FillsInSequenceAndTime) {
  Driver hand = driver();
  answer(hand, R"({"t_us":5,"events":[{"type":"job_submitted","workers":2}]})");
  EXPECT_NE(
      answer(hand, R"({"events":[{"type":"attempt_running","epoch":1}]})").find(R"("anchor_us":5)"),
      std::string::npos);
}

TEST(Driver, RefusesToGoBackAndStaysWhereItWas) {
  Driver hand = driver();
  answer(hand, R"({"seq":4,"t_us":5,"events":[]})");
  EXPECT_EQ(answer(hand, R"({"seq":4,"t_us":6,"events":[]})"),
            "error: /seq: got 4; expected at least 5");
  EXPECT_EQ(answer(hand, R"({"seq":5,"t_us":4,"events":[]})"),
            "error: /t_us: got 4; expected at least 5: time does not go back");
  EXPECT_TRUE(answer(hand, R"({"seq":5,"t_us":5,"events":[]})").starts_with("{"));
}

TEST(Driver, SaysWhatIsWrongWithALine) {
  Driver hand = driver();
  EXPECT_TRUE(answer(hand, "hello").starts_with("error: (whole document): not JSON from byte 1"));
  EXPECT_TRUE(answer(hand, R"({"event":[]})").ends_with("did you mean \"events\"?"));
}

CaseResult run_one(std::string_view line) {
  const auto results = run_cases(line, make_policy, "ray_train");
  EXPECT_EQ(results.size(), 1U);
  return results.empty() ? CaseResult{} : results.front();
}

constexpr std::string_view kSubmit = R"("in":[{"events":[{"type":"job_submitted","workers":2}]}])";

std::string with_submit(std::string_view rest) {
  return "{\"name\":\"case\"," + std::string(kSubmit) + "," + std::string(rest) + "}";
}

TEST(CaseRunner, PassesWhatIsAsExpected) {
  const auto result = run_one(with_submit(
      R"("expect":[{"steps":[{"to":"SCHEDULING","commands":[{"workers":2,"from":null}]}]}],)"
      R"("states":["INITIALIZING","SCHEDULING"],"rules":["ray_train.schedule.new_attempt"],)"
      R"("commands":["start_attempt"],"budgets":{"max_failures":0},"warnings":[])"));
  EXPECT_TRUE(result.passed) << result.diff;
  EXPECT_EQ(result.diff, "");
}

TEST(CaseRunner, TellsWhatDiffers) {
  const std::vector<std::pair<std::string_view, std::string_view>> cases{
      {R"("expect":[{"steps":[{"to":"RUNNING"}]}])",
       "/steps/0/to: expected \"RUNNING\", got \"SCHEDULING\""},
      {R"("expect":[{"steps":[]}])", "/steps: expected [], got [{"},
      {R"("expect":[{"stepps":[]}])", "/stepps: expected [], got no such member"},
      {R"("expect":[{"watch":{"poll":null}}])", ""},
      {R"("expect":[{"watch":{"poll":{"epoch":1}}}])",
       "/watch/poll: expected {\"epoch\":1}, got no such member"},
      {R"("expect":[])", "one pattern for each of the 1 batches"},
      {R"("states":["INITIALIZING"])",
       "/states: expected [\"INITIALIZING\"], got [\"INITIALIZING\",\"SCHEDULING\"]"},
      {R"("commands":[])", "/commands: expected [], got [\"start_attempt\"]"},
      {R"("rules":[])", "/rules: expected [], got [\"ray_train.schedule.new_attempt\"]"},
      {R"("budgets":{"max_failures":1})", "/budgets/max_failures: expected 1, got 0"},
      {R"("budgets":{"max_failure":1})", "did you mean \"max_failures\"?"},
      {R"("budgets":3)", "/budgets: expected \"an object\", got 3"},
      {R"("durable":{})", "/durable: expected {}, got {"},
      {R"("warnings":["/env/X"])", "/warnings: expected [\"/env/X\"], got []"},
      {R"("issues":["/env/X"])", "got an accepted configuration"},
      {R"("state":[])", "did you mean \"states\"?"},
      {R"("why":"none")", "the case expects nothing"},
  };
  for (const auto& [rest, finding] : cases) {
    const auto result = run_one(with_submit(rest));
    EXPECT_EQ(result.passed, finding.empty()) << rest;
    EXPECT_NE(result.diff.find(finding), std::string::npos) << rest << "\n" << result.diff;
  }
}

TEST(CaseRunner, TellsWhatIsWrongWithACase) {
  const std::vector<std::pair<std::string_view, std::string_view>> cases{
      {"nonsense", "not JSON from byte 2 on"},
      {"[]", "a case is an object, not array"},
      {R"({"states":[],"env":{"A":1}})", "/env/A"},
      {R"({"states":[],"env":3})", "/env: expected \"an object\", got 3"},
      {R"({"states":[],"in":3})", "/in: expected \"an array of batches\", got 3"},
      {R"({"states":[],"in":[{"t_us":-1}]})", "/in/0/t_us: got -1"},
      {R"({"states":[],"inventory":{"jobs":[{"size":1}]}})", "/inventory/jobs/0/size"},
      {R"({"states":[],"policy":"ray_trian"})", "did you mean \"ray_train\"?"},
      {R"({"states":[],"policy":3})", "/policy"},
      {R"({"states":[],"config":{"max_failures":null}})", "/config/max_failures: got null"},
      {R"({"states":[],"config":3})", "/config: got 3"},
  };
  for (const auto& [line, finding] : cases) {
    const auto result = run_one(line);
    EXPECT_FALSE(result.passed);
    EXPECT_NE(result.diff.find(finding), std::string::npos) << line << "\n" << result.diff;
  }
}

TEST(CaseRunner, CountsLinesAndSkipsBlankOnes) {
  const auto results = run_cases("\n" + with_submit(R"("states":[])") + "\r\n\n{}\n", make_policy);
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0].line, 2U);
  EXPECT_EQ(results[0].name, "case");
  EXPECT_EQ(results[1].line, 4U);
  EXPECT_EQ(results[1].name, "line 4");
}

}  // namespace
}  // namespace aftershock::policies
