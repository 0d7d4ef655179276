#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "reports/recording/file_sink.h"
#include "reports/recording/reader.h"
#include "reports/render/why.h"
#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"

// Recordings of a real run, cut off and spoiled: a reader says so, and never takes one for whole.
namespace aftershock::sim {
namespace {

using reports::ReadState;

std::string bytes_of_a_run(const std::string& name) {
  scenario::ReadOptions options;
  options.sets = {"/until=6h", "/expect=[]", "/faults/1/require=null"};
  auto read = scenario::read_scenario_file("scenarios/quickstart.json", options);
  const auto scenario = std::make_shared<const scenario::Scenario>(
      std::move(std::get<scenario::ReadScenario>(read).scenario));
  const std::string path =
      (std::filesystem::path(::testing::TempDir()) / std::to_string(::getpid())).string() + name;
  reports::FileSink sink(path);
  simulate::SimulateOptions simulate_options;
  simulate_options.sink = &sink;
  simulate::simulate(scenario, simulate_options);
  EXPECT_EQ(sink.finish(), std::nullopt);
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::filesystem::remove(path);
  return bytes;
}

reports::ReadResult read(const std::string& bytes) {
  return reports::read_recording(std::make_unique<reports::MemoryBytes>(bytes), "x.aftershock",
                                 [](const reports::Record&) { return true; });
}

class DamagedRecording : public ::testing::TestWithParam<const char*> {};

TEST_P(DamagedRecording, IsPartialWhereverItIsCut) {
  const std::string bytes = bytes_of_a_run(GetParam());
  ASSERT_EQ(read(bytes).state, ReadState::kComplete) << read(bytes).message;
  std::size_t longest_without_header = 0;
  std::size_t shortest_with_header = bytes.size();
  const auto check = [&](std::size_t size, bool tell) {
    const std::string cut = bytes.substr(0, size);
    const auto result = read(cut);
    if (result.state == ReadState::kNoHeader) {
      longest_without_header = std::max(longest_without_header, size);
      ASSERT_NE(result.message.find("x.aftershock ends within its header"), std::string::npos);
    } else {
      shortest_with_header = std::min(shortest_with_header, size);
      ASSERT_EQ(result.state, ReadState::kPartial) << size << ": " << result.message;
      ASSERT_NE(result.message.find("x.aftershock is partial: it ends "), std::string::npos);
    }
    if (!tell) {
      return;
    }
    const auto told = reports::why(std::make_unique<reports::MemoryBytes>(cut), "x.aftershock", {});
    ASSERT_EQ(told.state, result.state);
    ASSERT_NE((told.text + told.problem).find("ends "), std::string::npos) << size;
  };
  constexpr std::size_t kEveryByteOfTheLast = 4096;
  constexpr std::size_t kPoints = 500;
  const std::size_t tail =
      bytes.size() > kEveryByteOfTheLast ? bytes.size() - kEveryByteOfTheLast : 1;
  // Without its last newline a plain file has lost nothing, nor has a compressed one without the
  // end of its last frame: a checksum, where the check of the lines has been met.
  std::size_t whole = bytes.size();
  while (read(bytes.substr(0, whole - 1)).state == ReadState::kComplete) {
    --whole;
  }
  ASSERT_LE(bytes.size() - whole, 8U);
  for (std::size_t size = tail; size < whole; ++size) {
    check(size, size % 64 == 0);
  }
  for (std::size_t i = 0; i < kPoints; ++i) {
    check(1 + i * tail / kPoints, i % 10 == 0);
  }
  EXPECT_LT(longest_without_header, shortest_with_header);
  if (const bool plain = bytes.front() == '{'; plain) {
    const std::size_t header = bytes.find('\n');
    EXPECT_LE(longest_without_header, header);
    EXPECT_GE(shortest_with_header, header);
  }
}

TEST_P(DamagedRecording, IsNeverTakenForWhole) {
  const std::string bytes = bytes_of_a_run(GetParam());
  std::string whole;
  const auto gather = [](std::string& to) {
    return [&to](const reports::Record& record) {
      to.append(record.text) += '\n';
      return true;
    };
  };
  reports::read_recording(std::make_unique<reports::MemoryBytes>(bytes), "x", gather(whole));
  std::mt19937 generator(20260101);
  int unharmed = 0;
  constexpr int kRounds = 2000;
  for (int round = 0; round < kRounds; ++round) {
    std::string damaged = bytes;
    const std::size_t at = generator() % damaged.size();
    damaged[at] =
        static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ (1U << generator() % 8));
    std::string lines;
    const auto result = reports::read_recording(std::make_unique<reports::MemoryBytes>(damaged),
                                                "x", gather(lines));
    if (result.state == ReadState::kComplete) {
      // The frames of a compressed file have bits without a meaning.
      ASSERT_EQ(lines, whole) << "byte " << at;
      ++unharmed;
    } else {
      ASSERT_FALSE(result.message.empty());
    }
    if (round % 50 == 0) {
      reports::why(std::make_unique<reports::MemoryBytes>(damaged), "x", {});
    }
  }
  EXPECT_LT(unharmed, kRounds / 20);
}

INSTANTIATE_TEST_SUITE_P(PlainAndPacked, DamagedRecording,
                         ::testing::Values("run.aftershock", "run.aftershock.zst"),
                         [](const auto& file) {
                           return file.index == 0 ? std::string("Plain") : std::string("Packed");
                         });

}  // namespace
}  // namespace aftershock::sim
