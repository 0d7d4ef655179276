#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gui/theme/theme.h"
#include "gui/view/time_range.h"

namespace aftershock::gui {

/// The request of the command line.
struct Arguments {
  std::vector<std::string> files;  ///< at most two
  /// For `aftershock run`, or `aftershock live` with a --backend, where a file is a scenario.
  std::vector<std::string> run_options;
  std::string record;  ///< where the recording of a scenario is kept
  std::optional<Theme> theme;
  std::optional<int> scale_percent;
  std::string screenshot;               ///< where a picture goes instead of a window; empty: none
  std::optional<std::int64_t> at_us;    ///< time of the run to go to
  std::string lane;                     ///< lane to go to, as a recording names it
  std::optional<std::int64_t> from_us;  ///< the view begins there; else at the run's start
  std::optional<std::int64_t> to_us;    ///< and ends there; else at the run's end
  std::optional<TimeRange> range;       ///< time of the run that is selected
  bool verdict = false;                 ///< the exit code is that of the run of the scenario
  int width = 1600;                     ///< of a picture
  int height = 900;
};

/// Whether it asks for a place in the recording to be shown.
inline bool has_place(const Arguments& arguments) {
  return arguments.at_us || arguments.from_us || arguments.to_us || arguments.range ||
         !arguments.lane.empty();
}

/// The exit code for arguments, or files, that cannot be used.
inline constexpr int kUnusable = 2;

/// A command line that ends the program at once: --help, --version, or a mistake.
struct EarlyExit {
  int code = 0;      ///< 0, or kUnusable
  std::string text;  ///< for standard output if the code is 0, else for standard error
};

/// The result of a command line: one of the two.
struct ParsedArguments {
  Arguments arguments = {};
  std::optional<EarlyExit> exit = {};
};

/// The smallest and the largest --scale.
inline constexpr int kScaleMin = 50;
inline constexpr int kScaleMax = 300;

/// Reads a command line, without looking at files.
ParsedArguments parse_arguments(int count, const char* const* arguments);

}  // namespace aftershock::gui
