#include "gui/theme/theme.h"

#include <QApplication>
#include <QColor>
#include <QStyle>
#include <QStyleFactory>

namespace aftershock::gui {

namespace {

constexpr Inks kDarkInks{
    .window = 0xff23272d,
    .lane = 0xff1a1d21,
    .lane_alternate = 0xff1e2126,
    .grid = 0xff343a42,
    .text = 0xffe8eaed,
    .text_dim = 0xffa9b1bb,
    .accent = 0xff6fb8ff,
    .selection = 0xffffffff,
    .cursor = 0xfff0e442,
    .warning = 0xffffa187,
    .run_a = 0xff6fb8ff,
    .run_b = 0xfff0c36a,
};

constexpr Inks kLightInks{
    .window = 0xfff3f4f6,
    .lane = 0xffffffff,
    .lane_alternate = 0xfff8f9fa,
    .grid = 0xffdde1e6,
    .text = 0xff1b1e22,
    .text_dim = 0xff525a64,
    .accent = 0xff0059b3,
    .selection = 0xff000000,
    .cursor = 0xff7a3e9d,
    .warning = 0xffa52000,
    .run_a = 0xff0059b3,
    .run_b = 0xff8a5200,
};

QColor mixed(QRgb a, QRgb b, int percent_of_b) {
  const auto mix = [&](int from, int to) { return from + (to - from) * percent_of_b / 100; };
  return {mix(qRed(a), qRed(b)), mix(qGreen(a), qGreen(b)), mix(qBlue(a), qBlue(b))};
}

}  // namespace

std::string_view name_of(Theme theme) { return theme == Theme::kDark ? "dark" : "light"; }

std::optional<Theme> theme_of(std::string_view name) {
  for (const Theme theme : {Theme::kDark, Theme::kLight}) {
    if (name == name_of(theme)) {
      return theme;
    }
  }
  return std::nullopt;
}

const Inks& inks(Theme theme) { return theme == Theme::kDark ? kDarkInks : kLightInks; }

QPalette palette(Theme theme) {
  const Inks& ink = inks(theme);
  const QColor window = ink.window;
  const QColor text = ink.text;
  const QColor button = mixed(ink.window, ink.text, 6);
  QPalette out(button, window);
  const auto set = [&](QPalette::ColorRole role, const QColor& colour) {
    out.setColor(QPalette::All, role, colour);
  };
  set(QPalette::WindowText, text);
  set(QPalette::Base, QColor(ink.lane));
  set(QPalette::AlternateBase, mixed(ink.lane, ink.text, 4));
  set(QPalette::Text, text);
  set(QPalette::ButtonText, text);
  set(QPalette::BrightText, QColor(ink.warning));
  set(QPalette::PlaceholderText, QColor(ink.text_dim));
  set(QPalette::ToolTipBase, button);
  set(QPalette::ToolTipText, text);
  set(QPalette::Link, QColor(ink.accent));
  set(QPalette::LinkVisited, QColor(ink.accent));
  // White on it has a contrast of 4.5 in both.
  set(QPalette::Highlight, QColor(0x1f, 0x69, 0xb8));
  set(QPalette::HighlightedText, Qt::white);
  set(QPalette::Light, mixed(ink.window, 0xffffffff, theme == Theme::kDark ? 18 : 80));
  set(QPalette::Midlight, mixed(ink.window, 0xffffffff, theme == Theme::kDark ? 10 : 50));
  set(QPalette::Mid, mixed(ink.window, 0xff000000, 25));
  set(QPalette::Dark, mixed(ink.window, 0xff000000, 40));
  set(QPalette::Shadow, Qt::black);
  const QColor faint = mixed(ink.window, ink.text, 50);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    out.setColor(QPalette::Disabled, role, faint);
  }
  out.setColor(QPalette::Disabled, QPalette::Highlight, mixed(ink.window, ink.text, 20));
  return out;
}

void apply_theme(Theme theme) {
  if (QApplication::style()->objectName() != QStringLiteral("fusion")) {
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  }
  QApplication::setPalette(palette(theme));
}

}  // namespace aftershock::gui
