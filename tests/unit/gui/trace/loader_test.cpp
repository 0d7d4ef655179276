#include "gui/trace/loader.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <vector>

#include <gmock/gmock.h>

#include "gui/trace/line_texts.h"
#include "gui/trace/members.h"
#include "tests/unit/gui/trace/naive_trace.h"
#include "tests/unit/gui/trace/random_lines.h"
#include "tests/unit/reports/recording/sample_reading.h"
#include "tests/unit/reports/sample_recording.h"
#include "tests/unit/simulator_path.h"

namespace aftershock::gui {
namespace {

using reports::MemoryBytes;
using reports::ReadState;
using reports::testing::packed;
using reports::testing::read_file;
using reports::testing::sample_text;
using reports::testing::ScratchFolder;
using testing::difference;
using ::testing::HasSubstr;
using testing::random_lines;
using testing::told_naively;
using testing::told_of;

void load_bytes(Trace& trace, const std::string& bytes) {
  Loader loader(trace, std::make_unique<MemoryBytes>(bytes), "x.aftershock");
  while (loader.wait()) {
    loader.take();
  }
}

void write_file(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

TEST(Loader, KeepsWhatRandomRecordingsSay) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const std::string text = random_lines(seed, 200);
    Trace trace;
    load_bytes(trace, text);
    ASSERT_EQ(trace.end.state, ReadState::kPartial) << trace.end.message;
    ASSERT_EQ(difference(told_of(trace), told_naively(text)), "") << seed;
    EXPECT_TRUE(trace.has_header);
    EXPECT_FALSE(trace.reading);
    EXPECT_EQ(trace.end.line, 201);
  }
}

class OfARun : public ::testing::TestWithParam<const char*> {};

TEST_P(OfARun, KeepsWhatItSays) {
  const ScratchFolder folder;
  std::string plain;
  for (const char* name : {"run.aftershock", "run.aftershock.zst"}) {
    const std::string path = folder.file(name);
    const std::string command = fmt::format("{} run scenarios/{} --quiet --record {} >/dev/null",
                                            aftershock::testing::kSimulatorPath, GetParam(), path);
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    if (plain.empty()) {
      plain = read_file(path);
    }
    Trace trace;
    load(trace, path);
    ASSERT_EQ(trace.end.state, ReadState::kComplete) << trace.end.message;
    EXPECT_EQ(difference(told_of(trace), told_naively(plain)), "");
    EXPECT_EQ(trace.last_us, trace.end.t_us);
    // Every record's own text is found again.
    std::istringstream lines(plain);
    std::vector<std::string> texts;
    for (std::string line; std::getline(lines, line);) {
      texts.push_back(line);
    }
    for (std::uint32_t line = 1; line <= texts.size(); line += 97) {
      ASSERT_EQ(line_text(trace, path, line), texts[line - 1]) << line;
    }
  }
}

/// Productive time within [from, to) that none of `before` has.
std::int64_t productive_us(const LaneSpans& phases, std::int64_t from, std::int64_t to,
                           const std::vector<RolledBack>& before) {
  std::int64_t sum_us = 0;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    if (phases.kind[i] != Kind::kProductive) {
      continue;
    }
    std::int64_t at_us = std::max(phases.begin_us[i], from);
    const std::int64_t end_us = std::min(phases.end_us[i], to);
    while (at_us < end_us) {
      std::int64_t next_us = end_us;
      bool lost = false;
      for (const RolledBack& each : before) {
        const bool within = each.begin_us <= at_us && at_us < each.end_us;
        next_us = std::min(next_us, within                  ? each.end_us
                                    : each.begin_us > at_us ? each.begin_us
                                                            : next_us);
        lost = lost || within;
      }
      sum_us += lost ? 0 : next_us - at_us;
      at_us = next_us;
    }
  }
  return sum_us;
}

