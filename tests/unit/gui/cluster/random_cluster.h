#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>

#include <fmt/format.h>

#include "tests/unit/gui/lanes/sample_cluster.h"

namespace aftershock::gui::testing {

/// Lines of a recording of the sample cluster in which nodes, racks and heads break, are cut off
/// and come back at random; some lines are of nobody.
inline std::string random_cluster(std::uint64_t seed, int count) {
  std::mt19937_64 random(seed);
  const auto pick = [&random](const auto& from) { return from[random() % from.size()]; };
  constexpr std::array<std::string_view, 12> kOn{
      "node:gpu-0",  "node:gpu-1", "node:gpu-spare-0", "node:gpu-6", "accelerator:gpu-4/1",
      "node:cpu-2",  "rack:gpu/0", "rack:gpu/1",       "pool:gpu",   "head:head-a",
      "storage:nfs", "node:nobody"};
  constexpr std::array<std::string_view, 5> kSpans{"down", "cut", "isolated", "repairing", "slow"};
  constexpr std::array<std::string_view, 8> kMarks{
      "down", "up", "isolated", "repaired", "released", "retired", "retired", "new_machine"};
  constexpr std::array<std::string_view, 4> kCut{"rack:gpu/0", "rack:gpu/1", "node:gpu-1",
                                                 "pool:cpu"};
  std::string text = reports::header_line(sample_header()) + "\n";
  std::int64_t t = 0;
  int faults = 0;
  for (int i = 0; i < count; ++i) {
    t += static_cast<std::int64_t>(random() % 3) * 10;
    const std::string at = fmt::format(R"({{"t":{},"r":)", t);
    switch (random() % 6) {
      case 0:
      case 1:
        text += fmt::format(R"({}"begin","on":"{}","id":{},"what":"{}"}})", at, pick(kOn),
                            random() % 9, pick(kSpans));
        break;
      case 2:
        text += fmt::format(R"({}"end","id":{}}})", at, random() % 9);
        break;
      case 3:
        text += fmt::format(R"({}"instant","on":"{}","what":"{}"}})", at, pick(kOn), pick(kMarks));
        break;
      case 4:
        text += fmt::format(
            R"({}"fault","on":"run","number":{},"id":"f{}","kind":"partition","what":"w",)"
            R"("target":"{}","outcome":"fired"}})",
            at, faults, faults, pick(kCut));
        ++faults;
        break;
      default:
        text += fmt::format(R"({}"instant","on":"run","what":"partition_healed","fault":{},)"
                            R"("cause":{}}})",
                            at, faults - 1, random() % static_cast<unsigned>(faults + 1));
    }
    text += '\n';
  }
  return text;
}

}  // namespace aftershock::gui::testing
