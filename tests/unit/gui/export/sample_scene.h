#pragma once

#include <memory>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "gui/scene/scene.h"
#include "gui/trace/loader.h"
#include "gui/why/decision_titles.h"
#include "reports/recording/header.h"

namespace aftershock::gui::testing {

/// A recording in memory, ready to be drawn.
struct SampleScene {
  Trace trace;
  std::optional<Scene> scene;
  DecisionTitles titles;

  /// A whole recording.
  explicit SampleScene(const std::string& text) {
    Loader loader(trace, std::make_unique<reports::MemoryBytes>(text), "x.aftershock");
    while (loader.wait()) {
      loader.take();
    }
    EXPECT_TRUE(trace.end.readable()) << trace.end.message;
    scene.emplace(trace, TreeOptions{});
  }

  /// The lanes that a user would see, all of the time.
  [[nodiscard]] ViewState all() const {
    ViewState state;
    state.shown = {0, trace.last_us + 1};
    return state;
  }
};

/// A header with the job "llm".
inline std::string llm_header() {
  reports::RecordingHeader header;
  header.jobs.push_back({.name = "llm",
                         .policy = "p",
                         .workers = 1,
                         .accelerators = 1,
                         .pool = "gpu",
                         .steps = std::nullopt,
                         .step_us = 10});
  return reports::header_line(header) + "\n";
}

/// Names that do harm, spans that overlap, one that never ends, a fault with two effects, and a
/// counter.
inline std::string hostile_lines() {
  return llm_header() + R"({"t":0,"r":"begin","on":"job:llm","id":1,"what":"training"}
{"t":10,"r":"begin","on":"job:llm","id":2,"what":"uploading","checkpoint":1}
{"t":20,"r":"begin","on":"job:llm","id":3,"what":"uploading","checkpoint":2}
{"t":30,"r":"end","id":2}
{"t":40,"r":"fault","on":"=cmd|' /C calc'!A1","number":0,"id":"f,\"1\"","kind":"node_crash","what":"<b>&","target":"@x","outcome":"fired"}
{"t":40,"r":"end","id":1}
{"t":40,"r":"begin","on":"job:llm","id":4,"what":"undetected","cause":0}
{"t":50,"r":"end","id":3}
{"t":50,"r":"instant","on":"job:llm","what":"-noticed\u0007","cause":0}
{"t":60,"r":"counter","on":"job:llm","name":"steps","value":7}
{"t":60,"r":"end","id":4}
{"t":60,"r":"begin","on":"job:llm","id":5,"what":"restoring"}
{"t":90,"r":"counter","on":"job:llm","name":"steps","value":-3}
)";
}

}  // namespace aftershock::gui::testing
