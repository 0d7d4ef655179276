#include "reports/recording/recorder.h"

#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "reports/recording/memory_sink.h"
#include "tests/unit/reports/sample_recording.h"

namespace aftershock::reports {
namespace {

using testing::kSampleJob;
using testing::play_sample;
using testing::sample_node;
using testing::SampleNames;
using testing::write_sample;

/// A check depends on all lines before; that it is right is for the reader's tests.
std::string without_checks(const std::string& text) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto parts = split_check(line);
    out += (parts ? std::string(parts->open) + ",\"check\":...}" : line) + '\n';
  }
  return out;
}

TEST(Recorder, LinesAreExact) {
  MemorySink sink;
  const SampleNames names;
  Recorder recorder(&sink, &names);
  play_sample(recorder);
  recorder.ledger(10'000'000, kSampleJob, R"("wall_us":10000000)");
  recorder.summary(10'000'000, R"({"schema":1})");
  recorder.end_of_run(10'000'000);
  EXPECT_EQ(recorder.records(), 8);
  EXPECT_EQ(without_checks(sink.text()),
            R"({"t":0,"r":"begin","on":"job:llm","id":1,"what":"training","attempt":1}
{"t":1000000,"r":"counter","on":"job:llm","name":"step","value":17}
{"t":2500000,"r":"fault","on":"node:gpu-3","id":"spot-1","kind":"preemption","target":"node:gpu-3","outcome":"fired"}
{"t":2500000,"r":"begin","on":"node:gpu-3","id":2,"what":"repairing"}
{"t":3000000,"r":"instant","on":"accelerator:gpu-3/5","what":"detected","by":"poll \"2 s\"\n","code":-94}
{"t":3000000,"r":"decision","on":"job:llm","batch":1,"steps":[{"rule":"ray_train.failure.retry","from":"RUNNING","to":"RESTARTING","saw":[0],"budgets":[{"budget":"max_failures","cause":"application","used":1,"limit":3,"charged":true,"exhausted":false}],"commands":[],"rejected":[]}],"fault":"spot-1"}
{"t":3000000,"r":"end","id":1}
{"t":9000000,"r":"end","id":2}
{"t":10000000,"r":"ledger","on":"job:llm","wall_us":10000000}
{"t":10000000,"r":"summary","summary":{"schema":1}}
{"t":10000000,"r":"end_of_run","hash":")" +
                fmt::format("{:016x}", recorder.hash()) + "\",\"records\":8,\"check\":...}\n");
}

TEST(Recorder, HoldingsAreForReadersAndNotCounted) {
  MemorySink sink;
  const SampleNames names;
  Recorder recorder(&sink, &names);
  const std::uint64_t hash = recorder.hash();
  recorder.holds(5, kSampleJob, std::vector<std::uint32_t>{0, 1, 2, 9, 4, 5});
  recorder.holds(6, kSampleJob, {});
  EXPECT_EQ(recorder.records(), 0);
  EXPECT_EQ(recorder.hash(), hash);
  EXPECT_EQ(sink.text(), R"({"t":5,"r":"holds","on":"job:llm","nodes":"0-2,9,4-5"}
{"t":6,"r":"holds","on":"job:llm","nodes":""}
)");
}

TEST(Recorder, HashIsTheSameWithAndWithoutASink) {
  MemorySink sink;
  const SampleNames names;
  Recorder writing(&sink, &names);
  Recorder silent(nullptr, nullptr);
  EXPECT_TRUE(writing.writing());
  EXPECT_FALSE(silent.writing());
  for (std::int64_t i = 0; i < 1000; ++i) {
    play_sample(writing, i * 10'000'000);
    play_sample(silent, i * 10'000'000);
    ASSERT_EQ(writing.hash(), silent.hash());
  }
  EXPECT_EQ(writing.records(), silent.records());
}

TEST(Recorder, HashIsTheSameEverywhere) {
  // A number by itself: other machines, compilers and build types have to come to it as well.
  Recorder recorder(nullptr, nullptr);
  play_sample(recorder);
  EXPECT_EQ(fmt::format("{:016x}", recorder.hash()), "556115d49659129f");
}

TEST(Recorder, EveryPartOfARecordIsInTheHash) {
  using Values = std::initializer_list<Recorder::Value>;
  const auto hash_of = [](auto&& play) {
    Recorder recorder(nullptr, nullptr);
    play(recorder);
    return recorder.hash();
  };
  const Entity accelerator{EntityKind::kAccelerator, 3, 1};
  const auto begin_two = [&](Recorder& r) {
    r.begin(0, accelerator, "a");
    r.begin(0, accelerator, "a");
  };
  const std::array<std::uint64_t, 1> one{1};
  const std::array<std::uint64_t, 1> two{2};
  const std::vector<std::uint64_t> hashes{
      hash_of([&](Recorder& r) { r.instant(1, accelerator, "a"); }),
      hash_of([&](Recorder& r) { r.instant(2, accelerator, "a"); }),
      hash_of([&](Recorder& r) { r.begin(1, accelerator, "a"); }),
      hash_of([&](Recorder& r) { r.instant(1, {EntityKind::kAccelerator, 1, 3}, "a"); }),
      hash_of([&](Recorder& r) { r.instant(1, {EntityKind::kNode, 3, 1}, "a"); }),
      hash_of([&](Recorder& r) { r.instant(1, accelerator, "b"); }),
      hash_of([&](Recorder& r) { r.instant(1, accelerator, "a", Values{{"k", 1, {}}}); }),
      hash_of([&](Recorder& r) { r.instant(1, accelerator, "a", Values{{"k", 2, {}}}); }),
      hash_of([&](Recorder& r) { r.instant(1, accelerator, "a", Values{{"l", 1, {}}}); }),
      hash_of([&](Recorder& r) { r.instant(1, accelerator, "a", Values{{"k", 1, "1"}}); }),
      hash_of([&](Recorder& r) { r.counter(1, accelerator, "a", 1); }),
      hash_of([&](Recorder& r) { r.counter(1, accelerator, "a", 2); }),
      hash_of([&](Recorder& r) { r.custom(1, RecordKind::kFault, accelerator, one, ""); }),
      hash_of([&](Recorder& r) { r.custom(1, RecordKind::kFault, accelerator, two, ""); }),
      hash_of([&](Recorder& r) { r.custom(1, RecordKind::kDecision, accelerator, two, ""); }),
      hash_of([&](Recorder& r) {
        begin_two(r);
        r.end(1, 1);
      }),
      hash_of([&](Recorder& r) {
        begin_two(r);
        r.end(1, 2);
      }),
  };
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_NE(hashes[i], hashes[j]) << j << " and " << i;
    }
  }
}

