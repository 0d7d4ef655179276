#include "gui/map/cluster_map.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gui/map/map_words.h"
#include "gui/map/place_painter.h"
#include "gui/theme/job_colours.h"
#include "gui/theme/look.h"
#include "reports/recording/header.h"
#include "tests/gui/timeline/sample_cuts.h"
#include "tests/gui/timeline/sample_run.h"
#include "tests/unit/times.h"

namespace aftershock::gui {
namespace {

using testing::read_all;
using testing::SampleFile;

struct ShownMap {
  SampleFile file;
  RunSession session{file.path, false};
  ClusterMap map;
  std::vector<std::string> chosen;

  explicit ShownMap(const std::string& lines = testing::sample_cuts()) : file(lines) {
    QObject::connect(&map, &ClusterMap::node_chosen, &map, [this](const LaneKey& lane) {
      chosen.push_back(text_of(session.scene()->directory(), lane));
    });
    map.resize(360, 400);
    map.show();
    map.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&map));
    map.set_session(&session);
    read_all(session);
    map.setFocus();
    settle();
  }
  ~ShownMap() { map.set_session(nullptr); }
  static void settle() { QCoreApplication::processEvents(); }
  std::size_t cell(const std::string& place) {
    return cell_of(map.cells(), key_of(session.scene()->directory(), place).value());
  }
  QImage picture() {
    settle();
    return map.grab().toImage();
  }
  std::string counts(std::int64_t t_us) {
    map.set_cursor(t_us);
    return map.counts().toStdString();
  }
  std::string focus() { return map.accessibleDescription().toStdString(); }
};

TEST(ClusterMap, CountsWhatTheRecordingSaysAtEachTime) {
  ShownMap shown;
  // Of four nodes; the head is said only when it is down.
  EXPECT_EQ(shown.counts(0), "4 up");
  EXPECT_EQ(shown.counts(8 * kSecond), "3 up, 1 down");
  EXPECT_EQ(shown.counts(16 * kSecond), "1 up, 2 cut off, 1 down");
  EXPECT_EQ(shown.counts(33 * kSecond), "2 up, 1 cut off, 1 down");
  EXPECT_EQ(shown.counts(41 * kSecond), "3 up, 1 down");
  EXPECT_EQ(shown.counts(48 * kSecond), "2 up, 1 cut off, 1 down");
  EXPECT_EQ(shown.counts(1), "4 up");
}

/// Two jobs of one node each on three nodes, of which one hangs from 8 s on.
std::string two_jobs() {
  reports::RecordingHeader header;
  header.entities = {{"node", "gpu", 0, 3, "gpu-%d", 0, 1, "gpu"}};
  header.policies = {{"ray@1", {}, {}, {}}};
  header.jobs = {{"a", "ray@1", 1, 1, "gpu", {}, 0}, {"b", "ray@1", 1, 1, "gpu", {}, 0}};
  return reports::header_line(header) + "\n" +
         R"({"t":0,"r":"holds","on":"job:a","nodes":"0"}
{"t":0,"r":"holds","on":"job:b","nodes":"2"}
{"t":0,"r":"begin","on":"job:b","id":1,"what":"training"}
{"t":8000000,"r":"fault","on":"node:gpu-2","number":0,"id":"f","kind":"hang","what":"hang","target":"job:b/rank:0","outcome":"fired"}
{"t":8000000,"r":"end","id":1}
{"t":8000000,"r":"begin","on":"job:b","id":2,"what":"undetected"}
{"t":16000000,"r":"holds","on":"job:a","nodes":"1"}
{"t":64000000,"r":"instant","on":"job:a","what":"ended"}
)";
}

