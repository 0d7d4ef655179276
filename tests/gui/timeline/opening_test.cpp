#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "reports/recording/header.h"
#include "tests/gui/timeline/shown_timeline.h"

namespace aftershock::gui {
namespace {

using testing::ShownTimeline;

/// Jobs that train, and nodes that go down one after the other.
std::string lines_of(int jobs, int nodes) {
  reports::RecordingHeader header;
  header.entities = {{"node", "gpu", 0, nodes, "gpu-%d", 0, 0, "gpu"}};
  header.policies = {{"ray@1", {}, {}, {}}};
  std::string lines;
  int id = 0;
  for (int job = 0; job < jobs; ++job) {
    const std::string name = "llm" + std::to_string(job);
    header.jobs.push_back({name, "ray@1", 8, 8, "gpu", {}, 0});
    lines += R"({"t":0,"r":"begin","on":"job:)" + name + R"(","id":)" + std::to_string(++id) +
             R"(,"what":"training"})" + "\n";
  }
  for (int node = 0; node < nodes; ++node) {
    lines += R"({"t":)" + std::to_string(node + 1) + R"(,"r":"begin","on":"node:gpu-)" +
             std::to_string(node) + R"(","id":)" + std::to_string(++id) + R"(,"what":"down"})" +
             "\n";
  }
  return reports::header_line(header) + "\n" + lines;
}

TEST(Opening, MoreThanThreeJobsHaveARowEach) {
  const ShownTimeline three(lines_of(3, 1));
  EXPECT_TRUE(three.row_of("job:llm2/phases"));
  const ShownTimeline four(lines_of(4, 1));
  for (const char* job : {"job:llm0", "job:llm1", "job:llm2", "job:llm3"}) {
    EXPECT_TRUE(four.row_of(job)) << job;
    EXPECT_FALSE(four.row_of(std::string(job) + "/phases")) << job;
  }
}

TEST(Opening, PhasesStayInSightWhereOneJumpsToANode) {
  const ShownTimeline shown(lines_of(1, 200));
  const auto phases = key_of(shown.session_scene().directory(), "job:llm0/phases");
  ASSERT_TRUE(phases);
  const auto pinned = [&] {
    return std::ranges::count(shown.timeline->state().lanes.pinned, *phases);
  };
  const auto go = [&](const char* lane) {
    shown.timeline->go_to(7, key_of(shown.session_scene().directory(), lane));
  };
  go("node:gpu-0");
  EXPECT_EQ(pinned(), 0) << "both are in sight";
  go("node:gpu-190");
  EXPECT_EQ(pinned(), 1);
  EXPECT_LT(shown.y_of("job:llm0/phases"), shown.y_of("node:gpu-190"));
  go("node:gpu-20");
  EXPECT_EQ(pinned(), 1) << "once";
}

}  // namespace
}  // namespace aftershock::gui
