#pragma once

#include <string>

#include "gui/trace/trace.h"
#include "tests/gui/panels/panel_lines.h"
#include "tests/unit/gui/why/sample_run.h"

namespace aftershock::gui {

/// A run whose job llm works for 60 s, meets the faults f0 and f1, answers them by these rules at
/// 90 s and 190 s, and works again from 100 s and from `again_s` to 300 s; names are full of
/// markup.
inline SampleRun compare_run(const std::string& first_rule, const std::string& second_rule,
                             int again_s = 200, const std::string& fault = "f<1>") {
  const auto second = [](int s) { return std::to_string(s * 1'000'000LL); };
  std::string lines;
  int id = 0;
  const auto span = [&](const char* what, int from_s, int to_s) {
    ++id;
    lines += R"({"t":)" + second(from_s) + R"(,"r":"begin","on":"job:llm","id":)" +
             std::to_string(id) + R"(,"what":")" + what + R"(","epoch":1})" + "\n";
    return R"({"t":)" + second(to_s) + R"(,"r":"end","id":)" + std::to_string(id) + "}\n";
  };
  const auto strike = [&](int at_s, int number, const std::string& fault_id) {
    lines += R"({"t":)" + second(at_s) + R"(,"r":"fault","on":"node:a","number":)" +
             std::to_string(number) + R"(,"id":")" + fault_id +
             R"(","kind":"node_crash","target":"node:a","outcome":"fired"})" + "\n";
  };
  const auto decide = [&](int at_s, const std::string& fault_id, const std::string& rule) {
    lines += R"({"t":)" + second(at_s) + R"(,"r":"decision","on":"job:llm","batch":7,"fault":")" +
             fault_id + R"(","saw":[],"steps":[{"rule":")" + rule +
             R"(","from":"x","to":"y","budgets":[],"commands":[{"type":"stop_workers"}],)" +
             R"("rejected":[]}]})" + "\n";
  };
  std::string end = span("training", 0, 60);
  strike(60, 0, "f<0>");
  lines += end;
  end = span("undetected", 60, 100);
  decide(90, "f<0>", first_rule);
  lines += end;
  end = span("training", 100, 160);
  strike(160, 1, fault);
  lines += end;
  end = span("restoring", 160, again_s);
  decide(190, fault, second_rule);
  lines += end;
  lines += span("training", again_s, 300);
  lines += R"({"t":300000000,"r":"ledger","on":"job:llm","wall_us":300000000,"us":{"productive":)" +
           second(300 - 80 - (again_s - 200)) + R"(,"undetected":40000000,"restoring":)" +
           second(again_s - 160) + "}}\n";
  lines += R"({"t":300000000,"r":"summary","summary":{"verdict":"passed","jobs":[{"name":"llm",)"
           R"("outcome":"running","wall_us":300000000,"ettr":0.5}]}})"
           "\n";
  return SampleRun(lines);
}

}  // namespace aftershock::gui