TEST(ClusterMap, ColoursNodesByTheirJob) {
  ShownMap shown(two_jobs());
  EXPECT_EQ(shown.counts(0), "2 up, 1 free");
  const auto colour = [&](const char* node) {
    const QRect box = shown.map.box_of(shown.cell(node));
    return shown.picture().pixel(box.topLeft() + QPoint(3, 3));
  };
  EXPECT_EQ(colour("node:gpu-0"), job_look(0, Theme::kDark).fill);
  EXPECT_EQ(colour("node:gpu-2"), job_look(1, Theme::kDark).fill);
  EXPECT_EQ(colour("node:gpu-1"), inks(Theme::kDark).lane);
  EXPECT_EQ(shown.counts(16 * kSecond), "1 up, 1 free, 1 hung");
  EXPECT_EQ(colour("node:gpu-0"), inks(Theme::kDark).lane);
  EXPECT_EQ(colour("node:gpu-1"), job_look(0, Theme::kDark).fill);
  EXPECT_EQ(colour("node:gpu-2"), look_of(Kind::kUndetected, Theme::kDark).fill);
}

TEST(ClusterMap, SaysWhoseANodeIs) {
  ShownMap shown(two_jobs());
  shown.map.set_cursor(9 * kSecond);
  EXPECT_EQ(shown.focus(), "gpu-0, up, job a; all: 1 up, 1 free, 1 hung");
  QTest::keyClick(&shown.map, Qt::Key_End);
  EXPECT_EQ(shown.focus(), "gpu-2, hung, job b; all: 1 up, 1 free, 1 hung");
}

TEST(ClusterMap, SaysWhatASquareIs) {
  EXPECT_EQ(square_text(1).toStdString(), "a square is a node");
  EXPECT_EQ(square_text(16).toStdString(), "a square is 16 nodes");
}

TEST(ClusterMap, SaysOfHeadsWhatIsWrongWithThem) {
  ShownMap shown(testing::sample_cuts() +
                 R"({"t":65000000,"r":"instant","on":"head:head-0","what":"down"})" + "\n");
  EXPECT_EQ(shown.counts(66 * kSecond), "3 up, 1 down, heads and storages: 1 down");
}

TEST(ClusterMap, PaintsOnceAChangeAndOnlyWhatChanged) {
  ShownMap shown;
  shown.map.set_cursor(kSecond);
  ShownMap::settle();
  const int before = shown.map.paints();
  // Nothing changes but the time.
  for (int i = 0; i < 5; ++i) {
    shown.map.set_cursor(kSecond + i);
    ShownMap::settle();
  }
  EXPECT_EQ(shown.map.paints(), before);
  for (int i = 0; i < 5; ++i) {
    shown.map.set_cursor(8 * kSecond + i);
  }
  ShownMap::settle();
  EXPECT_EQ(shown.map.paints(), before + 1);
  // A picture painted in parts equals one painted as a whole.
  const QImage parts = shown.picture();
  shown.map.set_theme(Theme::kDark);
  EXPECT_EQ(shown.picture(), parts);
}

TEST(ClusterMap, LooksAtNothingWhileItIsHidden) {
  ShownMap shown;
  shown.map.hide();
  shown.map.set_cursor(8 * kSecond);
  EXPECT_EQ(shown.map.counts(), QStringLiteral("4 up"));
  shown.map.show();
  EXPECT_EQ(shown.map.counts(), QStringLiteral("3 up, 1 down"));
}

TEST(ClusterMap, EveryStateHasAColourAndAShapeOfItsOwn) {
  for (const Theme theme : {Theme::kDark, Theme::kLight}) {
    for (const int side : {7, 11, 18, 34}) {
      const PlacePainter painter(theme, 1);
      std::vector<QImage> shapes;
      for (std::size_t i = 0; i < kPlaceStates; ++i) {
        QImage picture(side, side, QImage::Format_RGB32);
        QPainter on(&picture);
        painter.paint(on, QRectF(0, 0, side, side), static_cast<PlaceState>(i));
        on.end();
        // Without its colour: which pixels are unlike the one in the corner.
        QImage shape(side, side, QImage::Format_Mono);
        for (int y = 0; y < side; ++y) {
          for (int x = 0; x < side; ++x) {
            shape.setPixel(x, y, picture.pixel(x, y) != picture.pixel(0, 0) ? 1 : 0);
          }
        }
        for (std::size_t other = 0; other < shapes.size(); ++other) {
          EXPECT_NE(shapes[other], shape)
              << name_of(static_cast<PlaceState>(i)) << " looks like "
              << name_of(static_cast<PlaceState>(other)) << " at " << side;
        }
        shapes.push_back(shape);
      }
    }
  }
}

