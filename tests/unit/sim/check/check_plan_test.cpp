#include "sim/check/check_plan.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "sim/check/files.h"

namespace aftershock::sim::check {
namespace {

TEST(CheckPlan, TakesSeedsAndMarginsFromEachScenario) {
  CheckSelection selection;
  selection.files = {"./scenarios/quickstart.json", "scenarios/no_resume.json",
                     "scenarios/../scenarios/quickstart.json"};
  selection.options.sets = {
      "/check={\"seeds\":3,\"margins\":{\"lost_us\":\"5min\",\"ettr\":0.01,"
      "\"cost\":\"2.5%\"}}",
      "/seed=7"};
  const CheckPlan plan = make_check_plan(selection);
  ASSERT_EQ(plan.scenarios.size(), 2U);
  EXPECT_EQ(plan.plan.cells[0].traced, 3U);
  EXPECT_EQ(plan.plan.replicas, 3U);
  EXPECT_EQ(plan.plan.seed_of(0, 2), 9U);
  const CheckedScenario& first = plan.scenarios[0];
  EXPECT_EQ(first.path, "scenarios/quickstart.json");
  EXPECT_EQ(first.seeds, 3U);
  EXPECT_EQ(first.margins,
            (reports::Margins{{"lost_us", {300e6, 0}}, {"ettr", {0.01, 0}}, {"cost", {0, 0.025}}}));
}

// A hundred runs with their decisions would make a baseline that nobody reads.
TEST(CheckPlan, ComparesFewSeedsWhereConditionsJudgeThemTogether) {
  CheckSelection selection;
  selection.files = {"scenarios/no_resume.json"};
  selection.options.sets = {R"(/check={"seeds":20,"that":["p(alive) > 90%","lost_us < 2h"]})"};
  const CheckPlan plan = make_check_plan(selection);
  ASSERT_EQ(plan.scenarios.size(), 1U);
  EXPECT_EQ(plan.scenarios[0].seeds, 20U);
  EXPECT_EQ(plan.scenarios[0].that.size(), 2U);
  EXPECT_EQ(plan.plan.cells[0].traced, kComparedSeeds);
}

TEST(CheckPlan, OneSeedIsNotEnoughWhereSomethingIsRandom) {
  CheckSelection selection;
  selection.files = {"scenarios/no_resume.json", "scenarios/quickstart.json"};
  const auto seeds = [&selection](const std::vector<std::string>& sets) {
    selection.options.sets = sets;
    const CheckPlan plan = make_check_plan(selection);
    return std::pair(plan.scenarios[0].seeds, plan.scenarios[0].seeds_said);
  };
  EXPECT_EQ(seeds({}), std::pair(1U, false));
  const std::string random = R"(/jobs/0/phases/rendezvous={"uniform": ["30s", "60s"]})";
  EXPECT_EQ(seeds({random}), std::pair(kRandomSeeds, false));
  EXPECT_EQ(seeds({random, "/check/seeds=1"}), std::pair(1U, true));
  selection.options.sets = {random};
  const CheckPlan plan = make_check_plan(selection);
  // Quickstart says a hundred.
  EXPECT_EQ(std::pair(plan.scenarios[1].seeds, plan.scenarios[1].seeds_said),
            std::pair(100U, true));
}

TEST(CheckPlan, TagsSelect) {
  CheckSelection selection;
  selection.files = {"scenarios/quickstart.json", "scenarios/tune/thousand_trials.json"};
  const auto selected = [&selection](const std::vector<std::string>& tags) {
    selection.tags = tags;
    const CheckPlan plan = make_check_plan(selection);
    return std::pair(plan.scenarios.size(), plan.untagged);
  };
  EXPECT_EQ(selected({}), std::pair(std::size_t{2}, 0U));
  EXPECT_EQ(selected({"ci"}), std::pair(std::size_t{2}, 0U));
  EXPECT_EQ(selected({"scale"}), std::pair(std::size_t{1}, 1U));
  EXPECT_EQ(selected({"none", "scale"}), std::pair(std::size_t{1}, 1U));
  EXPECT_EQ(selected({"none"}), std::pair(std::size_t{0}, 2U));
}

TEST(CheckPlan, TellsWhereAFileIsWrongAndGoesOn) {
  CheckSelection selection;
  selection.files = {"tests/data/bad_scenarios/bad_name.json", "scenarios/quickstart.json"};
  const CheckPlan plan = make_check_plan(selection);
  EXPECT_EQ(plan.scenarios.size(), 1U);
  ASSERT_EQ(plan.unusable.size(), 1U);
  EXPECT_EQ(plan.unusable[0].file, "tests/data/bad_scenarios/bad_name.json");
  EXPECT_EQ(plan.unusable[0].line, 8U);
  EXPECT_EQ(plan.unusable[0].column, 11U);
}

TEST(Files, APathIsTheSameHoweverItIsWritten) {
  const auto here = std::filesystem::current_path();
  EXPECT_EQ(plain_path("./a//b/../c.json"), "a/c.json");
  EXPECT_EQ(plain_path(here / "a" / "c.json"), "a/c.json");
  EXPECT_EQ(plain_path("../x.json"), (here.parent_path() / "x.json").string());
  const auto link = std::filesystem::temp_directory_path() / "aftershock_plain_path";
  std::filesystem::remove(link);
  std::filesystem::create_directory_symlink(here, link);
  EXPECT_EQ(plain_path(link / "scenarios" / "c.json"), "scenarios/c.json");
  std::filesystem::remove(link);
  EXPECT_EQ(plain_path("/nowhere/./x.json"), "/nowhere/x.json");
}

}  // namespace
}  // namespace aftershock::sim::check