// The run keeps its own account of it, by progress; the trace finds it in time.
TEST_P(OfARun, TheWorkThatWasLostIsWhatTheRunCounts) {
  const ScratchFolder folder;
  const std::string path = folder.file("run.aftershock");
  const std::string command = fmt::format("{} run scenarios/{} --quiet --record {} >/dev/null",
                                          aftershock::testing::kSimulatorPath, GetParam(), path);
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  Trace trace;
  load(trace, path);
  std::map<std::uint32_t, std::vector<RolledBack>> before;
  for (const RolledBack& lost : trace.rolled_back) {
    const Lane* lane = lane_of(trace, lost.entity, SubLane::kPhases);
    ASSERT_NE(lane, nullptr);
    EXPECT_EQ(productive_us(lane->columns.spans(), lost.begin_us, lost.end_us, before[lost.entity]),
              lost.lost_us)
        << trace.entities[lost.entity] << " at " << lost.at_us;
    before[lost.entity].push_back(lost);
  }
  // All of it, also what a job had done when it ended for good.
  for (const LedgerText& ledger : trace.ledgers) {
    std::int64_t sum_us = 0;
    for (const RolledBack& lost : before[ledger.entity]) {
      sum_us += lost.lost_us;
    }
    if (trace.entities[ledger.entity].starts_with("job:")) {
      EXPECT_EQ(sum_us, integer_of(member(member(ledger.json, "us"), "rolled_back")))
          << trace.entities[ledger.entity];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scenarios, OfARun,
                         ::testing::Values("quickstart.json", "modelarts/control_plane_lost.json",
                                           "modelarts/heal_race_chip.json",
                                           "tune/driver_resumes.json", "no_resume.json",
                                           "ray/preemption_spared.json", "ray/head_lost.json",
                                           "ray/preemption_eats_max_failures.json",
                                           "modelarts/retries_exhausted.json"));

TEST(Loader, CutAnywhereItHasWhatIsThere) {
  const std::string text = random_lines(1, 20);
  for (std::size_t cut = 0; cut < text.size(); ++cut) {
    Trace trace;
    load_bytes(trace, text.substr(0, cut));
    if (cut < text.find('\n')) {
      EXPECT_FALSE(trace.has_header);
      EXPECT_TRUE(trace.lanes.empty());
    } else {
      // The last line may be whole without its newline.
      const bool whole = cut < text.size() && text[cut] == '\n';
      const std::string there = text.substr(0, whole ? cut : text.rfind('\n', cut - 1) + 1);
      ASSERT_EQ(difference(told_of(trace), told_naively(there)), "") << cut;
    }
    EXPECT_EQ(trace.end.state, cut == 0                ? ReadState::kEmpty
                               : cut < text.find('\n') ? ReadState::kNoHeader
                                                       : ReadState::kPartial);
    EXPECT_NE(trace.end.message, "");
  }
}

TEST(Loader, FollowsAFileThatGrows) {
  const ScratchFolder folder;
  const std::string text = sample_text();
  for (const std::string& bytes : {text, packed(text), random_lines(2, 300)}) {
    const std::string path = folder.file("run.aftershock");
    std::filesystem::remove(path);
    Trace trace;
    Loader loader(trace, path, true);
    const auto take_all = [&loader] {
      while (loader.wait()) {
        loader.take();
      }
    };
    take_all();
    EXPECT_EQ(trace.end.state, ReadState::kMissing);
    EXPECT_EQ(loader.go_on(), Loader::Growth::kNothing);
    write_file(path, "");
    const std::size_t piece = bytes.size() / 37 + 1;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      std::ofstream(path, std::ios::binary | std::ios::app) << bytes.substr(at, piece);
      EXPECT_EQ(loader.go_on(), Loader::Growth::kMore);
      EXPECT_TRUE(trace.reading);
      take_all();
      EXPECT_EQ(loader.go_on(), Loader::Growth::kNothing);
      EXPECT_EQ(loader.read_bytes(), static_cast<std::int64_t>(std::min(bytes.size(), at + piece)));
    }
    const bool complete = bytes != random_lines(2, 300);
    EXPECT_EQ(trace.end.state, complete ? ReadState::kComplete : ReadState::kPartial)
        << trace.end.message;
    EXPECT_EQ(difference(told_of(trace), told_naively(complete ? text : bytes)), "");
    ASSERT_FALSE(trace.decisions.empty());
    EXPECT_THAT(line_text(trace, path, trace.decisions[0].line).value_or(""),
                HasSubstr(R"("r":"decision")"));
    // Somebody runs it again.
    write_file(path, text.substr(0, 20));
    EXPECT_EQ(loader.go_on(), Loader::Growth::kReplaced);
  }
}

TEST(Loader, SaysWhatAFileIs) {
  struct Case {
    std::string bytes;
    ReadState state;
    std::string_view says;
  };
  std::string swapped = sample_text();
  swapped.replace(swapped.find("2500000"), 7, "2500001");
  const Case cases[] = {
      {"", ReadState::kEmpty, "is empty"},
      {"hello\n", ReadState::kNotARecording, "is not a recording"},
      {R"({"r":"header","schema":2})"
       "\n",
       ReadState::kOtherSchema, "schema 2"},
      {sample_text().substr(0, sample_text().size() - 100), ReadState::kPartial, "is partial"},
      {swapped, ReadState::kCorrupt, "line 5: its time is before that of the line above it"},
      {packed(sample_text().substr(0, sample_text().size() - 100)), ReadState::kPartial,
       "is partial"},
      {sample_text().substr(0, 20), ReadState::kNoHeader, "ends within its header"},
      {packed(sample_text()).substr(0, packed(sample_text()).size() / 2), ReadState::kNoHeader,
       "ends within its header"},
      {sample_text(), ReadState::kComplete, ""},
  };
  for (const Case& each : cases) {
    Trace trace;
    load_bytes(trace, each.bytes);
    EXPECT_EQ(trace.end.state, each.state) << trace.end.message;
    EXPECT_THAT(trace.end.message, HasSubstr(each.says));
    EXPECT_FALSE(trace.reading);
  }
  Trace trace;
  load(trace, ".");
  EXPECT_EQ(trace.end.state, ReadState::kDirectory);
}

TEST(Loader, CostsNothingForWhatAFileClaims) {
  std::string text = R"({"r":"header","schema":1,"entities":[{"kind":"node","first":0,)"
                     R"("count":1000000000,"name":"n-%d"}],"experiments":[{"name":"s",)"
                     R"("trials":4611686018427387904}]})"
                     "\n";
  text += R"({"t":0,"r":"begin","on":"n-999999999","id":18446744073709551615,"what":"down"})"
          "\n"
          R"({"t":4611686018427387904,"r":"fault","number":4611686018427387904,"on":"x"})"
          "\n"
          R"({"t":9223372036854775807,"r":"end","id":18446744073709551615})"
          "\n";
  Trace trace;
  load_bytes(trace, text);
  EXPECT_EQ(trace.end.state, ReadState::kPartial) << trace.end.message;
  EXPECT_EQ(difference(told_of(trace), told_naively(text)), "");
  EXPECT_EQ(trace.last_us, kOpen);
}

TEST(Loader, VeryLongNamesAreKept) {
  const std::string name(3'000'000, 'x');
  const std::string text = random_lines(1, 0) + R"({"t":0,"r":"begin","on":")" + name +
                           R"(","id":1,"what":"down"})" + "\n";
  Trace trace;
  load_bytes(trace, text);
  ASSERT_EQ(trace.lanes.size(), 1U);
  EXPECT_EQ(trace.entities[trace.lanes[0].entity], name);
}

