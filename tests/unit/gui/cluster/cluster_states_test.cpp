#include "gui/cluster/cluster_states.h"

#include <fstream>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gui/trace/loader.h"
#include "tests/unit/gui/cluster/random_cluster.h"
#include "tests/unit/reports/recording/sample_reading.h"

namespace aftershock::gui {
namespace {

using reports::testing::ScratchFolder;

struct Loaded {
  ScratchFolder folder;
  Trace trace;
  std::optional<Scene> scene;

  explicit Loaded(const std::string& text) {
    const std::string path = folder.path() + "/x.aftershock";
    std::ofstream(path, std::ios::binary) << text;
    load(trace, path);
    scene.emplace(trace, TreeOptions{.all = true});
  }
};

std::string header_text() { return reports::header_line(testing::sample_header()) + "\n"; }

/// All places of the sample cluster.
std::vector<LaneKey> all_places(const Directory& directory) {
  std::vector<LaneKey> all;
  for (const char* name : {"head:head-a", "node:gpu-0", "node:gpu-1", "node:gpu-2", "node:gpu-3",
                           "node:gpu-4", "node:gpu-5", "node:gpu-spare-0", "node:gpu-6",
                           "node:cpu-0", "node:cpu-1", "node:cpu-2", "storage:nfs"}) {
    all.push_back(key_of(directory, name).value());
  }
  return all;
}

KindMask kinds_at(const Trace& trace, const std::string& entity, std::int64_t t_us) {
  KindMask kinds = 0;
  if (const Lane* lane = lane_of(trace, entity, SubLane::kStates)) {
    const LaneSpans spans = lane->columns.spans();
    for (std::size_t i = 0; i < spans.size(); ++i) {
      kinds |= spans.begin_us[i] <= t_us && t_us < spans.end_us[i] ? mask_of(spans.kind[i]) : 0;
    }
  }
  return kinds;
}

/// The trace's state of a place, looked up without any haste.
PlaceState naive_state(const Trace& trace, const Directory& directory, const LaneKey& key,
                       std::int64_t t_us) {
  const std::string entity = text_of(directory, key);
  const auto is_cut = [&](LaneKey group) {
    return (kinds_at(trace, text_of(directory, group), t_us) & mask_of(Kind::kCut)) != 0;
  };
  KindMask kinds = kinds_at(trace, entity, t_us);
  for (int part = 0; part < 2 && key.section == Section::kPools; ++part) {
    const std::string name = "accelerator:" + entity.substr(5) + "/" + std::to_string(part);
    kinds |= kinds_at(trace, name, t_us) != 0 ? mask_of(Kind::kSlow) : 0;
  }
  std::optional<bool> there;
  if (const Lane* lane = lane_of(trace, entity, SubLane::kMarks);
      lane != nullptr && key.section == Section::kPools) {
    const LaneSpans spans = lane->columns.spans();
    for (std::size_t i = 0; i < spans.size() && spans.begin_us[i] <= t_us; ++i) {
      const auto word = trace.texts[lane->columns.numbers()[i]];
      there = word == "retired" ? false : word == "new_machine" ? true : there;
    }
  }
  const bool provisionable = entity == "node:gpu-6";
  if (!there.value_or(true) && !(provisionable && kinds != 0)) {
    return PlaceState::kAbsent;
  }
  if (provisionable && !there && kinds == 0) {
    return PlaceState::kAbsent;
  }
  LaneKey rack = key;
  rack.node = -1;
  LaneKey pool = rack;
  pool.rack = -1;
  if (key.section == Section::kPools && (is_cut(rack) || is_cut(pool))) {
    kinds |= mask_of(Kind::kCut);
  }
  return state_of(kinds, entity == "node:gpu-spare-0" ? PlaceState::kSpare : PlaceState::kUp);
}

void expect_as_recorded(const Trace& trace, const Directory& directory, const ClusterStates& states,
                        std::int64_t t_us) {
  Census pools{};
  for (const LaneKey& place : all_places(directory)) {
    const PlaceState expected = naive_state(trace, directory, place, t_us);
    ASSERT_EQ(name_of(states.state_of_place(place)), name_of(expected))
        << text_of(directory, place) << " at " << t_us;
    count_of(pools, expected) += place.section == Section::kPools ? 1 : 0;
  }
  Census counted{};
  for (std::int64_t pool = 0; pool < 2; ++pool) {
    const std::int64_t slots = places_in(directory, Section::kPools, pool);
    // However it is divided.
    for (const auto& [first, count] :
         {std::pair(std::int64_t{0}, slots / 3), std::pair(slots / 3, slots - slots / 3)}) {
      const Census part = states.count(Section::kPools, pool, first, count);
      for (std::size_t i = 0; i < kPlaceStates; ++i) {
        counted[i] += part[i];
      }
    }
  }
  ASSERT_EQ(counted, pools) << "at " << t_us;
}

TEST(ClusterStates, AreWhatIsRecordedWhereverOneGoes) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Loaded run(testing::random_cluster(seed, 120));
    ClusterStates states(*run.scene);
    std::mt19937_64 random(seed);
    std::int64_t t_us = 0;
    std::map<std::size_t, PlaceState> before;
    for (int step = 0; step < 150; ++step) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      // Steps forwards, steps back, jumps.
      const auto by = static_cast<std::int64_t>(random() % 9);
      t_us = step < 60    ? t_us + by
             : step < 110 ? t_us - by
                          : static_cast<std::int64_t>(random() % 1500) - 20;
      const auto changed = states.go_to(t_us);
      expect_as_recorded(run.trace, run.scene->directory(), states, t_us);
      for (std::size_t i = 0; i < states.places().size(); ++i) {
        const auto known = before.find(i);
        const bool other = known == before.end() || known->second != states.places()[i].state;
        if (other && known != before.end()) {
          EXPECT_TRUE(std::ranges::binary_search(changed, i)) << i << " at " << t_us;
        }
        before[i] = states.places()[i].state;
      }
      if (HasFatalFailure()) {
        return;
      }
    }
  }
}

