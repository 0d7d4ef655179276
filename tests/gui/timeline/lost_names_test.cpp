#include <QBuffer>
#include <QXmlStreamReader>

#include <gtest/gtest.h>

#include "gui/timeline/describe.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/view_export.h"
#include "tests/gui/timeline/sample_run.h"

namespace aftershock::gui {
namespace {

using testing::read_all;
using testing::sample_lines;
using testing::SampleFile;

/// The sample run, which loses what it did in the last `lost_us` before its first fault, at 32 s.
std::string losing(const std::string& lost_us) {
  std::string lines = sample_lines();
  const std::string back =
      R"({"t":48000000,"r":"instant","on":"job:llm","what":"rolled_back","from_us":32000000,)"
      R"("to_us":0,"lost_us":)" +
      lost_us + "}\n";
  lines.insert(lines.find(R"({"t":48000000,"r":"begin")"), back);
  return lines;
}

struct Names {
  SampleFile file;
  RunSession session{file.path, false};
  Timeline timeline;
  std::uint32_t phases = kNone;

  explicit Names(const std::string& lines) : file(lines) {
    timeline.resize(1200, 700);
    timeline.set_session(&session);
    read_all(session);
    const Trace& trace = session.trace();
    phases = trace.lane_of[*trace.entities.find("job:llm")][0];
  }
  ~Names() { timeline.set_session(nullptr); }

  std::string short_of(std::uint32_t span) {
    return short_text(*session.scene(), {phases, span}).toStdString();
  }
  std::string long_of(std::uint32_t span) {
    return long_text(*session.scene(), {phases, span}).toStdString();
  }
  /// The texts of the picture that are this one.
  int drawn(const QString& text) {
    QBuffer buffer;
    EXPECT_TRUE(buffer.open(QIODevice::WriteOnly));
    draw_svg(timeline, QStringLiteral("t"), buffer);
    QXmlStreamReader reader(buffer.data());
    int count = 0;
    while (!reader.atEnd()) {
      reader.readNext();
      count += reader.isCharacters() && reader.text().trimmed() == text ? 1 : 0;
    }
    return count;
  }
};

TEST(LostNames, WorkThatWasLostInPartIsNamedWhereItIs) {
  Names names(losing("16000000"));
  EXPECT_EQ(names.short_of(0), "productive");
  EXPECT_NE(names.long_of(0).find("rolled back from 16 s to 32 s"), std::string::npos)
      << names.long_of(0);
  EXPECT_EQ(names.long_of(2).find("rolled back"), std::string::npos);
  // The rest of the first stretch, the second one, and the legend.
  EXPECT_GE(names.drawn(QStringLiteral("productive")), 3);
  EXPECT_GE(names.drawn(QStringLiteral("rolled back")), 2);
}

TEST(LostNames, WorkThatWasAllLostIsNotProductive) {
  Names names(losing("32000000"));
  EXPECT_EQ(names.short_of(0), "rolled back");
  EXPECT_NE(names.long_of(0).find("lost later on"), std::string::npos);
  EXPECT_GE(names.drawn(QStringLiteral("rolled back")), 2);
}

}  // namespace
}  // namespace aftershock::gui
