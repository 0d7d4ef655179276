#include "tests/gui/theme/colour_vision.h"

#include <algorithm>
#include <cmath>

namespace aftershock::gui {

namespace {

using Triple = std::array<double, 3>;

double linear(int channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

Triple seen(QRgb colour, const ColourVision& vision) {
  const Triple rgb{linear(qRed(colour)), linear(qGreen(colour)), linear(qBlue(colour))};
  Triple out{};
  for (std::size_t i = 0; i < 3; ++i) {
    const Triple& row = vision.matrix.at(i);
    out.at(i) = std::clamp(row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2], 0.0, 1.0);
  }
  return out;
}

double curve(double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; }

Triple lab(const Triple& rgb) {
  const double x = (0.4124564 * rgb[0] + 0.3575761 * rgb[1] + 0.1804375 * rgb[2]) / 0.95047;
  const double y = 0.2126729 * rgb[0] + 0.7151522 * rgb[1] + 0.0721750 * rgb[2];
  const double z = (0.0193339 * rgb[0] + 0.1191920 * rgb[1] + 0.9503041 * rgb[2]) / 1.08883;
  return {116 * curve(y) - 16, 500 * (curve(x) - curve(y)), 200 * (curve(y) - curve(z))};
}

}  // namespace

const std::array<ColourVision, 4>& colour_visions() {
  static const std::array<ColourVision, 4> kVisions{{
      {"all cones", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
      {"protanopia",
       {{{0.152286, 1.052583, -0.204868},
         {0.114503, 0.786281, 0.099216},
         {-0.003882, -0.048116, 1.051998}}}},
      {"deuteranopia",
       {{{0.367322, 0.860646, -0.227968},
         {0.280085, 0.672501, 0.047413},
         {-0.011820, 0.042940, 0.968881}}}},
      {"tritanopia",
       {{{1.255528, -0.076749, -0.178779},
         {-0.078411, 0.930809, 0.147602},
         {0.004733, 0.691367, 0.303900}}}},
  }};
  return kVisions;
}

double distance(QRgb a, QRgb b, const ColourVision& vision) {
  const Triple p = lab(seen(a, vision));
  const Triple q = lab(seen(b, vision));
  return std::sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) +
                   (p[2] - q[2]) * (p[2] - q[2]));
}

}  // namespace aftershock::gui