TEST(ClusterStates, FollowARunThatGrows) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::string text = testing::random_cluster(seed, 150);
    const ScratchFolder folder;
    const std::string path = folder.path() + "/x.aftershock";
    std::ofstream file(path, std::ios::binary);
    const std::size_t half = text.find('\n', text.size() / 2) + 1;
    file << text.substr(0, half) << std::flush;
    Trace trace;
    Loader loader(trace, path, true);
    const auto take_all = [&loader] {
      while (loader.wait()) {
        loader.take();
      }
    };
    take_all();
    Scene scene(trace, {});
    auto states = std::make_unique<ClusterStates>(scene);
    states->go_to(trace.last_us);
    file << text.substr(half) << std::flush;
    while (loader.go_on() == Loader::Growth::kMore) {
      take_all();
    }
    if (scene.refresh()) {
      states = std::make_unique<ClusterStates>(scene);
    } else {
      states->refresh();
    }
    for (const std::int64_t t_us : {trace.last_us / 2, trace.last_us, std::int64_t{0}}) {
      states->go_to(t_us);
      expect_as_recorded(trace, scene.directory(), *states, t_us);
    }
  }
}

TEST(ClusterStates, TakeTheHeaderAtItsWordAndNoTimeForIt) {
  reports::RecordingHeader header;
  header.entities = {{"node", "gpu", 0, 1'000'000'000, "gpu-%d", 1'000'000, 8, "gpu"},
                     {"spare", "gpu", 0, 7, "spare-%d", 1'000'000, 8, "gpu"}};
  Loaded run(reports::header_line(header) + R"(
{"t":10,"r":"begin","on":"node:gpu-999999999","id":1,"what":"down"}
{"t":20,"r":"fault","on":"run","number":0,"id":"a","kind":"partition","what":"","target":"rack:gpu/7","outcome":"fired"}
)");
  run.scene.emplace(run.trace, TreeOptions{});
  ClusterStates states(*run.scene);
  const std::int64_t slots = places_in(run.scene->directory(), Section::kPools, 0);
  states.go_to(15);
  Census census = states.count(Section::kPools, 0, 0, slots);
  EXPECT_EQ(count_of(census, PlaceState::kDown), 1);
  EXPECT_EQ(count_of(census, PlaceState::kSpare), 7);
  EXPECT_EQ(count_of(census, PlaceState::kUp), 999'999'999);
  EXPECT_EQ(states.go_to(20).size(), 1U);
  census = states.count(Section::kPools, 0, 0, slots);
  EXPECT_EQ(count_of(census, PlaceState::kCut), 1000);
}

TEST(ClusterStates, OfAnEmptyRun) {
  Loaded run(header_text());
  ClusterStates states(*run.scene);
  EXPECT_TRUE(states.go_to(0).empty());
  EXPECT_TRUE(states.go_to(kOpen).empty());
  expect_as_recorded(run.trace, run.scene->directory(), states, 0);
}

}  // namespace
}  // namespace aftershock::gui
