#include <QImage>
#include <string>

#include <gtest/gtest.h>

#include "gui/theme/look.h"
#include "gui/timeline/cut_bands.h"
#include "tests/gui/timeline/sample_cuts.h"
#include "tests/gui/timeline/sample_run.h"
#include "tests/unit/times.h"

namespace aftershock::gui {
namespace {

/// A picture of the run with all lanes open.
struct DrawnCuts {
  testing::SampleFile file{testing::sample_cuts()};
  RunSession session{file.path, false};
  ViewState state;
  LaneRows rows;
  Layout layout;
  std::vector<ShownRow> shown;
  QImage picture;
  Theme theme;
  double scale;
  TimeAxis axis;

  explicit DrawnCuts(TimeRange range = {0, 64 * kSecond}, Theme theme_ = Theme::kDark,
                     double scale_ = 1)
      : theme(theme_), scale(scale_) {
    testing::read_all(session);
    set_all_open(state.lanes, true);
    rows = make_rows(scene().directory(), scene().tree(), state.lanes);
    layout = make_layout(840, 400, 16, 20, 0);
    state.shown = range;
    const int width = static_cast<int>(layout.time_width() * scale);
    axis = {range.begin_us, range.end_us, width};
    picture = QImage(QSize(840, 400) * scale, QImage::Format_RGB32);
    picture.setDevicePixelRatio(scale);
    const Frame now = frame();
    shown = shown_rows(now);
    Canvas canvas(picture);
    draw_frame(now, canvas);
  }
  Scene& scene() { return *session.scene(); }
  Frame frame() {
    Frame frame{scene(), rows, state};
    frame.layout = layout;
    frame.axis = axis;
    frame.run = {0, 64 * kSecond};
    frame.scale = scale;
    frame.theme = theme;
    return frame;
  }
  int row_of(const std::string& lane) {
    const auto key = key_of(scene().directory(), lane);
    for (std::size_t i = 0; i < shown.size(); ++i) {
      if (key && scene().tree().nodes[shown[i].node].key == *key) {
        return static_cast<int>(i);
      }
    }
    ADD_FAILURE() << lane << " is not shown";
    return 0;
  }
  int top_of(const std::string& lane) { return shown[static_cast<std::size_t>(row_of(lane))].top; }
  /// In logical pixels.
  QRgb at(double x, double y) const {
    return picture.pixel(static_cast<int>(x * scale), static_cast<int>(y * scale));
  }
  double x_of(std::int64_t t_us) { return aftershock::gui::x_of(frame(), t_us); }
  QRgb cut() const { return look_of(Kind::kCut, theme).fill; }
  /// How many device pixels from `x` on, in a row of the picture, have the colour of a cut.
  int cut_pixels_in(double from, double to, double y) const {
    int count = 0;
    for (int x = static_cast<int>(from * scale); x < static_cast<int>(to * scale); ++x) {
      count += picture.pixel(x, static_cast<int>(y * scale)) == cut() ? 1 : 0;
    }
    return count;
  }
};

class Cuts : public ::testing::TestWithParam<std::pair<Theme, double>> {};

INSTANTIATE_TEST_SUITE_P(Looks, Cuts,
                         ::testing::Values(std::pair(Theme::kDark, 1.0),
                                           std::pair(Theme::kLight, 1.0),
                                           std::pair(Theme::kDark, 2.0)));

TEST_P(Cuts, CoverTheLanesOfWhatIsCutOffWhileItIs) {
  DrawnCuts drawn({0, 64 * kSecond}, GetParam().first, GetParam().second);
  const QRgb lane = inks(drawn.theme).lane;
  const QRgb alternate = inks(drawn.theme).lane_alternate;
  const int y = drawn.top_of("node:gpu-0") + drawn.layout.row_px / 2;
  for (int x = drawn.layout.label_px + 1; x < drawn.layout.width; ++x) {
    const double from = drawn.x_of(16 * kSecond);
    const double to = drawn.x_of(32 * kSecond);
    const bool inside = x >= from + 1 && x + 1 < to - 1;
    const bool outside = x + 1 < from || x > to + 1;
    const QRgb pixel = drawn.at(x, y);
    if (inside) {
      EXPECT_TRUE(pixel != lane && pixel != alternate) << "not covered at " << x;
    } else if (outside) {
      EXPECT_NE(pixel, drawn.cut()) << "covered at " << x;
    }
  }
  // Its beginning and end are lines from the rack's lane to its last node's.
  for (const char* name : {"rack:gpu/0", "node:gpu-0", "node:gpu-1"}) {
    const double middle = drawn.top_of(name) + drawn.layout.row_px / 2.0;
    EXPECT_EQ(drawn.at(drawn.x_of(16 * kSecond), middle), drawn.cut()) << name;
    EXPECT_EQ(drawn.at(drawn.x_of(32 * kSecond) - 1, middle), drawn.cut()) << name;
  }
}

TEST_P(Cuts, HaveABoldLineWhereTheCutRuns) {
  DrawnCuts drawn({0, 64 * kSecond}, GetParam().first, GetParam().second);
  const double from = drawn.x_of(16 * kSecond);
  const double to = drawn.x_of(24 * kSecond) - 2;  // the node's own comes after
  const auto lined = [&](double y) {
    return drawn.cut_pixels_in(from, to, y) > (to - from) * drawn.scale / 2;
  };
  EXPECT_TRUE(lined(drawn.top_of("rack:gpu/0") + 1));
  EXPECT_TRUE(lined(drawn.top_of("node:gpu-1") + drawn.layout.row_px - 1));
  // Not between lanes that still talk to each other, nor around others.
  EXPECT_FALSE(lined(drawn.top_of("node:gpu-1")));
  EXPECT_FALSE(lined(drawn.top_of("node:gpu-1") - 1));
  EXPECT_FALSE(lined(drawn.top_of("rack:gpu/1") + drawn.layout.row_px - 1));
  // A node that is cut off from its rack, too, has a line between itself and that.
  EXPECT_GT(drawn.cut_pixels_in(drawn.x_of(25 * kSecond), drawn.x_of(31 * kSecond),
                                drawn.top_of("node:gpu-1") + 1),
            20);
}

TEST_P(Cuts, OfAMicrosecondAreSeenFromAfar) {
  DrawnCuts drawn({0, 64 * kSecond}, GetParam().first, GetParam().second);
  const double x = drawn.x_of(48 * kSecond);
  for (const char* name : {"rack:gpu/1", "node:gpu-3"}) {
    const double middle = drawn.top_of(name) + drawn.layout.row_px / 2.0;
    EXPECT_GE(drawn.cut_pixels_in(x - 1, x + 4, middle), 2) << name;
  }
  EXPECT_EQ(
      drawn.cut_pixels_in(x - 1, x + 4, drawn.top_of("node:gpu-1") + drawn.layout.row_px / 2.0), 0);
}

TEST(CutBands, AreOfTheRowsThatAreCutOffTogether) {
  DrawnCuts drawn;
  const std::vector<CutBand> bands = cut_bands(drawn.frame(), drawn.shown);
  std::vector<std::string> listed;
  for (const CutBand& band : bands) {
    listed.push_back(text_of(drawn.scene().directory(), band.cut) + " " +
                     std::to_string(band.last - band.first + 1) + " rows" +
                     (band.more_above || band.more_below ? " and more" : ""));
  }
  EXPECT_EQ(listed, (std::vector<std::string>{"rack:gpu/0 3 rows", "rack:gpu/1 3 rows",
                                              "node:gpu-1 1 rows"}));
  // Where the list is scrolled into a rack, its line is not at the edge of the screen.
  Frame frame = drawn.frame();
  frame.first_row = static_cast<std::uint32_t>(drawn.row_of("node:gpu-0"));
  const auto scrolled = cut_bands(frame, shown_rows(frame));
  EXPECT_TRUE(scrolled.front().more_above);
  EXPECT_FALSE(scrolled.front().more_below);
  frame.layout.height = frame.layout.rows_top() + frame.layout.row_px + frame.layout.legend_px;
  EXPECT_TRUE(cut_bands(frame, shown_rows(frame)).front().more_below);
}

TEST(CutBands, PixelsAreThoseOfTheRanges) {
  const TimeAxis axis{0, 1000, 100};
  const std::vector<CutRange> ranges{{-50, 15},  {105, 105}, {200, 201},  {209, 215},
                                     {300, 400}, {415, 420}, {990, kOpen}};
  EXPECT_EQ(cut_pixels(ranges, axis), (std::vector<PixelRun>{{0, 2, Kind::kCut},
                                                             {10, 11, Kind::kCut},
                                                             {20, 22, Kind::kCut},
                                                             {30, 40, Kind::kCut},
                                                             {41, 42, Kind::kCut},
                                                             {99, 100, Kind::kCut}}));
  EXPECT_TRUE(cut_pixels({}, axis).empty());
  // A million of them are as quick.
  std::vector<CutRange> many;
  for (std::int64_t i = 0; i < 1'000'000; ++i) {
    many.push_back({4 * i, 4 * i + 1});
  }
  EXPECT_EQ(cut_pixels(many, {0, 4'000'000, 100}), (std::vector<PixelRun>{{0, 100, Kind::kCut}}));
}

}  // namespace
}  // namespace aftershock::gui
