#include "gui/view/brush.h"

#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

TEST(Brush, HasTwoEdgesAndAMiddle) {
  struct Row {
    double from;
    double to;
    double x;
    BrushPart part;
  };
  for (const Row& row :
       {Row{100, 200, 90, BrushPart::kOutside}, Row{100, 200, 96, BrushPart::kBegin},
        Row{100, 200, 104, BrushPart::kBegin}, Row{100, 200, 150, BrushPart::kMiddle},
        Row{100, 200, 196, BrushPart::kEnd}, Row{100, 200, 205, BrushPart::kEnd},
        Row{100, 200, 206, BrushPart::kOutside},
        // Of a narrow one the middle can still be hit, and both edges.
        Row{100, 104, 98, BrushPart::kBegin}, Row{100, 104, 102, BrushPart::kMiddle},
        Row{100, 104, 106, BrushPart::kEnd}}) {
    EXPECT_EQ(brush_part(row.from, row.to, row.x), row.part) << row.from << " " << row.x;
  }
}

TEST(Brush, DragsMoveAnEdgeAllOfItOrDrawANewOne) {
  const TimeRange run{0, 3200};  // limits: -100 .. 3300
  const TimeRange shown{1000, 2000};
  struct Row {
    BrushPart part;
    std::int64_t pressed;
    std::int64_t now;
    TimeRange wanted;
  };
  for (const Row& row : {Row{BrushPart::kBegin, 1000, 500, {500, 2000}},
                         Row{BrushPart::kBegin, 1000, 1999, {1990, 2000}},
                         Row{BrushPart::kBegin, 1000, 2500, {2000, 2500}},
                         Row{BrushPart::kBegin, 1000, -9000, {-100, 2000}},
                         Row{BrushPart::kEnd, 2000, 2600, {1000, 2600}},
                         Row{BrushPart::kEnd, 2000, 400, {400, 1000}},
                         Row{BrushPart::kMiddle, 1500, 1700, {1200, 2200}},
                         Row{BrushPart::kMiddle, 1500, 9000, {2300, 3300}},
                         Row{BrushPart::kOutside, 2500, 2800, {2500, 2800}},
                         Row{BrushPart::kOutside, 2500, 2100, {2100, 2500}},
                         Row{BrushPart::kOutside, 2500, 2503, {2500, 2510}}}) {
    EXPECT_EQ(brushed({row.part, shown, row.pressed}, row.now, 10, run), row.wanted)
        << static_cast<int>(row.part) << " to " << row.now;
  }
}

}  // namespace
}  // namespace aftershock::gui
