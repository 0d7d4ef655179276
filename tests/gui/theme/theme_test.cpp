#include "gui/theme/theme.h"

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QProcess>
#include <QStyle>
#include <set>

#include <gtest/gtest.h>

#include "gui/theme/glyph.h"
#include "gui/theme/job_colours.h"
#include "gui/theme/look.h"
#include "tests/gui/theme/colour_vision.h"
#include "tests/unit/simulator_path.h"

namespace aftershock::gui {
namespace {

constexpr std::array kThemes{Theme::kDark, Theme::kLight};

TEST(Contrast, IsThatOfTheStandard) {
  EXPECT_DOUBLE_EQ(contrast(0xff000000, 0xffffffff), 21.0);
  EXPECT_DOUBLE_EQ(contrast(0xffffffff, 0xffffffff), 1.0);
  // #777777 on white is the well-known near miss of 4.5.
  EXPECT_NEAR(contrast(0xff777777, 0xffffffff), 4.48, 0.005);
}

TEST(Theme, TextCanBeReadEverywhere) {
  for (const Theme theme : kThemes) {
    const Inks& ink = inks(theme);
    for (const QRgb ground : {ink.window, ink.lane, ink.lane_alternate}) {
      for (const QRgb text :
           {ink.text, ink.text_dim, ink.accent, ink.warning, ink.run_a, ink.run_b}) {
        EXPECT_GE(contrast(text, ground), 4.5) << name_of(theme) << std::hex << text << ground;
      }
      for (const QRgb line : {ink.selection, ink.cursor}) {
        EXPECT_GE(contrast(line, ground), 3.0) << name_of(theme) << std::hex << line << ground;
      }
    }
  }
}

TEST(Theme, WidgetsCanBeRead) {
  using Pair = std::pair<QPalette::ColorRole, QPalette::ColorRole>;
  for (const Theme theme : kThemes) {
    const QPalette colours = palette(theme);
    for (const auto& [text, ground] :
         {Pair{QPalette::WindowText, QPalette::Window}, Pair{QPalette::Text, QPalette::Base},
          Pair{QPalette::Text, QPalette::AlternateBase},
          Pair{QPalette::ButtonText, QPalette::Button},
          Pair{QPalette::ToolTipText, QPalette::ToolTipBase},
          Pair{QPalette::HighlightedText, QPalette::Highlight},
          Pair{QPalette::PlaceholderText, QPalette::Base}, Pair{QPalette::Link, QPalette::Base}}) {
      EXPECT_GE(contrast(colours.color(text).rgb(), colours.color(ground).rgb()), 4.5)
          << name_of(theme) << text << ground;
    }
  }
}

TEST(Theme, IsAppliedToTheApplication) {
  apply_theme(Theme::kLight);
  EXPECT_EQ(QApplication::style()->objectName(), QStringLiteral("fusion"));
  EXPECT_EQ(QApplication::palette().color(QPalette::Base).rgb(), inks(Theme::kLight).lane);
  apply_theme(Theme::kDark);
  EXPECT_EQ(QApplication::palette().color(QPalette::Base).rgb(), inks(Theme::kDark).lane);
  EXPECT_EQ(theme_of("light"), Theme::kLight);
  EXPECT_EQ(theme_of("blue"), std::nullopt);
}

TEST(Look, SpansStandOutFromTheirLane) {
  for (const Theme theme : kThemes) {
    for (std::size_t i = 0; i < kKinds; ++i) {
      const auto kind = static_cast<Kind>(i);
      const QRgb fill = look_of(kind, theme).fill;
      for (const QRgb lane : {inks(theme).lane, inks(theme).lane_alternate}) {
        EXPECT_GE(contrast(fill, lane), 3.0) << name_of(theme) << " " << name_of(kind);
      }
      EXPECT_GE(contrast(text_on(fill), fill), 4.5) << name_of(theme) << " " << name_of(kind);
    }
  }
}

// One of each family: what must never be taken for something else.
TEST(Look, DifferentThingsLookDifferentToEverybody) {
  constexpr std::array kTold{Kind::kProductive,
                             Kind::kRolledBack,
                             Kind::kStraggling,
                             Kind::kUndetected,
                             Kind::kCheckpointBlocking,
                             Kind::kTearingDown,
                             Kind::kRestoring,
                             Kind::kWaitingForCapacity,
                             Kind::kControllerDown,
                             Kind::kDown,
                             Kind::kCut,
                             Kind::kIsolated,
                             Kind::kFault,
                             Kind::kDecision};
  for (const Theme theme : kThemes) {
    for (std::size_t i = 0; i < kTold.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        const Look a = look_of(kTold[i], theme);
        const Look b = look_of(kTold[k], theme);
        for (const ColourVision& vision : colour_visions()) {
          EXPECT_GE(distance(a.fill, b.fill, vision), a.hatch == b.hatch ? 20.0 : 8.0)
              << name_of(theme) << ", " << vision.name << ": " << name_of(kTold[i]) << " and "
              << name_of(kTold[k]);
        }
      }
    }
  }
}

// The phases of one restart follow each other within minutes: one hue, in steps.
TEST(Look, PhasesThatFollowEachOtherAreToldApartByEverybody) {
  constexpr std::array kStarting{Kind::kLaunching, Kind::kRendezvous, Kind::kRestoring,
                                 Kind::kWarmingUp};
  constexpr std::array kEnding{Kind::kDeciding, Kind::kDraining, Kind::kSelfHealing,
                               Kind::kTearingDown};
  for (const Theme theme : kThemes) {
    for (const auto& steps : {kStarting, kEnding}) {
      for (std::size_t i = 1; i < steps.size(); ++i) {
        const QRgb before = look_of(steps[i - 1], theme).fill;
        const QRgb fill = look_of(steps[i], theme).fill;
        for (const ColourVision& vision : colour_visions()) {
          EXPECT_GE(distance(before, fill, vision), 10.0)
              << name_of(theme) << ", " << vision.name << ": " << name_of(steps[i - 1]) << " and "
              << name_of(steps[i]);
        }
        // From dark to light, or from light to dark: the order is seen without colours, too.
        EXPECT_EQ(
            luminance(before) < luminance(fill),
            luminance(look_of(steps[0], theme).fill) < luminance(look_of(steps[1], theme).fill));
      }
    }
  }
}

TEST(JobLooks, AreToldApartByEverybodyAndSeenOnLanes) {
  constexpr std::size_t kJobs = 4 * kJobColours;
  for (const Theme theme : kThemes) {
    for (std::size_t i = 0; i < kJobs; ++i) {
      const Look look = job_look(i, theme);
      EXPECT_GE(contrast(look.fill, inks(theme).lane), 3.0) << name_of(theme) << " " << i;
      EXPECT_GE(contrast(look.fill, inks(theme).lane_alternate), 3.0) << name_of(theme) << " " << i;
      for (const ColourVision& vision : colour_visions()) {
        const QRgb work = look_of(Kind::kProductive, theme).fill;
        EXPECT_GE(distance(look.fill, work, vision), 14.0) << name_of(theme) << " " << i;
        for (std::size_t k = 0; k < i; ++k) {
          const Look other = job_look(k, theme);
          EXPECT_TRUE(other.hatch != look.hatch || distance(look.fill, other.fill, vision) >= 14.0)
              << name_of(theme) << ", " << vision.name << ": " << k << " and " << i;
        }
      }
    }
  }
}

TEST(Look, NoTwoKindsHaveTheSameColour) {
  for (const Theme theme : kThemes) {
    std::set<std::uint32_t> colours;
    const auto table = colour_table(theme);
    for (std::size_t i = 0; i < table.size(); ++i) {
      EXPECT_EQ(table.at(i) >> 24U, i < kKinds ? 0xffU : 0U) << i;
      EXPECT_TRUE(i >= kKinds || colours.insert(table.at(i)).second) << i;
    }
  }
}

TEST(Look, TheTwoRunsOfAComparisonDifferForEverybody) {
  for (const Theme theme : kThemes) {
    for (const ColourVision& vision : colour_visions()) {
      EXPECT_GE(distance(inks(theme).run_a, inks(theme).run_b, vision), 20.0) << vision.name;
    }
  }
}

QImage painted(Hatch hatch, QRgb fill, double scale) {
  QImage image(QSize(32, 32) * scale, QImage::Format_RGB32);
  image.setDevicePixelRatio(scale);
  image.fill(fill);
  QPainter painter(&image);
  painter.fillRect(QRectF(0, 0, 32, 32), hatch_brush(hatch, fill, scale));
  return image;
}

TEST(Hatch, IsSeenOnEveryFillAndLeavesMostOfIt) {
  for (const Theme theme : kThemes) {
    for (std::size_t i = 0; i < kKinds; ++i) {
      const Look look = look_of(static_cast<Kind>(i), theme);
      if (look.hatch == Hatch::kPlain) {
        continue;
      }
      for (const double scale : {1.0, 2.0}) {
        const QImage image = painted(look.hatch, look.fill, scale);
        int inked = 0;
        for (int y = 0; y < image.height(); ++y) {
          for (int x = 0; x < image.width(); ++x) {
            const QRgb pixel = image.pixel(x, y);
            inked += pixel != look.fill ? 1 : 0;
            EXPECT_TRUE(pixel == look.fill || contrast(pixel, look.fill) > 1.35) << i;
            EXPECT_GT(contrast(pixel, text_on(look.fill)), 2.5) << i;
          }
        }
        const int all = image.width() * image.height();
        EXPECT_GT(inked, all / 10) << i;
        EXPECT_LE(inked, all / 2) << i;
      }
    }
  }
}

TEST(Hatch, NoTwoAreTheSamePattern) {
  std::set<QByteArray> patterns;
  for (int i = 1; i < static_cast<int>(Hatch::kCount); ++i) {
    const QImage image = painted(static_cast<Hatch>(i), 0xff808080, 1.0);
    EXPECT_TRUE(patterns
                    .insert(QByteArray(reinterpret_cast<const char*>(image.constBits()),
                                       image.sizeInBytes()))
                    .second)
        << i;
  }
}

QImage painted(Glyph glyph, int side) {
  QImage image(side, side, QImage::Format_Grayscale8);
  image.fill(Qt::white);
  QPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillPath(glyph_path(glyph, QRectF(0, 0, side, side)), Qt::black);
  return image;
}

// At the size of a lane, 14 pixels, as at 48: shapes that are told apart by how much ink differs.
TEST(Glyph, AllAreTellingAtEverySize) {
  for (const int side : {14, 48}) {
    for (int a = 0; a < static_cast<int>(Glyph::kCount); ++a) {
      const QImage first = painted(static_cast<Glyph>(a), side);
      for (int b = 0; b < a; ++b) {
        const QImage second = painted(static_cast<Glyph>(b), side);
        std::int64_t differs = 0;
        for (int y = 0; y < side; ++y) {
          for (int x = 0; x < side; ++x) {
            differs += std::abs(qGray(first.pixel(x, y)) - qGray(second.pixel(x, y)));
          }
        }
        EXPECT_GT(differs, 255 * side * side / 8)
            << name_of(static_cast<Glyph>(a)) << " and " << name_of(static_cast<Glyph>(b));
      }
    }
  }
}

TEST(Glyph, StaysInItsBox) {
  for (int i = 0; i < static_cast<int>(Glyph::kCount); ++i) {
    const QRectF box(10, 20, 16, 12);
    const QPainterPath path = glyph_path(static_cast<Glyph>(i), box);
    EXPECT_FALSE(path.isEmpty()) << i;
    EXPECT_TRUE(box.adjusted(-0.01, -0.01, 0.01, 0.01).contains(path.boundingRect())) << i;
  }
}

TEST(Glyph, EveryFaultOfTheCatalogueHasOne) {
  QProcess listing;
  listing.start(QString::fromUtf8(aftershock::testing::kSimulatorPath),
                {QStringLiteral("faults"), QStringLiteral("list")});
  ASSERT_TRUE(listing.waitForFinished());
  int kinds = 0;
  for (const QByteArray& line : listing.readAllStandardOutput().split('\n')) {
    if (!line.isEmpty() && !line.startsWith(' ')) {
      EXPECT_NE(glyph_of_fault(line.toStdString()), Glyph::kOther) << line.toStdString();
      ++kinds;
    }
  }
  EXPECT_GT(kinds, 10);
  EXPECT_EQ(glyph_of_fault("a_word_of_tomorrow"), Glyph::kOther);
}

}  // namespace
}  // namespace aftershock::gui
