#pragma once

#include <QTemporaryDir>
#include <string>

#include "gui/trace/trace.h"

namespace aftershock::gui {

/// A recording in a file of its own, loaded; the file goes with it.
class PanelRun {
 public:
  /// Lines behind a header with the job "llm", of the policy "p" with the rule "p.retry".
  explicit PanelRun(const std::string& lines);

  [[nodiscard]] const Trace* trace() const { return &trace_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  QTemporaryDir dir_;
  std::string path_;
  Trace trace_;
};

/// A fault, the decision that answers it with a charge, spans before and after, and the ledger of a
/// job that failed; names and texts of the fault are full of markup.
std::string panel_lines();

}  // namespace aftershock::gui
