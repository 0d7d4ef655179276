#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>

#include <fmt/format.h>

#include "reports/recording/header.h"

namespace aftershock::gui::testing {

/// Lines that a reader takes for a recording and that no run would write: ends of nothing, numbers
/// used twice, faults of any order, names of all kinds. The first is a header.
inline std::string random_lines(std::uint64_t seed, int count) {
  std::mt19937_64 random(seed);
  const auto pick = [&random](const auto& from) { return from[random() % from.size()]; };
  constexpr std::array<std::string_view, 7> kOn{
      "job:llm", "node:gpu-1", "head:head-0", "rack:gpu/2", "", R"(a\"\u001b\\é)", "job:eval"};
  constexpr std::array<std::string_view, 12> kSpans{
      "training", "checkpointing", "attempt", "uploading", "committing", "down",
      "slow",     "undetected",    "fault",   "",          "tomorrow",   "deciding"};
  constexpr std::array<std::string_view, 10> kMarks{
      "down",     "up",          "isolated",         "repaired",    "retired",
      "released", "new_machine", "partition_healed", "rolled_back", R"(said\n)"};
  constexpr std::array<std::string_view, 6> kMore{"",
                                                  R"(,"cause":-5)",
                                                  R"(,"cause":1,"epoch":3)",
                                                  R"(,"fault":2,"checkpoint":7)",
                                                  R"(,"x":{"cause":3},"epoch":-1)",
                                                  R"(,"cause":2.5,"text":"\"cause\":1")"};
  reports::RecordingHeader header;
  header.jobs.push_back({.name = "llm",
                         .policy = "p",
                         .workers = 1,
                         .accelerators = 1,
                         .pool = "gpu",
                         .steps = std::nullopt,
                         .step_us = 7});
  std::string text = reports::header_line(header) + "\n";
  std::int64_t t = 0;
  for (int i = 0; i < count; ++i) {
    t += static_cast<std::int64_t>(random() % 3) * 10;
    const std::string at = fmt::format(R"({{"t":{},"r":)", t);
    const std::string on = fmt::format(R"("on":"{}")", pick(kOn));
    const auto more = pick(kMore);
    switch (random() % 9) {
      case 0:
      case 1:
        text += fmt::format(R"({}"begin",{},"id":{},"what":"{}"{}}})", at, on, random() % 9,
                            pick(kSpans), more);
        break;
      case 2:
      case 3:
        text += fmt::format(R"({}"end","id":{}}})", at, random() % 9);
        break;
      case 4:
        text +=
            fmt::format(R"({}"instant",{},"what":"{}","from_us":{},"to_us":{},"lost_us":{}{}}})",
                        at, on, pick(kMarks), random() % 99, random() % 99, random() % 99, more);
        break;
      case 5:
        text += fmt::format(R"({}"fault",{},"number":{},"id":"f\u0023{}","kind":"{}","what":"w",)"
                            R"("target":"rack:gpu/{}","outcome":"{}"}})",
                            at, on, random() % 4, random() % 4,
                            random() % 2 == 0 ? "partition" : "hang", random() % 2,
                            random() % 4 == 0 ? "masked" : "fired");
        break;
      case 6:
        text += fmt::format(R"({}"decision",{},"batch":{},"fault":{},"saw":[]{}}})", at, on,
                            random() % 9, random() % 2 == 0 ? "null" : "\"f#1\"",
                            random() % 3 == 0 ? R"(,"false_alarm":true)" : "");
        break;
      case 7:
        text += fmt::format(R"({}"counter",{},"name":"steps","value":{}}})", at, on, random() % 20);
        break;
      default:
        text += fmt::format(R"({}"of_tomorrow",{},"id":{{"a":[1]}}}})", at, on);
    }
    text += '\n';
  }
  return text;
}

}  // namespace aftershock::gui::testing
