#include "gui/theme/look.h"

#include <QImage>
#include <algorithm>
#include <cmath>

namespace aftershock::gui {

namespace {

struct Row {
  Kind kind;
  QRgb dark;
  QRgb light;
  Hatch hatch;
};

// Families: green works, blue starts again and violet takes down, each in steps of lightness that
// are told apart, grey waits, pale blue (light: blue-green) saves, brown is out of service, orange
// stands still and nobody knows, red is broken.
constexpr std::array<Row, kKinds> kRows{{
    {Kind::kProductive, 0xff028158, 0xff067059, Hatch::kPlain},
    {Kind::kRolledBack, 0xffd080b0, 0xffa85088, Hatch::kLost},
    {Kind::kStraggling, 0xfff0e442, 0xff99911b, Hatch::kDegraded},
    {Kind::kCheckpointBlocking, 0xffaadbfc, 0xff099db5, Hatch::kPlain},
    {Kind::kUndetected, 0xffe49c00, 0xffcc7000, Hatch::kPlain},
    {Kind::kDeciding, 0xffd8aef9, 0xff47308b, Hatch::kPlain},
    {Kind::kDraining, 0xffae9cce, 0xff6349a8, Hatch::kPlain},
    {Kind::kSelfHealing, 0xff947dba, 0xff8063c5, Hatch::kPlain},
    {Kind::kTearingDown, 0xff7960a7, 0xff9e7ee4, Hatch::kPlain},
    {Kind::kBackingOff, 0xff747882, 0xff70767e, Hatch::kWaiting},
    {Kind::kWaitingForCapacity, 0xff848892, 0xff81888f, Hatch::kWaiting},
    {Kind::kProvisioning, 0xff989ca6, 0xff666c74, Hatch::kWaiting},
    {Kind::kLaunching, 0xff2073be, 0xff006fa7, Hatch::kPlain},
    {Kind::kRendezvous, 0xff498edb, 0xff085b79, Hatch::kPlain},
    {Kind::kRestoring, 0xff69abf5, 0xff0b395d, Hatch::kPlain},
    {Kind::kWarmingUp, 0xffa0b0e9, 0xff072534, Hatch::kPlain},
    {Kind::kFinalizing, 0xff7696b7, 0xff368ebc, Hatch::kPlain},
    {Kind::kControllerDown, 0xffbf4343, 0xff8f1d1d, Hatch::kDown},
    {Kind::kPaused, 0xff7c818b, 0xff747b83, Hatch::kPlain},
    {Kind::kAttempt, 0xff6b7480, 0xff868e98, Hatch::kPlain},
    {Kind::kUploading, 0xff66caff, 0xff008a9f, Hatch::kPlain},
    {Kind::kCommitting, 0xffdbeffe, 0xff137685, Hatch::kPlain},
    {Kind::kDown, 0xffc9ced6, 0xff3a3f46, Hatch::kDown},
    {Kind::kCut, 0xfffeb219, 0xffaa6100, Hatch::kCut},
    {Kind::kIsolated, 0xffb48f51, 0xff987345, Hatch::kPlain},
    {Kind::kRepairing, 0xffc4a56e, 0xff86633a, Hatch::kPlain},
    {Kind::kSlow, 0xffe2d63c, 0xff8d8518, Hatch::kDegraded},
    {Kind::kFault, 0xffde3a11, 0xffb80c00, Hatch::kPlain},
    {Kind::kDecision, 0xffffffff, 0xff000000, Hatch::kPlain},
    {Kind::kMark, 0xffaab0b8, 0xff5d646c, Hatch::kPlain},
    {Kind::kOther, 0xff9298a0, 0xff757c84, Hatch::kPlain},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].kind != static_cast<Kind>(i)) {
      return false;
    }
  }
  return true;
}
static_assert(in_order());

constexpr int kTile = 8;

double linear(int channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

/// Its opacity: seen on the fill, and text is still read on it, which is of the same colour.
constexpr int kHatchInk = 76;

/// Whether the pattern has ink at this place of its tile, in logical pixels.
bool is_inked(Hatch hatch, int x, int y) {
  switch (hatch) {
    case Hatch::kLost:
      return (x + y) % kTile < 3;
    case Hatch::kCut:
      return (x + y) % kTile < 1 || (x - y + kTile) % kTile < 1;
    case Hatch::kDegraded:
      return x % 4 < 2 && (y + x / 4 * 4) % kTile < 2;
    case Hatch::kWaiting:
      return y % 4 == 1;
    case Hatch::kDown:
      return (x - y + kTile) % 4 < 2;
    case Hatch::kPlain:
    case Hatch::kCount:
      break;
  }
  return false;
}

}  // namespace

Look look_of(Kind kind, Theme theme) {
  const Row& row = kRows.at(static_cast<std::size_t>(kind));
  return {theme == Theme::kDark ? row.dark : row.light, row.hatch};
}

std::array<std::uint32_t, 32> colour_table(Theme theme) {
  std::array<std::uint32_t, 32> table{};
  for (std::size_t i = 0; i < kKinds; ++i) {
    table.at(i) = look_of(static_cast<Kind>(i), theme).fill;
  }
  return table;
}

double luminance(QRgb colour) {
  return 0.2126 * linear(qRed(colour)) + 0.7152 * linear(qGreen(colour)) +
         0.0722 * linear(qBlue(colour));
}

double contrast(QRgb a, QRgb b) {
  const auto [low, high] = std::minmax({luminance(a), luminance(b)});
  return (high + 0.05) / (low + 0.05);
}

QRgb text_on(QRgb fill) {
  constexpr QRgb kBlack = 0xff000000;
  constexpr QRgb kWhite = 0xffffffff;
  return contrast(kBlack, fill) >= contrast(kWhite, fill) ? kBlack : kWhite;
}

QBrush vector_hatch_brush(Hatch hatch, QRgb fill) {
  constexpr std::array kStyles{Qt::NoBrush,       Qt::BDiagPattern, Qt::DiagCrossPattern,
                               Qt::Dense6Pattern, Qt::HorPattern,   Qt::FDiagPattern};
  static_assert(kStyles.size() == static_cast<std::size_t>(Hatch::kCount));
  QColor ink(text_on(fill));
  ink.setAlpha(kHatchInk);
  return {ink, kStyles.at(static_cast<std::size_t>(hatch))};
}

QBrush hatch_brush(Hatch hatch, QRgb fill, double scale) {
  if (hatch == Hatch::kPlain) {
    return {};
  }
  const int side = std::max(1, static_cast<int>(std::lround(kTile * scale)));
  const bool dark_ink = text_on(fill) == 0xff000000;
  const QRgb ink = dark_ink ? qRgba(0, 0, 0, kHatchInk) : qRgba(255, 255, 255, kHatchInk);
  QImage tile(side, side, QImage::Format_ARGB32);
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const bool inked = is_inked(hatch, x * kTile / side, y * kTile / side);
      tile.setPixel(x, y, inked ? ink : 0U);
    }
  }
  tile.setDevicePixelRatio(side / static_cast<double>(kTile));
  return QBrush(tile);
}

}  // namespace aftershock::gui
