#include "reports/baseline/baseline.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <unistd.h>

namespace aftershock::reports {
namespace {

using ::testing::HasSubstr;

BaselineRun sample_baseline_run(const std::string& scenario, std::uint64_t seed) {
  BaselineRun run;
  run.key = {scenario, "", seed};
  run.policy = "ray_train@2026-05";
  run.text = "00000000000000ab";
  run.verdict = Verdict::kFailed;
  run.outcome = "failed, exhausted(max_failures)";
  run.hash = 0xfedcba9876543210U;
  run.values.resize(metrics().size());
  run.values[*metric_named("ettr")] = 0.1 + 0.2;
  run.values[*metric_named("lost_us")] = std::int64_t{1} << 60U;
  run.decisions.count = 70;
  run.decisions.first = {{"p.a", 1}, {"p.b x", 12}, {"p.x3", 1}};
  run.decisions.marks = {1, 0xffffffffffffffffU};
  run.decisions.hash = 7;
  return run;
}

TEST(Baseline, IsTheSameAfterItsText) {
  const std::vector<BaselineRun> runs{sample_baseline_run("a.json", 1),
                                      sample_baseline_run("a.json", 18446744073709551615U),
                                      sample_baseline_run("b \"\\.json", 2)};
  auto read = read_baseline(baseline_text({runs[2], runs[0], runs[1]}), "file");
  auto* baseline = std::get_if<Baseline>(&read);
  ASSERT_NE(baseline, nullptr) << std::get<std::string>(read);
  EXPECT_EQ(baseline->schema, kBaselineSchema);
  for (BaselineRun& run : baseline->runs) {
    EXPECT_EQ(run.known, std::vector<bool>(metrics().size(), true));
    run.known.clear();
  }
  EXPECT_EQ(baseline->runs, runs);
  EXPECT_EQ(baseline->find(runs[1].key), &baseline->runs[1]);
  EXPECT_EQ(baseline->find({"a.json", "ray_train", 1}), nullptr);
}

// A diff of the file is read by people: a line a run, keys and lines sorted.
TEST(Baseline, HasALineARun) {
  std::istringstream text(
      baseline_text({sample_baseline_run("b.json", 1), sample_baseline_run("a.json", 10),
                     sample_baseline_run("a.json", 9)}));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) {
    lines.push_back(line);
  }
  ASSERT_EQ(lines.size(), 9U);
  EXPECT_EQ(lines[0], "{");
  EXPECT_EQ(lines[1], "\"runs\": [");
  EXPECT_THAT(
      lines[2],
      ::testing::StartsWith(
          "{\"decisions\":{\"count\":70,\"first\":[\"p.a\",\"p.b x x12\",\"p.x3\"],"
          "\"hash\":\"0000000000000007\",\"marks\":[\"0000000000000001\",\"ffffffffffffffff\"]},"
          "\"hash\":\"fedcba9876543210\",\"metrics\":{"));
  EXPECT_THAT(lines[2], ::testing::Not(HasSubstr("\"attempts\""))) << "it is nothing";
  EXPECT_THAT(lines[2], HasSubstr("\"ettr\":0.30000000000000004,"));
  EXPECT_THAT(lines[2], HasSubstr("\"lost_us\":1152921504606846976}"));
  EXPECT_THAT(lines[2], ::testing::EndsWith(
                            "},\"outcome\":\"failed, exhausted(max_failures)\","
                            "\"policy\":\"ray_train@2026-05\",\"scenario\":\"a.json\",\"seed\":9,"
                            "\"text\":\"00000000000000ab\",\"verdict\":\"failed\"},"));
  EXPECT_THAT(lines[3], HasSubstr("\"scenario\":\"a.json\",\"seed\":10"));
  EXPECT_THAT(lines[4], HasSubstr("\"scenario\":\"b.json\""));
  EXPECT_EQ(lines[5], "],");
  EXPECT_THAT(lines[6], ::testing::StartsWith("\"metrics\": [\"completed\",\"alive\","));
  EXPECT_EQ(lines[7], "\"schema\": 3");
  EXPECT_EQ(lines[8], "}");
}

TEST(Baseline, ThatCannotBeReadSaysWhy) {
  const std::string good = baseline_text({sample_baseline_run("a.json", 1)});
  const auto with = [&good](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  const std::vector<std::pair<std::string, std::string>> rows{
      {"", "is empty; expected a baseline"},
      {"[]", "is not a baseline"},
      {"{\"schema\":1}", "is not a baseline"},
      {good.substr(0, good.find("\"seed\"")), "ci.json:3:"},
      {"{\"runs\": 1e999}", "a number in it is too great"},
      {with("\"schema\": 3", "\"schema\": 1"), "schema 1, and this program reads 2 and 3; take"},
      {with("\"schema\": 3", "\"schema\": 4"), "schema 4, and this program reads 2 and 3; take"},
      {with("\"schema\": 3", "\"schema\": \"x\""), "schema \"x\""},
      {with("\"schema\": 3",
            "\"schema\": " + std::string(1'000'000, '[') + std::string(1'000'000, ']')),
       "schema a list"},
      {with("\n{\"dec", "\n<<<<<<< HEAD\n{\"dec"), "conflicts of a merge"},
      {with("\"seed\":1", "\"seed\":-1"),
       "ci.json:3: \"seed\" is -1; expected a whole number from 0 upwards"},
      {with("\"verdict\":\"failed\"", "\"verdict\":\"good\""),
       "\"verdict\" is \"good\"; expected one of passed, failed, "},
      {with("\"hash\":\"fedcba9876543210\"", "\"hash\":\"fedcba987654321g\""),
       "expected a hash of 16 hex digits"},
      {with("0.30000000000000004", "\"much\""), "\"ettr\" is \"much\"; expected a number"},
      {with("\"p.a\"", "1"), "\"first\" is 1; expected decisions"},
      {with("\"text\":\"00000000000000ab\",", ""),
       "ci.json:3: \"text\" is missing; expected a text"},
      {with("\"runs\": [", "\"runs\": [1,"), "run 1: is 1; expected an object"},
      {baseline_text({sample_baseline_run("a.json", 1), sample_baseline_run("a.json", 1)}),
       "ci.json:4: a.json, seed 1 is there twice"},
      {with("\"outcome\":\"failed", "\"outcome\":\"faild"),
       "\"outcome\" is \"faild, exhausted(max_failures)\"; expected one of completed, failed"},
  };
  for (const auto& [text, words] : rows) {
    const auto read = read_baseline(text, "ci.json");
    const auto* problem = std::get_if<std::string>(&read);
    ASSERT_NE(problem, nullptr) << words;
    EXPECT_THAT(*problem, ::testing::StartsWith("ci.json:"));
    EXPECT_THAT(*problem, ::testing::Not(HasSubstr("json.exception")));
    EXPECT_THAT(*problem, HasSubstr(words));
  }
}

// A user who bumps a profile wants to be told what it changes; one who runs a second policy beside
// the first wants each held against its own.
TEST(Baseline, FindsARunWhateverItsPolicyWas) {
  const auto key = [](const char* variant, std::uint64_t seed) {
    return RunKey{"a.json", variant, seed};
  };
  Baseline baseline;
  for (const RunKey& known :
       {key("", 1), key("", 2), key("modelarts", 2), key("x", 3), key("y", 3)}) {
    baseline.runs.emplace_back().key = known;
  }
  EXPECT_EQ(baseline.find_like(key("", 2)), &baseline.runs[1]);
  EXPECT_EQ(baseline.find_like(key("modelarts", 2)), &baseline.runs[2]);
  EXPECT_EQ(baseline.find_like(key("modelarts", 1)), &baseline.runs[0]);
  EXPECT_EQ(baseline.find_like(key("", 3)), nullptr) << "which of two?";
  EXPECT_EQ(baseline.find_like(key("", 4)), nullptr);
}

TEST(Baseline, AMetricThatTheFileDoesNotNameIsNotKnown) {
  std::string text = baseline_text({sample_baseline_run("a.json", 1)});
  const std::string gone = "\"charges\",";
  text.erase(text.find(gone, text.find("\"metrics\": [")), gone.size());
  const auto read = read_baseline(text, "ci.json");
  const BaselineRun& run = std::get<Baseline>(read).runs.front();
  EXPECT_FALSE(run.known[*metric_named("charges")]);
  EXPECT_TRUE(run.known[*metric_named("completed")]) << "no line has it: it is nothing";
}

// A line that an older program made is kept as it is where others are written anew.
TEST(Baseline, AKeptLineGoesOnLackingWhatItLacked) {
  BaselineRun old = sample_baseline_run("a.json", 1);
  old.known.assign(metrics().size(), true);
  old.known[*metric_named("useful_us")] = false;
  const auto read =
      read_baseline(baseline_text({old, sample_baseline_run("b.json", 1)}), "ci.json");
  const std::vector<BaselineRun>& runs = std::get<Baseline>(read).runs;
  EXPECT_FALSE(runs[0].known[*metric_named("useful_us")]);
  EXPECT_TRUE(runs[0].known[*metric_named("alive")]);
  EXPECT_TRUE(runs[1].known[*metric_named("useful_us")]);
}

TEST(Baseline, TellsScenariosApartByWhatDecidesTheirRuns) {
  const std::string digest = scenario_digest(R"({"name":"a","jobs":[1],"tags":["x"]})");
  EXPECT_EQ(scenario_digest(R"({"jobs":[1],"question":"?","seed":4,"check":{},"name":"b"})"),
            digest);
  EXPECT_NE(scenario_digest(R"({"name":"a","jobs":[2],"tags":["x"]})"), digest);
  EXPECT_EQ(digest.size(), 16U);
}

TEST(WriteWhole, LeavesTheOldFileWhereItCannotWrite) {
  const auto folder = std::filesystem::temp_directory_path() /
                      ("aftershock_write_whole_" +
                       std::to_string(::testing::UnitTest::GetInstance()->random_seed()));
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "file").string();
  EXPECT_EQ(write_whole(path, "one"), std::nullopt);
  EXPECT_EQ(write_whole(path, "two"), std::nullopt);
  std::ifstream file(path);
  std::string text;
  file >> text;
  EXPECT_EQ(text, "two");
  EXPECT_TRUE(write_whole((folder / "none" / "file").string(), "x"));
  EXPECT_TRUE(write_whole("/dev/full", "x"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  std::filesystem::remove_all(folder);
}

TEST(WriteWhole, WritesToNothingThatIsInTheWayOfItsPart) {
  const auto folder = std::filesystem::path(::testing::TempDir()) /
                      ("aftershock_in_the_way_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "file").string();
  const std::string part = path + "." + std::to_string(::getpid()) + ".part";
  const std::string other = (folder / "other").string();
  std::ofstream(other) << "theirs";
  std::filesystem::create_symlink(other, part);
  EXPECT_EQ(write_whole(path, "one"), std::nullopt);
  EXPECT_FALSE(std::filesystem::is_symlink(path));
  std::filesystem::create_hard_link(other, part);
  EXPECT_EQ(write_whole(path, "two"), std::nullopt);
  std::string text;
  std::ifstream(other) >> text;
  EXPECT_EQ(text, "theirs");
  std::filesystem::remove(path);
  std::filesystem::create_directories(part);
  std::ofstream(part + "/kept") << "x";
  EXPECT_TRUE(write_whole(path, "three"));
  EXPECT_TRUE(std::filesystem::exists(part + "/kept"));
  EXPECT_FALSE(std::filesystem::exists(path));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace aftershock::reports
