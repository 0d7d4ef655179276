#include "gui/timeline/accessible_timeline.h"

#include <QAccessible>
#include <QScrollBar>
#include <QTest>
#include <memory>

#include <gtest/gtest.h>

#include "gui/timeline/timeline.h"
#include "tests/gui/timeline/sample_run.h"

namespace aftershock::gui {
namespace {

using testing::read_all;
using testing::sample_lines;
using testing::SampleFile;

TEST(AccessibleTimeline, IsAListOfTheLanesThatAreSeen) {
  QAccessible::installFactory(accessible_timeline);
  const SampleFile file(sample_lines());
  RunSession session(file.path, false);
  auto timeline = std::make_unique<Timeline>();
  timeline->resize(800, 400);
  timeline->show();
  timeline->set_session(&session);
  read_all(session);
  QAccessibleInterface* face = QAccessible::queryAccessibleInterface(timeline.get());
  ASSERT_NE(face, nullptr);
  EXPECT_EQ(face->role(), QAccessible::List);
  timeline->go_to(40'000'000, std::nullopt);

  QStringList lanes;
  for (int i = 0; i < face->childCount(); ++i) {
    QAccessibleInterface* row = face->child(i);
    ASSERT_NE(row, nullptr);
    if (row->role() != QAccessible::ListItem) {
      continue;
    }
    EXPECT_TRUE(row->isValid());
    EXPECT_EQ(row->parent(), face);
    EXPECT_EQ(face->indexOfChild(row), i);
    const QPoint middle = row->rect().center();
    EXPECT_EQ(face->childAt(middle.x(), middle.y()), row);
    lanes << row->text(QAccessible::Name) + QStringLiteral(": ") +
                 row->text(QAccessible::Description);
  }
  EXPECT_TRUE(lanes.contains(QStringLiteral("job:llm: restoring")))
      << lanes.join(u'\n').toStdString();
  EXPECT_TRUE(lanes.contains(QStringLiteral("node:gpu-1: down")))
      << lanes.join(u'\n').toStdString();

  const QAccessible::Id first = QAccessible::uniqueId(face->child(0));
  timeline.reset();
  EXPECT_EQ(QAccessible::accessibleInterface(first), nullptr);
}

}  // namespace
}  // namespace aftershock::gui
