#pragma once

#include <QString>
#include <optional>
#include <string>

namespace aftershock::gui {

/// The title of a run, from its recording's header. All on one line, without control characters.
struct RunTitle {
  QString name;  ///< of the scenario; of the file where it has none
  QString policy = {};
  QString commit = {};    ///< of the program that wrote it
  QString scenario = {};  ///< resolved, as JSON
  quint64 seed = 0;
  bool live = false;  ///< of real processes
};

/// None where the file has no whole header.
std::optional<RunTitle> read_run_title(const std::string& path);

/// "quickstart, seed 1, ray_train@2026-05 (08c42a21acd4)", and of a live run
/// "worker_killed, seed 1, torchrun@2.15, live (08c42a21acd4)"
QString one_line(const RunTitle& title);

/// The same, and behind it what its scenario has where that of `other` has something else, as far
/// as there is room: "..., max_failures 3".
QString one_line_beside(const RunTitle& title, const RunTitle& other);

}  // namespace aftershock::gui
