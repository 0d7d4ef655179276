#include "gui/theme/job_colours.h"

#include <array>

namespace aftershock::gui {

namespace {

// Found by search: colours as far apart as can be for the four kinds of sight, none near that
// of a fault, of what stands still, or of work.
constexpr std::array<QRgb, kJobColours> kDark{0xffdd7700, 0xffccffff, 0xffaa11ee, 0xffffee11,
                                              0xffff88ff, 0xff776699, 0xff44ff88};
constexpr std::array<QRgb, kJobColours> kLight{0xff1100ff, 0xffdd44ff, 0xffff3311, 0xff551100,
                                               0xffaa77bb, 0xff550077, 0xff001122};

constexpr std::array kHatches{Hatch::kPlain, Hatch::kWaiting, Hatch::kDown, Hatch::kDegraded};

}  // namespace

Look job_look(std::size_t job, Theme theme) {
  return {(theme == Theme::kDark ? kDark : kLight).at(job % kJobColours),
          kHatches.at(job / kJobColours % kHatches.size())};
}

}  // namespace aftershock::gui
