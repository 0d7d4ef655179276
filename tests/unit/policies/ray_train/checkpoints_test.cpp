#include "policies/ray_train/checkpoints.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"

namespace aftershock::policies::ray_train {
namespace {

using Head = Checkpoints::Head;
using Ids = std::vector<CheckpointId>;

TEST(Checkpoints, HeadIsCompleteWhenAllRanksReportedTheSame) {
  Checkpoints book(std::nullopt);
  EXPECT_EQ(book.head(4), Head::kIncomplete);
  book.report(1, RankSet::range(0, 2));
  EXPECT_EQ(book.head(4), Head::kIncomplete);
  book.report(2, RankSet::range(0, 1));
  EXPECT_EQ(book.head(4), Head::kIncomplete);
  book.report(1, RankSet::range(2, 4));
  EXPECT_EQ(book.head(4), Head::kComplete);
}

TEST(Checkpoints, HeadIsMixedWhenOldestReportsDiffer) {
  Checkpoints book(std::nullopt);
  book.report(1, RankSet::range(0, 2));
  book.report(2, RankSet::range(2, 4));
  EXPECT_EQ(book.head(4), Head::kMixed);
}

TEST(Checkpoints, KeepsTheMostRecent) {
  Checkpoints book(2);
  Ids evicted;
  for (CheckpointId id = 1; id <= 4; ++id) {
    book.report(id, RankSet::range(0, 1));
    EXPECT_EQ(book.commit(evicted), id);
  }
  EXPECT_EQ(evicted, (Ids{1, 2}));
  EXPECT_EQ(book.kept(), (Ids{3, 4}));
  EXPECT_EQ(book.latest(), 4U);
}

TEST(Checkpoints, ForgetsReportsButNotCommits) {
  Checkpoints book(std::nullopt);
  Ids evicted;
  book.report(1, RankSet::range(0, 1));
  book.commit(evicted);
  EXPECT_FALSE(book.discard_reports());
  book.report(2, RankSet::range(0, 1));
  EXPECT_TRUE(book.discard_reports());
  EXPECT_EQ(book.head(1), Head::kIncomplete);
  EXPECT_EQ(book.latest(), 1U);
}

TEST(Checkpoints, SurviveTheirSnapshot) {
  Checkpoints book(2);
  Ids evicted;
  for (CheckpointId id = 1; id <= 3; ++id) {
    book.report(id, RankSet::range(0, 1));
    book.commit(evicted);
  }
  const std::string text = text_from_json(book.snapshot(*find_profile("")));
  Checkpoints other(2);
  ASSERT_TRUE(other.restore(text, *find_profile("")));
  EXPECT_EQ(text_from_json(other.snapshot(*find_profile(""))), text);
  EXPECT_EQ(other.latest(), 3U);
}

TEST(Checkpoints, AreUntouchedByASnapshotThatCannotBeRead) {
  Checkpoints book(std::nullopt);
  Ids evicted;
  book.report(5, RankSet::range(0, 1));
  book.commit(evicted);
  const auto good = book.snapshot(*find_profile(""));
  const std::string before = text_from_json(good);
  std::vector<std::string> bad{"", "null", "[]", "{}", before.substr(0, before.size() - 1)};
  for (const auto& item : good.items()) {
    if (item.key() != "ray_version") {
      auto without = good;
      without.erase(item.key());
      bad.push_back(text_from_json(without));
      auto wrong = good;
      wrong[item.key()] = "text";
      bad.push_back(text_from_json(wrong));
    }
  }
  auto negative = good;
  negative["current_report_index"] = -1;
  bad.push_back(text_from_json(negative));
  auto uneven = good;
  uneven["checkpoint_report_indices"].push_back(1);
  bad.push_back(text_from_json(uneven));
  auto foreign = good;
  foreign["checkpoint_results"][0]["checkpoint_dir_name"] = "checkpoint_5";
  bad.push_back(text_from_json(foreign));
  for (const std::string& text : bad) {
    EXPECT_FALSE(book.restore(text, *find_profile(""))) << text;
    EXPECT_EQ(text_from_json(book.snapshot(*find_profile(""))), before);
  }
}

TEST(Checkpoints, KeepTheBestAndTheLatest) {
  Checkpoints book(1, {.attribute = "accuracy", .smaller_is_better = false});
  Ids evicted;
  const auto commit = [&](CheckpointId id, std::optional<std::int64_t> score_e6) {
    book.report(id, RankSet::range(0, 1), score_e6);
    book.commit(evicted);
  };
  EXPECT_EQ(book.best(), std::nullopt);
  commit(1, std::nullopt);
  EXPECT_EQ(book.best(), std::nullopt) << "nothing is scored yet";
  commit(2, 500'000);
  commit(3, 100'000);
  EXPECT_EQ(evicted, (Ids{1}));
  EXPECT_EQ(book.kept(), (Ids{3, 2})) << "worst first";
  EXPECT_EQ(book.latest(), 3U);
  EXPECT_EQ(book.best(), 2U);
  commit(4, 900'000);
  EXPECT_EQ(evicted, (Ids{1, 3, 2}));
  EXPECT_EQ(book.best(), 4U);
}

TEST(Checkpoints, SurviveTheSnapshotOfEveryVersion) {
  for (const Profile& profile : profiles()) {
    Checkpoints book(2, {.attribute = "loss", .smaller_is_better = true});
    Ids evicted;
    for (const std::int64_t score_e6 : {300'000, -1, 250'001, 400'000}) {
      book.report(static_cast<CheckpointId>(evicted.size()) + book.latest().value_or(0) + 1,
                  RankSet::range(0, 1), score_e6);
      book.commit(evicted);
    }
    const std::string text = text_from_json(book.snapshot(profile));
    Checkpoints other(2, {.attribute = "loss", .smaller_is_better = true});
    ASSERT_TRUE(other.restore(text, profile)) << profile.name;
    EXPECT_EQ(other.kept(), book.kept());
    EXPECT_EQ(other.best(), book.best());
    EXPECT_EQ(other.latest(), book.latest());
  }
}

TEST(CheckpointDirName, GoesBothWays) {
  EXPECT_EQ(checkpoint_dir_name(12), "checkpoint_000012");
  EXPECT_EQ(checkpoint_dir_name(4294967295), "checkpoint_4294967295");
  EXPECT_EQ(checkpoint_of_dir_name("checkpoint_000012"), 12U);
  EXPECT_EQ(checkpoint_of_dir_name("checkpoint_1234567"), 1234567U);
  for (const char* name : {"checkpoint_", "checkpoint_12", "checkpoint_0000012",
                           "checkpoint_00001x", "checkpoint_4294967296", "best_000012", ""}) {
    EXPECT_EQ(checkpoint_of_dir_name(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace aftershock::policies::ray_train
