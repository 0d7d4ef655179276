#pragma once

#include <cstdint>
#include <string>

namespace aftershock::gui {

/// The use of a file for the viewer.
enum class FileUse : std::uint8_t { kRecording, kScenario, kNeither };

/// The kind of a file, by its content and not by its name.
struct Recognised {
  FileUse use = FileUse::kNeither;
  std::string problem;  ///< with the path: what it is instead, for kNeither
};

/// Looks at the beginning of a file. A scenario need not be without mistakes: whoever runs it says
/// where they are.
Recognised recognise_file(const std::string& path);

}  // namespace aftershock::gui
