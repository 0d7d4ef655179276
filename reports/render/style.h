#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace aftershock::reports {

/// The meaning of a colour; Style knows the codes.
enum class Colour : std::uint8_t { kPlain, kGood, kBad, kWarning, kHeading, kFaint };

/// The abilities of the place that a text is written to.
struct Style {
  bool color = false;
  bool unicode = false;
  std::size_t width = 100;
  bool terminal = false;  ///< people read it there, and not the program behind a pipe
  std::string accelerator = "accelerator";  ///< the unit word of device time: GPU, NPU

  /// The text in a colour, where there are colours.
  [[nodiscard]] std::string paint(std::string_view text, Colour colour) const;
};

}  // namespace aftershock::reports
