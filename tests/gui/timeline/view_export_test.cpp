#include "gui/timeline/view_export.h"

#include <QBuffer>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <QXmlStreamReader>
#include <map>

#include <gtest/gtest.h>

#include "gui/timeline/timeline.h"
#include "tests/gui/timeline/sample_run.h"

namespace aftershock::gui {
namespace {

using testing::read_all;
using testing::sample_lines;
using testing::SampleFile;

struct DrawnView {
  SampleFile file;
  RunSession session{file.path, false};
  Timeline timeline;

  explicit DrawnView(const std::string& lines = sample_lines()) : file(lines) {
    timeline.resize(900, 400);
    timeline.set_session(&session);
    read_all(session);
  }
  ~DrawnView() { timeline.set_session(nullptr); }

  QByteArray svg(const QString& title) {
    QBuffer buffer;
    EXPECT_TRUE(buffer.open(QIODevice::WriteOnly));
    draw_svg(timeline, title, buffer);
    return buffer.data();
  }
};

/// How often each element is there; fails on invalid XML.
std::map<std::string, int> elements_of(const QByteArray& svg, QString& text) {
  std::map<std::string, int> counts;
  QXmlStreamReader reader(svg);
  while (!reader.atEnd()) {
    if (reader.readNext() == QXmlStreamReader::StartElement) {
      ++counts[reader.name().toString().toStdString()];
    } else if (reader.isCharacters()) {
      text += reader.text();
    }
  }
  EXPECT_FALSE(reader.hasError()) << reader.errorString().toStdString();
  return counts;
}

TEST(ViewExport, SvgHasRectanglesPatternsAndTextNoPictures) {
  DrawnView drawn;
  QString text;
  const auto counts = elements_of(drawn.svg(QStringLiteral("a title")), text);
  EXPECT_GT(counts.at("rect"), 20);
  // Not the spans, but not a picture either.
  EXPECT_LT(counts.at("rect"), 3000);
  EXPECT_GT(counts.at("pattern"), 0);
  EXPECT_GT(counts.at("path"), 0) << "marks of faults";
  EXPECT_EQ(counts.count("image"), 0U);
  EXPECT_TRUE(text.contains(QStringLiteral("a title")));
  EXPECT_TRUE(text.contains(QStringLiteral("restoring")));
  EXPECT_TRUE(text.contains(QStringLiteral("gpu-1")));
}

TEST(ViewExport, SvgShowsWhatThePictureDoes) {
  DrawnView drawn;
  const QImage picture = picture_of(drawn.timeline, QStringLiteral("t"));
  // Qt's own reader knows no patterns.
  QString svg = QString::fromUtf8(drawn.svg(QStringLiteral("t")));
  svg.replace(QRegularExpression(QStringLiteral("fill=\"url\\([^)]*\\)\"")),
              QStringLiteral("fill=\"none\""));
  QSvgRenderer renderer(svg.toUtf8());
  ASSERT_TRUE(renderer.isValid());
  QImage rendered(picture.size(), QImage::Format_RGB32);
  rendered.fill(0xff000000);
  QPainter painter(&rendered);
  renderer.render(&painter);
  painter.end();
  // Texts and hatches are drawn another way.
  int same = 0;
  for (int y = 0; y < picture.height(); ++y) {
    for (int x = 0; x < picture.width(); ++x) {
      same += picture.pixel(x, y) == rendered.pixel(x, y) ? 1 : 0;
    }
  }
  EXPECT_GT(same, picture.width() * picture.height() * 85 / 100);
}

TEST(ViewExport, HostileNamesStayTextInAnSvg) {
  std::string lines = sample_lines();
  const std::string mark =
      R"({"t":50000000,"r":"begin","on":"job:llm","id":9,"what":"<svg>]]>&\u0001\u202e\"'"})"
      "\n";
  lines +=
      R"({"t":64000000,"r":"fault","on":"node:gpu-2","number":2,"id":"<!--","target":"&","kind":"]]>","what":"<script>","outcome":"fired"})"
      "\n";
  lines.insert(lines.rfind("{\"t\":64000000,\"r\":\"end\""), mark);
  DrawnView drawn(lines);
  QString text;
  elements_of(drawn.svg(QStringLiteral("<b>&\"]]> \u00e9")), text);
  EXPECT_TRUE(text.contains(QStringLiteral("<b>&\"]]>")));
}

TEST(ViewExport, PictureHasTheViewAndATitle) {
  DrawnView drawn;
  const QImage picture = picture_of(drawn.timeline, QStringLiteral("title"));
  const QWidget* port = drawn.timeline.viewport();
  EXPECT_EQ(picture.width(), port->width());
  EXPECT_GT(picture.height(), port->height());
  EXPECT_EQ(picture.copy(0, picture.height() - port->height(), port->width(), port->height()),
            drawn.timeline.viewport()->grab().toImage().convertToFormat(QImage::Format_RGB32));
}

TEST(ViewExport, ASlideHasItsOwnSizeScaleAndTheme) {
  DrawnView drawn;
  drawn.timeline.set_theme(Theme::kDark);
  for (const Theme theme : {Theme::kDark, Theme::kLight}) {
    for (const int scale : {1, 3}) {
      const QImage picture = slide_of(drawn.timeline, QStringLiteral("t"),
                                      {.size = {640, 480}, .scale = scale, .theme = theme});
      EXPECT_EQ(picture.size(), QSize(640, 480) * scale);
      EXPECT_EQ(picture.devicePixelRatio(), scale);
      EXPECT_EQ(picture.pixel(0, picture.height() - 1), inks(theme).window) << "of the legend";
    }
  }
  EXPECT_EQ(drawn.timeline.theme(), Theme::kDark);
}

TEST(ViewExport, ASlideHasALegendAndACardWhereTheyAreWanted) {
  DrawnView drawn;
  const auto text_of_slide = [&](const Slide& slide) {
    QBuffer buffer;
    EXPECT_TRUE(buffer.open(QIODevice::WriteOnly));
    draw_slide_svg(drawn.timeline, QStringLiteral("a title"), slide, buffer);
    QString text;
    elements_of(buffer.data(), text);
    return text;
  };
  Slide slide{.size = {1280, 720}};
  const QString with_legend = text_of_slide(slide);
  slide.has_legend = false;
  slide.card = QStringLiteral("<p>hereiswhy</p>");
  const QString with_card = text_of_slide(slide);
  EXPECT_TRUE(with_legend.contains(QStringLiteral("a title")));
  EXPECT_GT(with_legend.count(QStringLiteral("productive")),
            with_card.count(QStringLiteral("productive")));
  EXPECT_FALSE(with_legend.contains(QStringLiteral("hereiswhy")));
  EXPECT_TRUE(with_card.contains(QStringLiteral("hereiswhy")));
}

}  // namespace
}  // namespace aftershock::gui