TEST(Recorder, ASnapshotFollowsEveryBoundaryAndRepeatsWhatIsOpen) {
  using Values = std::initializer_list<Recorder::Value>;
  MemorySink sink;
  const SampleNames names;
  Recorder recorder(&sink, &names);
  recorder.begin(5, sample_node(1), "repairing", Values{{"cause", 0, "spot \"1\""}});
  const SpanId closed = recorder.begin(6, kSampleJob, "training");
  recorder.end(7, closed);
  recorder.begin(8, kSampleJob, "restoring");
  for (std::int64_t i = 4; i < kRecordsPerSnapshot; ++i) {
    recorder.counter(1000 + i, kSampleJob, "step", i);
  }
  ASSERT_EQ(sink.boundaries().size(), 1U);
  EXPECT_EQ(without_checks(sink.text().substr(sink.boundaries()[0])),
            R"({"t":5095,"r":"snapshot","records":4096,"open":[)"
            R"({"begin":5,"on":"node:gpu-1","id":1,"what":"repairing","cause":"spot \"1\""},)"
            R"({"begin":8,"on":"job:llm","id":3,"what":"restoring"}],"check":...})"
            "\n");
  EXPECT_EQ(recorder.records(), kRecordsPerSnapshot)
      << "a snapshot does not belong to the run's records";
}

TEST(Recorder, TheSameRunGivesTheSameBytes) {
  MemorySink first;
  MemorySink second;
  write_sample(first);
  write_sample(second);
  EXPECT_EQ(first.text(), second.text());
}

TEST(RecorderDeathTest, ASpanThatHasBegunEndsOnceAndTimeGoesOn) {
  MemorySink sink;
  const SampleNames names;
  Recorder recorder(&sink, &names);
  const SpanId span = recorder.begin(5, kSampleJob, "training");
  EXPECT_DEATH(recorder.end(5, span + 1), "assertion failed");
  EXPECT_DEATH(recorder.end(4, span), "assertion failed");
  recorder.end(5, span);
  EXPECT_DEATH(recorder.end(5, span), "assertion failed");
}

TEST(RollingHash, TextIsReadTheSameInAnyPieces) {
  // The fast way over eight characters at a time against the definition, one character at a time.
  for (const std::string_view text :
       {"", "a", "1234567", "12345678", "123456789", "\xFF\x80 twenty-three chars"}) {
    RollingHash by_text;
    by_text.add(text);
    RollingHash by_words;
    by_words.add(text.size());
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      word |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[i])) << 8 * (i % 8);
      if (i % 8 == 7 || i + 1 == text.size()) {
        by_words.add(word);
        word = 0;
      }
    }
    EXPECT_EQ(by_text.value(), by_words.value()) << text;
  }
}

}  // namespace
}  // namespace aftershock::reports