TEST(ClusterMap, LinesGoAroundWhatIsCutOff) {
  ShownMap shown;
  const QRgb cut = look_of(Kind::kCut, Theme::kDark).fill;
  const auto lined = [&](const QRect& box) {
    const QImage picture = shown.picture();
    int count = 0;
    for (int x = box.left(); x <= box.right(); ++x) {
      count += picture.pixel(x, box.bottom() + 4) == cut ? 1 : 0;
    }
    return count > box.width() / 3;
  };
  const QRect first =
      shown.map.box_of(shown.cell("node:gpu-0")).united(shown.map.box_of(shown.cell("node:gpu-1")));
  const QRect second = shown.map.box_of(shown.cell("node:gpu-2"));
  shown.map.set_cursor(15 * kSecond);
  EXPECT_FALSE(lined(first));
  shown.map.set_cursor(17 * kSecond);
  EXPECT_TRUE(lined(first));
  EXPECT_FALSE(lined(second));
  // Of the two only one still is.
  shown.map.set_cursor(35 * kSecond);
  EXPECT_TRUE(lined(shown.map.box_of(shown.cell("node:gpu-1"))));
  EXPECT_FALSE(lined(shown.map.box_of(shown.cell("node:gpu-0"))));
  shown.map.set_cursor(41 * kSecond);
  EXPECT_FALSE(lined(shown.map.box_of(shown.cell("node:gpu-1"))));
  shown.map.set_cursor(60 * kSecond);
  EXPECT_FALSE(lined(first));
}

TEST(ClusterMap, ClicksAndKeysChooseAPlace) {
  ShownMap shown;
  QTest::mouseClick(&shown.map, Qt::LeftButton, {},
                    shown.map.box_of(shown.cell("node:gpu-2")).center());
  EXPECT_EQ(shown.chosen, std::vector<std::string>{"node:gpu-2"});
  QTest::keyClick(&shown.map, Qt::Key_Right);
  QTest::keyClick(&shown.map, Qt::Key_Return);
  EXPECT_EQ(shown.chosen.back(), "node:gpu-3");
  QTest::keyClick(&shown.map, Qt::Key_Home);
  QTest::keyClick(&shown.map, Qt::Key_Space);
  EXPECT_EQ(shown.chosen.back(), "head:head-0");
  QTest::keyClick(&shown.map, Qt::Key_Down);
  QTest::keyClick(&shown.map, Qt::Key_Enter);
  EXPECT_EQ(shown.chosen.back(), "node:gpu-0");
  QTest::keyClick(&shown.map, Qt::Key_End);
  EXPECT_EQ(shown.map.focused(), shown.map.cells().cells.size() - 1);
  const std::size_t before = shown.chosen.size();
  QTest::mouseClick(&shown.map, Qt::LeftButton, {}, QPoint(355, 395));
  EXPECT_EQ(shown.chosen.size(), before);
}

TEST(ClusterMap, SaysWhatHasTheFocusAndWhatThereIs) {
  ShownMap shown;
  EXPECT_EQ(shown.map.accessibleName(), QStringLiteral("Cluster map"));
  QTest::keyClick(&shown.map, Qt::Key_End);
  EXPECT_EQ(shown.focus(), "gpu-3, up; all: 4 up");
  shown.map.set_cursor(8 * kSecond);
  EXPECT_EQ(shown.focus(), "gpu-3, down; all: 3 up, 1 down");
}

