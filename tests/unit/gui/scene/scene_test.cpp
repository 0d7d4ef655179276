#include "gui/scene/scene.h"

#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gui/trace/loader.h"
#include "tests/unit/gui/trace/random_lines.h"
#include "tests/unit/reports/recording/sample_reading.h"

namespace aftershock::gui {
namespace {

using reports::testing::ScratchFolder;
using testing::random_lines;

void take_all(Loader& loader) {
  while (loader.wait()) {
    loader.take();
  }
}

/// The kinds in each pixel of each row, and of the whole run last.
std::vector<std::vector<KindMask>> drawn(Scene& scene, std::int64_t end_us) {
  const Columns columns(TimeAxis{0, end_us, 64});
  std::vector<std::vector<KindMask>> rows;
  std::vector<Cell> cells(64);
  const auto add = [&] {
    std::vector<KindMask> masks;
    for (const Cell& cell : cells) {
      masks.push_back(cell.mask);
    }
    rows.push_back(masks);
  };
  for (std::uint32_t node = 0; node < scene.tree().nodes.size(); ++node) {
    scene.draw(node, columns, cells);
    add();
  }
  scene.draw_all(columns, cells);
  add();
  return rows;
}

TEST(Scene, ThatGrewShowsWhatOneMadeAtOnceDoes) {
  const ScratchFolder folder;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const std::string text = random_lines(seed, 300);
    const std::string path = folder.path() + "/" + std::to_string(seed);
    Trace growing;
    std::optional<Scene> scene;
    std::ofstream file(path, std::ios::binary);
    std::size_t written = 0;
    std::optional<Loader> loader;
    for (const std::size_t upto : {text.size() / 4, text.size() / 2, text.size()}) {
      file.write(text.data() + written, static_cast<std::streamsize>(upto - written));
      file.flush();
      written = upto;
      if (!loader) {
        loader.emplace(growing, path, true);
      } else {
        ASSERT_EQ(loader->go_on(), Loader::Growth::kMore);
      }
      take_all(*loader);
      ASSERT_TRUE(growing.has_header);
      if (scene) {
        scene->refresh();
      } else {
        scene.emplace(growing, TreeOptions{.all = true});
      }
      // Of what was drawn once and not while it grew, all growth is taken in at last.
      if (written < text.size() / 2 || seed % 2 == 0) {
        drawn(*scene, growing.last_us + 1);
      }
    }
    Trace whole;
    load(whole, path);
    Scene at_once(whole, {.all = true});
    ASSERT_EQ(scene->tree().nodes.size(), at_once.tree().nodes.size()) << seed;
    ASSERT_EQ(drawn(*scene, whole.last_us + 1), drawn(at_once, whole.last_us + 1)) << seed;
  }
}

TEST(Scene, DrawsOnlyWhatItWasRefreshedFor) {
  const ScratchFolder folder;
  const std::string path = folder.path() + "/x";
  const std::string text = random_lines(1, 2000);
  std::ofstream file(path, std::ios::binary);
  const std::size_t half = text.find('\n', text.size() / 2) + 1;
  file.write(text.data(), static_cast<std::streamsize>(half));
  file.flush();
  Trace trace;
  Loader loader(trace, path, true);
  take_all(loader);
  Scene scene(trace, {.all = true});
  const std::size_t lanes = trace.lanes.size();
  const auto before = scene.view_of(0).spans.size();
  file.write(text.data() + half, static_cast<std::streamsize>(text.size() - half));
  file.flush();
  ASSERT_EQ(loader.go_on(), Loader::Growth::kMore);
  take_all(loader);
  ASSERT_EQ(trace.lanes.size(), lanes);
  ASSERT_GT(trace.lanes[0].columns.size(), before);
  EXPECT_EQ(scene.view_of(0).spans.size(), before);
  // A caller that opens something meanwhile lists the lanes that are ready.
  const auto shown = drawn(scene, trace.last_us + 1);
  Lane fresh = {
      .entity = trace.lanes[0].entity, .sub = SubLane::kOthers, .columns = LaneColumns(true)};
  fresh.columns.add({1, 2, Kind::kOther, 1, 0});
  trace.lanes.push_back(std::move(fresh));
  scene.set_options({.all = true});
  EXPECT_EQ(drawn(scene, trace.last_us + 1), shown);
  trace.lanes.pop_back();
  scene.refresh();
  EXPECT_EQ(scene.view_of(0).spans.size(), trace.lanes[0].columns.size());
}

TEST(Scene, TellsCountersFromLanes) {
  for (const Content content : {Content{0, false}, Content{7, true}, Content{123456, false}}) {
    const Content back = content_from(id_of(content));
    EXPECT_EQ(back.index, content.index);
    EXPECT_EQ(back.is_counter, content.is_counter);
  }
}

TEST(Scene, ListsCurvesBesideWhatWasRecorded) {
  reports::RecordingHeader header;
  header.policies = {{"p", {}, {}, {"retries"}}};
  header.jobs = {{"llm", "p", 1, 1, "gpu", {}, 0}};
  header.entities = {{"node", "gpu", 0, 2, "gpu-%d", 0, 0, ""}};
  const std::string text = reports::header_line(header) + R"(
{"t":1,"r":"counter","on":"job:llm","name":"steps","value":3}
{"t":1,"r":"counter","on":"pool:gpu","name":"nodes_up","value":2}
)";
  Trace trace;
  Loader loader(trace, std::make_unique<reports::MemoryBytes>(text), "x");
  take_all(loader);
  Scene scene(trace, {});
  const auto lanes = [&scene] {
    std::vector<std::string> names;
    for (const LaneTree::Node& node : scene.tree().nodes) {
      names.push_back(text_of(scene.directory(), node.key));
    }
    return names;
  };
  const std::vector<std::string> before{
      "job:llm",  "job:llm/counters",  "job:llm/counter:steps",
      "pool:gpu", "pool:gpu/counters", "pool:gpu/counter:nodes_up"};
  EXPECT_EQ(lanes(), before);
  const auto steps = key_of(scene.directory(), "job:llm/counter:steps");
  Curve ettr{.name = "ettr", .samples = {}};
  ettr.samples.entity = *trace.entities.find("job:llm");
  Curve retries = ettr;
  retries.facet = Facet::kBudgets;
  retries.name = "retries";
  scene.set_curves({ettr, retries});
  EXPECT_EQ(lanes().size(), before.size() + 3);
  EXPECT_EQ(lanes()[1], "job:llm/budgets");
  EXPECT_EQ(lanes()[2], "job:llm/budget:retries");
  EXPECT_EQ(lanes()[5], "job:llm/counter:ettr");
  // A key means what it meant.
  EXPECT_EQ(key_of(scene.directory(), "job:llm/counter:steps"), steps);
  const auto node = find(scene.tree(), *key_of(scene.directory(), "job:llm/budget:retries"));
  ASSERT_TRUE(node);
  const Content content = content_from(content_of(scene.tree(), *node)[0].id);
  ASSERT_NE(scene.curve(content.index), nullptr);
  EXPECT_EQ(scene.curve(content.index)->name, "retries");
  EXPECT_FALSE(scene.refresh()) << "nothing has come";
}

}  // namespace
}  // namespace aftershock::gui
