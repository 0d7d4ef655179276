#include "gui/panels/lane_card.h"

#include <gtest/gtest.h>

#include "gui/panels/lane_html.h"
#include "gui/trace/loader.h"
#include "tests/gui/timeline/sample_run.h"
#include "tests/unit/times.h"

namespace aftershock::gui {
namespace {

using testing::sample_lines;
using testing::SampleFile;

struct Loaded {
  SampleFile file;
  Trace trace;
  std::optional<Scene> scene;

  explicit Loaded(const std::string& lines) : file(lines) {
    load(trace, file.path.toStdString());
    scene.emplace(trace, TreeOptions{.all = true});
  }
  LaneCard card(const char* lane, const TimeRange& shown) {
    const auto key = key_of(scene->directory(), lane);
    EXPECT_TRUE(key) << lane;
    return lane_card(*scene, key.value_or(LaneKey{}), shown);
  }
};

TEST(LaneCard, CountsWhatIsInALaneAndItsTimeInView) {
  Loaded run(sample_lines());
  const LaneCard job = run.card("job:llm", {0, 64 * kSecond});
  EXPECT_EQ(job.name, "job:llm");
  EXPECT_EQ(job.us, (BucketTimes{{"productive", 48 * kSecond}, {"restoring", 16 * kSecond}}));
  EXPECT_EQ(job.spans[static_cast<std::size_t>(SubLane::kPhases)], 3);
  EXPECT_EQ(run.card("job:llm", {40 * kSecond, 50 * kSecond}).us,
            (BucketTimes{{"restoring", 8 * kSecond}, {"productive", 2 * kSecond}}));

  const LaneCard node = run.card("node:gpu-1", {0, 64 * kSecond});
  EXPECT_EQ(node.above, std::vector<std::string>{"pool:gpu"});
  EXPECT_EQ(node.us, (BucketTimes{{"down", 32 * kSecond}})) << "until the last record";
  EXPECT_EQ(node.spans[static_cast<std::size_t>(SubLane::kFaults)], 1);
  const LaneCard pool = run.card("pool:gpu", {0, 64 * kSecond});
  EXPECT_EQ(pool.spans[static_cast<std::size_t>(SubLane::kFaults)], 2);
  EXPECT_EQ(pool.us, node.us);
  EXPECT_GT(pool.lanes, 2);
  EXPECT_TRUE(run.card("node:gpu-3", {0, kSecond}).us.empty());
  EXPECT_TRUE(run.card("job:llm", {0, -kSecond}).us.empty()) << "left of the run";
  EXPECT_TRUE(lane_card(*run.scene, LaneKey{.group = 99}, {0, 1}).name.empty());
}

TEST(LaneCard, WorkThatWasLostIsRolledBack) {
  std::string lines = sample_lines();
  lines.insert(lines.find(R"({"t":48000000,"r":"begin")"),
               R"({"t":48000000,"r":"instant","on":"job:llm","what":"rolled_back",)"
               R"("from_us":32000000,"to_us":0,"lost_us":8000000})"
               "\n");
  Loaded run(lines);
  EXPECT_EQ(run.card("job:llm/phases", {0, 64 * kSecond}).us,
            (BucketTimes{{"productive", 40 * kSecond},
                         {"restoring", 16 * kSecond},
                         {"rolled_back", 8 * kSecond}}));
}

TEST(LaneCard, TooManySpansAreNotCounted) {
  LaneCard card;
  card.name = "pool:<b>";
  card.above = {"job:<i>"};
  card.is_whole = false;
  const QString html = lane_html(card);
  EXPECT_TRUE(html.contains(QStringLiteral("More than 500,000 spans")));
  EXPECT_TRUE(html.contains(QStringLiteral("pool:&lt;b&gt;")));
  EXPECT_FALSE(html.contains(QStringLiteral("<i>")));
  EXPECT_TRUE(html.contains(QStringLiteral("lane:job%3A%3Ci%3E")));
}

}  // namespace
}  // namespace aftershock::gui
