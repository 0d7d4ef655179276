#include <QImage>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "gui/timeline/frame.h"
#include "tests/gui/timeline/sample_run.h"
#include "tests/unit/times.h"

namespace aftershock::gui {
namespace {

/// One of each: work, a save, a crash of which nobody knows yet, work rolled back, a restore, a
/// node that is down, a partition, a counter, decisions, and two faults in one pixel.
std::string lines() {
  const std::string crash = R"("kind":"node_crash","what":"power","outcome":"fired"})";
  return testing::header_of(4) +
         R"({"t":0,"r":"begin","on":"job:llm","id":1,"what":"attempt","epoch":1}
{"t":0,"r":"begin","on":"job:llm","id":2,"what":"launching","epoch":1}
{"t":4000000,"r":"end","id":2}
{"t":4000000,"r":"begin","on":"job:llm","id":3,"what":"training","epoch":1}
{"t":12000000,"r":"counter","on":"job:llm","name":"steps","value":8}
{"t":16000000,"r":"end","id":3}
{"t":16000000,"r":"begin","on":"job:llm","id":4,"what":"checkpoint_blocking","epoch":1}
{"t":18000000,"r":"end","id":4}
{"t":18000000,"r":"begin","on":"job:llm","id":5,"what":"training","epoch":1}
{"t":26000000,"r":"counter","on":"job:llm","name":"steps","value":20}
{"t":30000000,"r":"fault","on":"node:gpu-1","number":0,"id":"a","target":"node:gpu-1",)" +
         crash + R"(
{"t":30000000,"r":"begin","on":"node:gpu-1","id":6,"what":"down"}
{"t":30000001,"r":"fault","on":"node:gpu-2","number":1,"id":"b","target":"node:gpu-2",)" +
         crash + R"(
{"t":30000001,"r":"end","id":5}
{"t":30000001,"r":"begin","on":"job:llm","id":7,"what":"undetected","epoch":1,"cause":0}
{"t":36000000,"r":"end","id":7}
{"t":36000000,"r":"decision","on":"job:llm","batch":1,"fault":"a","saw":[],"steps":[]}
{"t":36000000,"r":"end","id":1}
{"t":36000000,"r":"instant","on":"job:llm","what":"rolled_back","from_us":30000001,"to_us":18000000,"lost_us":12000001}
{"t":36000000,"r":"begin","on":"job:llm","id":8,"what":"attempt","epoch":2}
{"t":36000000,"r":"begin","on":"job:llm","id":9,"what":"restoring","epoch":2}
{"t":40000000,"r":"counter","on":"job:llm","name":"steps","value":12}
{"t":42000000,"r":"end","id":9}
{"t":42000000,"r":"begin","on":"job:llm","id":10,"what":"training","epoch":2}
{"t":50000000,"r":"end","id":6}
{"t":52000000,"r":"fault","on":"run","number":2,"id":"c","target":"node:gpu-3","kind":"partition","what":"partition","outcome":"fired"}
{"t":58000000,"r":"instant","on":"run","what":"partition_healed","fault":2}
{"t":64000000,"r":"end","id":10}
{"t":64000000,"r":"end","id":8}
)";
}

struct Look {
  const char* name;
  Theme theme;
  double scale;
  int row_px;  ///< text is in the picture where it has room
};

class Pictures : public ::testing::TestWithParam<Look> {};

INSTANTIATE_TEST_SUITE_P(Timeline, Pictures,
                         ::testing::Values(Look{"light_1", Theme::kLight, 1, 22},
                                           Look{"dark_1", Theme::kDark, 1, 22},
                                           Look{"light_2", Theme::kLight, 2, 22},
                                           Look{"dark_2", Theme::kDark, 2, 22},
                                           Look{"light_narrow", Theme::kLight, 1, 3}),
                         [](const auto& look) { return look.param.name; });

// A picture that should look otherwise is accepted with AFTERSHOCK_ACCEPT_PICTURES=1 in the
// environment, and looked at in the diff.
TEST_P(Pictures, AreAsTheyWere) {
  const Look& look = GetParam();
  const testing::SampleFile file(lines());
  RunSession session(file.path, false);
  testing::read_all(session);
  ViewState state;
  state.shown = {-2 * kSecond, 66 * kSecond};
  set_all_open(state.lanes, true);
  Scene& scene = *session.scene();
  const LaneRows rows = make_rows(scene.directory(), scene.tree(), state.lanes);
  Frame frame{scene, rows, state};
  frame.layout = make_layout(720, 420, 16, look.row_px, 0);
  frame.axis =
      axis_of(state.shown, static_cast<int>(frame.layout.time_width() * look.scale), 32 * kSecond);
  frame.run = {0, 64 * kSecond};
  frame.scale = look.scale;
  frame.theme = look.theme;
  frame.font = QFont(QStringLiteral("DejaVu Sans"), 10);
  const std::vector<std::int64_t> faults{30'000'000, 30'000'001, 52'000'000};
  frame.fault_times = faults;
  QImage picture(QSize(720, 420) * look.scale, QImage::Format_RGB32);
  picture.setDevicePixelRatio(look.scale);
  {
    Canvas canvas(picture);
    draw_frame(frame, canvas);
  }

  const QString path = QStringLiteral("tests/data/pictures/timeline_%1.png").arg(look.name);
  if (qEnvironmentVariableIsSet("AFTERSHOCK_ACCEPT_PICTURES")) {
    ASSERT_TRUE(picture.save(path));
    return;
  }
  const QImage wanted = QImage(path).convertToFormat(QImage::Format_RGB32);
  ASSERT_EQ(wanted.size(), picture.size()) << path.toStdString();
  int others = 0;
  for (int y = 0; y < picture.height(); ++y) {
    for (int x = 0; x < picture.width(); ++x) {
      others += picture.pixel(x, y) != wanted.pixel(x, y) ? 1 : 0;
    }
  }
  if (others > 0) {
    const std::string now = ::testing::TempDir() + "timeline_" + look.name + ".png";
    picture.save(QString::fromStdString(now));
    ADD_FAILURE() << others << " pixels are others than in " << path.toStdString() << "; see "
                  << now;
  }
}

}  // namespace
}  // namespace aftershock::gui