TEST(Loader, StopsWhenAsked) {
  const ScratchFolder folder;
  const std::string path = folder.file("run.aftershock");
  write_file(path, random_lines(4, 100'000));
  Trace trace;
  int calls = 0;
  load(trace, path, {.progress = [&](std::int64_t read, std::int64_t size) {
         EXPECT_GT(read, 0);
         EXPECT_LE(read, size);
         return ++calls < 3;
       }});
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(trace.end.state, ReadState::kStopped);
  EXPECT_GT(trace.spans, 0);
  EXPECT_LT(trace.end.line, 100'001);
  // One who is not asked is stopped by going away, with all it has read ahead.
  Trace dropped;
  const Loader loader(dropped, path);
}

TEST(Loader, APartOfItCanBeLookedAtBeforeTheRest) {
  const std::string text = random_lines(5, 25'000);
  Trace trace;
  Loader loader(trace, std::make_unique<MemoryBytes>(text), "x.aftershock");
  std::int64_t lines = 0;
  int parts = 0;
  while (loader.wait()) {
    loader.take();
    loader.seal();
    EXPECT_GE(trace.end.line, lines);
    lines = trace.end.line;
    ++parts;
    ASSERT_TRUE(std::ranges::is_sorted(trace.effects, {}, &Effect::fault));
  }
  EXPECT_GT(parts, 2);
  EXPECT_EQ(difference(told_of(trace), told_naively(text)), "");
}

}  // namespace
}  // namespace aftershock::gui
