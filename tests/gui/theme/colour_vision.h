#pragma once

#include <QRgb>
#include <array>

namespace aftershock::gui {

/// How somebody sees colours: linear RGB is multiplied by this.
struct ColourVision {
  const char* name;
  std::array<std::array<double, 3>, 3> matrix;
};

/// All cones, and the three of which one kind is missing: Machado, Oliveira, Fernandes 2009, "A
/// physiologically-based model for simulation of color vision deficiency", severity 1.0.
const std::array<ColourVision, 4>& colour_visions();

/// How different two colours look: the distance in CIELAB (CIE 1976) under D65; from about 2.3 a
/// person sees that there are two.
double distance(QRgb a, QRgb b, const ColourVision& vision);

}  // namespace aftershock::gui
