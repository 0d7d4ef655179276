#pragma once

#include <string>

#include "gui/trace/trace.h"

namespace aftershock::gui {

/// A recording in a file of its own, loaded; the file goes with it.
class SampleRun {
 public:
  /// Lines behind a header with the job "llm", of the policy "p" with the rule "p.retry", whose
  /// sentence has markup.
  explicit SampleRun(const std::string& lines);
  ~SampleRun();
  SampleRun(const SampleRun&) = delete;
  SampleRun& operator=(const SampleRun&) = delete;

  [[nodiscard]] const Trace& trace() const { return trace_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  Trace trace_;
};

/// Records a scenario and loads it.
void record_scenario(Trace& trace, const std::string& scenario, const std::string& path);

}  // namespace aftershock::gui
