#include "gui/export/perfetto.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "tests/unit/gui/export/decoded_proto.h"
#include "tests/unit/gui/export/sample_scene.h"
#include "tests/unit/gui/trace/random_lines.h"

namespace aftershock::gui {
namespace {

using testing::decode;
using testing::Decoded;
using testing::hostile_lines;
using testing::SampleScene;

/// A trace as trace_processor would have it.
struct Slice {
  std::string name;
  std::uint64_t begin_ns = 0;
  std::uint64_t end_ns = 0;
  std::set<std::uint64_t> flows = {};
  std::set<std::uint64_t> flow_ends = {};
};
struct ReadBack {
  std::map<std::uint64_t, std::string> names;      ///< of tracks
  std::map<std::uint64_t, std::uint64_t> parents;  ///< of tracks
  std::map<std::uint64_t, std::vector<Slice>> slices;
  std::map<std::uint64_t, std::vector<Slice>> instants;
  std::map<std::uint64_t, std::vector<std::pair<std::uint64_t, std::int64_t>>> counters;

  std::map<std::uint64_t, std::vector<std::size_t>> open;

  explicit ReadBack(const std::string& bytes) {
    const Decoded trace = decode(bytes);
    EXPECT_TRUE(trace.numbers.empty());
    for (const auto& [field, text] : trace.texts) {
      EXPECT_EQ(field, 1U);
      take(decode(text));
    }
    for (const auto& [track, stack] : open) {
      EXPECT_TRUE(stack.empty()) << names[track];
    }
  }

  void take(const Decoded& packet) {
    EXPECT_EQ(packet.number(10), 1U);
    if (packet.texts.contains(60)) {
      const Decoded track = decode(packet.text(60));
      EXPECT_FALSE(names.contains(*track.number(1))) << "one descriptor a track";
      names[*track.number(1)] = track.text(2);
      parents[*track.number(1)] = track.number(5).value_or(0);
      return;
    }
    const Decoded event = decode(packet.text(11));
    const std::uint64_t track = event.number(11).value_or(0);
    const std::uint64_t t_ns = packet.number(8).value_or(0);
    EXPECT_TRUE(names.contains(track)) << "told of before its events";
    Slice slice{.name = event.text(23), .begin_ns = t_ns, .end_ns = t_ns};
    for (auto [at, end] = event.numbers.equal_range(47); at != end; ++at) {
      slice.flows.insert(at->second);
    }
    for (auto [at, end] = event.numbers.equal_range(48); at != end; ++at) {
      slice.flow_ends.insert(at->second);
    }
    switch (event.number(9).value_or(0)) {
      case 1:
        EXPECT_TRUE(open[track].empty()) << "two slices of a track at once";
        open[track].push_back(slices[track].size());
        slices[track].push_back(slice);
        break;
      case 2:
        ASSERT_FALSE(open[track].empty()) << "an end of nothing";
        slices[track][open[track].back()].end_ns = t_ns;
        open[track].pop_back();
        break;
      case 3:
        instants[track].push_back(slice);
        break;
      default:
        EXPECT_EQ(event.number(9), 4U);
        counters[track].emplace_back(t_ns, static_cast<std::int64_t>(event.number(30).value_or(0)));
    }
  }

  [[nodiscard]] std::size_t spans() const {
    std::size_t count = 0;
    for (const auto* each : {&slices, &instants}) {
      for (const auto& [track, list] : *each) {
        count += list.size();
      }
    }
    return count;
  }

  void expect_no_crossing() const {
    for (const auto& [track, list] : slices) {
      for (std::size_t i = 1; i < list.size(); ++i) {
        EXPECT_LE(list[i - 1].end_ns, list[i].begin_ns) << names.at(track);
      }
    }
  }
};

std::string written_perfetto(const SampleScene& sample, const ViewState& state) {
  std::string bytes;
  EXPECT_TRUE(write_perfetto(*sample.scene, sample.titles, choice_of(*sample.scene, state),
                             [&bytes](std::string_view more) {
                               bytes += more;
                               return true;
                             }));
  return bytes;
}

TEST(Perfetto, PutsWhatOverlapsOnTracksOfTheirOwn) {
  const SampleScene sample(hostile_lines());
  const ReadBack read(written_perfetto(sample, sample.all()));
  EXPECT_EQ(read.spans(), static_cast<std::size_t>(sample.trace.spans));
  read.expect_no_crossing();
  std::multiset<std::string> names;
  for (const auto& [track, name] : read.names) {
    names.insert(name);
    if (name == "checkpoints" || name == "checkpoints 2") {
      EXPECT_EQ(read.names.at(read.parents.at(track)), "job:llm");
      EXPECT_EQ(read.slices.at(track).size(), 1U);
    }
    if (name == "phases") {
      ASSERT_EQ(read.slices.at(track).size(), 3U);
      // The last never ended.
      EXPECT_EQ(read.slices.at(track)[2].begin_ns, 60'000U);
      EXPECT_EQ(read.slices.at(track)[2].end_ns, 90'000U);
    }
  }
  EXPECT_EQ(names.count("checkpoints"), 1U);
  EXPECT_EQ(names.count("checkpoints 2"), 1U);
}

TEST(Perfetto, TiesAFaultToWhatItBroughtAbout) {
  const SampleScene sample(hostile_lines());
  const ReadBack read(written_perfetto(sample, sample.all()));
  std::set<std::uint64_t> begun;
  std::set<std::uint64_t> ended;
  for (const auto* each : {&read.slices, &read.instants}) {
    for (const auto& [track, list] : *each) {
      for (const Slice& slice : list) {
        begun.insert(slice.flows.begin(), slice.flows.end());
        ended.insert(slice.flow_ends.begin(), slice.flow_ends.end());
        EXPECT_EQ(!slice.flows.empty(), slice.name == "node_crash");
      }
    }
  }
  EXPECT_EQ(begun.size(), 2U);
  EXPECT_EQ(begun, ended);
  // Where only one end is written_perfetto there is nothing to tie.
  ViewState state = sample.all();
  state.shown.begin_us = 41;
  EXPECT_EQ(written_perfetto(sample, state).find(std::string("\xc1\x02", 2)), std::string::npos);
}

TEST(Perfetto, HasCountersWithWhatTheyStoodAt) {
  const SampleScene sample(hostile_lines());
  ViewState state = sample.all();
  state.shown.begin_us = 70;
  const ReadBack read(written_perfetto(sample, state));
  ASSERT_EQ(read.counters.size(), 1U);
  const auto& [track, values] = *read.counters.begin();
  EXPECT_EQ(read.names.at(track), "steps");
  EXPECT_EQ(values,
            (std::vector<std::pair<std::uint64_t, std::int64_t>>{{70'000, 7}, {90'000, -3}}));
}

TEST(Perfetto, OfAnyRecordingIsWellFormed) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const SampleScene sample(testing::random_lines(seed, 300));
    ViewState state = sample.all();
    state.shown.begin_us = -kFurthest_us;
    const ReadBack read(written_perfetto(sample, state));
    EXPECT_EQ(read.spans(), static_cast<std::size_t>(sample.trace.spans));
    read.expect_no_crossing();
    EXPECT_FALSE(write_perfetto(*sample.scene, sample.titles, choice_of(*sample.scene, state),
                                [](std::string_view) { return false; }));
  }
}

}  // namespace
}  // namespace aftershock::gui