TEST(ClusterMap, SharesSquaresWhereThereIsNoRoom) {
  reports::RecordingHeader header;
  header.entities = {{"node", "gpu", 0, 1'000'000'000, "gpu-%d", 1'000'000, 8, "gpu"}};
  ShownMap shown(reports::header_line(header) + R"(
{"t":10,"r":"begin","on":"node:gpu-77","id":1,"what":"down"}
{"t":20,"r":"instant","on":"node:gpu-77","what":"x"}
)");
  EXPECT_EQ(shown.counts(0), "1,000,000,000 up");
  EXPECT_EQ(shown.counts(15), "999,999,999 up, 1 down");
  const std::size_t cell = shown.cell("node:gpu-77");
  EXPECT_EQ(count_of(shown.map.census_of(cell), PlaceState::kDown), 1);
  // The one of them that is down.
  QTest::mouseClick(&shown.map, Qt::LeftButton, {}, shown.map.box_of(cell).center());
  EXPECT_EQ(shown.chosen, std::vector<std::string>{"node:gpu-77"});
  EXPECT_NE(shown.focus().find("1 down"), std::string::npos);
}

TEST(ClusterMap, LivesWithoutARunAndWithOneThatHasNoCluster) {
  ClusterMap map;
  map.show();
  ShownMap::settle();
  QTest::keyClick(&map, Qt::Key_Right);
  QTest::mouseClick(&map, Qt::LeftButton, {}, QPoint(50, 50));
  EXPECT_EQ(map.counts(), QString());
  ShownMap shown("{\"r\":\"header\",\"schema\":1}\n");
  shown.map.set_cursor(5);
  QTest::keyClick(&shown.map, Qt::Key_Return);
  shown.map.resize(1, 1);
  shown.picture();
  EXPECT_TRUE(shown.chosen.empty());
}

TEST(ClusterMap, ForgetsARunThatIsClosed) {
  ShownMap shown;
  shown.map.set_cursor(17 * kSecond);
  shown.map.set_session(nullptr);
  EXPECT_EQ(shown.map.counts(), QString());
  shown.picture();
  shown.map.set_session(&shown.session);
  EXPECT_EQ(shown.counts(17 * kSecond), "1 up, 2 cut off, 1 down");
}

// 512 nodes, of which one goes down or comes back in every step of the replay.
TEST(ClusterMap, AStepOfAReplayTakesAMillisecond) {
  reports::RecordingHeader header;
  header.entities = {{"node", "gpu", 0, 512, "gpu-%d", 64, 8, "gpu"}};
  std::string lines = reports::header_line(header) + "\n";
  constexpr int kSteps = 400;
  for (int i = 1; i < kSteps; ++i) {
    const std::string at = R"({"t":)" + std::to_string(i * 10) + R"(,"r":)";
    const std::string id = R"(,"id":)" + std::to_string(i % 2 == 1 ? i : i - 1);
    const std::string node = "node:gpu-" + std::to_string(i * 37 % 512);
    lines += i % 2 == 1 ? at + R"("begin","on":")" + node + '"' + id + R"(,"what":"down"})"
                        : at + R"("end")" + id + "}";
    lines += '\n';
  }
  ShownMap shown(lines);
  std::vector<double> took_ms;
  for (int i = 0; i < kSteps; ++i) {
    QElapsedTimer since;
    since.start();
    shown.map.set_cursor(i * 10 + 5);
    ShownMap::settle();
    took_ms.push_back(static_cast<double>(since.nsecsElapsed()) / 1e6);
  }
  std::ranges::sort(took_ms);
  RecordProperty("median_us", static_cast<int>(took_ms[kSteps / 2] * 1000));
  // Four times what it may take, for machines that have other things to do.
  EXPECT_LT(took_ms[kSteps / 2], 4);
}

struct NameRow {
  const char* lane;
  const char* name;
};

TEST(MapWords, ShortNamesAreNumbers) {
  reports::RecordingHeader header;
  header.entities = {{"head", "", 0, 1, "head-7", 0, 0, ""},
                     {"node", "gpu", 5, 20, "gpu-%d", 2, 0, "gpu"}};
  const Directory directory = make_directory(header);
  for (const NameRow& row : {NameRow{"node:gpu-5", "5"}, NameRow{"node:gpu-17", "17"},
                             NameRow{"head:head-7", "head-7"}}) {
    EXPECT_EQ(short_name(directory, key_of(directory, row.lane).value()),
              QString::fromLatin1(row.name));
  }
}

}  // namespace
}  // namespace aftershock::gui
