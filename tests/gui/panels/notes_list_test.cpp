#include "gui/panels/notes_list.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QVBoxLayout>

#include <gtest/gtest.h>

#include "gui/panels/note_editor.h"
#include "gui/sidecar/notes_model.h"

namespace aftershock::gui {
namespace {

struct Listed {
  NotesModel model;
  NotesList list;

  Listed() {
    model.set_all({{.begin_us = 5, .end_us = 5, .text = QStringLiteral("<img src=x>\n\u202e")},
                   {.begin_us = 9, .end_us = 12, .text = QStringLiteral("b")}},
                  {{.name = QStringLiteral("c"), .view = {.end_us = 9, .cursor_us = 7}}});
    list.set_model(&model);
    list.resize(600, 300);
    list.show();
    list.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&list));
    list.table().setFocus();
  }
};

TEST(NotesList, KeysGoEditAndDelete) {
  Listed shown;
  QSignalSpy go(&shown.list, &NotesList::go_to);
  QSignalSpy gone(&shown.list, &NotesList::delete_asked);
  QTest::keyClick(&shown.list.table(), Qt::Key_Delete);
  EXPECT_TRUE(gone.isEmpty()) << "nothing is selected";
  shown.list.select(1);
  QTest::keyClick(&shown.list.table(), Qt::Key_Return);
  ASSERT_EQ(go.size(), 1);
  EXPECT_EQ(go.front().front().toInt(), 1);
  QTest::keyClick(&shown.list.table(), Qt::Key_Delete);
  ASSERT_EQ(gone.size(), 1);
  EXPECT_EQ(gone.front().front().toInt(), 1);
  QTest::keyClick(&shown.list.table(), Qt::Key_F2);
  auto* field = shown.list.table().findChild<QLineEdit*>();
  ASSERT_NE(field, nullptr);
  field->setText(QStringLiteral("newer"));
  QTest::keyClick(field, Qt::Key_Return);
  EXPECT_TRUE(
      QTest::qWaitFor([&] { return shown.model.bookmarks()[0].name == QStringLiteral("newer"); }));
  EXPECT_EQ(go.size(), 1) << "Enter in the field goes nowhere";
}

TEST(NotesList, ShowsHostileTextAsItIs) {
  const Listed shown;
  EXPECT_EQ(shown.model.index(0, NotesModel::kText).data().toString(),
            QStringLiteral("<img src=x>\\x0a\\u202e"));
  EXPECT_EQ(shown.model.index(0, NotesModel::kText).data(Qt::EditRole).toString(),
            QStringLiteral("<img src=x>\n\u202e"));
}

TEST(NotesList, HasNamesForAllOfIt) {
  Listed shown;
  for (const QWidget* part : shown.list.findChildren<QPushButton*>()) {
    EXPECT_FALSE(part->accessibleName().isEmpty());
  }
  EXPECT_FALSE(shown.list.table().accessibleName().isEmpty());
  shown.model.set_all({}, {});
  EXPECT_FALSE(shown.list.table().isVisible()) << "a word about how to begin is there instead";
  QFont large = shown.list.font();
  large.setPointSize(30);
  shown.list.setFont(large);
  EXPECT_GT(shown.list.table().verticalHeader()->defaultSectionSize(),
            shown.list.table().fontMetrics().height());
  EXPECT_GT(shown.list.table().fontMetrics().height(), 30);
  shown.list.set_model(nullptr);
  shown.list.select(3);
  EXPECT_EQ(shown.list.row(), -1);
}

struct Asked {
  QWidget window;
  QLineEdit* other = new QLineEdit(&window);
  NoteEditor* editor = new NoteEditor(&window);
  QStringList stored;

  Asked() {
    window.resize(700, 300);
    window.show();
    window.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&window));
    other->setFocus();
  }
  void ask() {
    editor->ask(QStringLiteral("Note at 3 s:"), {690, 290},
                [this](const QString& text) { stored << text; });
    EXPECT_TRUE(editor->isVisible());
    EXPECT_TRUE(editor->field().hasFocus());
    EXPECT_TRUE(window.rect().contains(editor->geometry()));
  }
};

TEST(NoteEditor, EndsAsItsKeysSay) {
  struct Case {
    const char* typed;
    Qt::Key key;
    QStringList stored;
  };
  for (const Case& c :
       {Case{"why", Qt::Key_Return, {QStringLiteral("why")}},
        Case{" why ", Qt::Key_Enter, {QStringLiteral("why")}}, Case{"why", Qt::Key_Escape, {}},
        Case{"", Qt::Key_Return, {}}, Case{"  ", Qt::Key_Return, {}}}) {
    Asked asked;
    asked.ask();
    QTest::keyClicks(&asked.editor->field(), QLatin1StringView(c.typed));
    QTest::keyClick(&asked.editor->field(), c.key);
    EXPECT_EQ(asked.stored, c.stored) << c.typed;
    EXPECT_FALSE(asked.editor->isVisible());
    EXPECT_TRUE(asked.other->hasFocus()) << "the keyboard is where it was";
  }
}

TEST(NoteEditor, LosesNothingWhenOneGoesElsewhere) {
  Asked asked;
  asked.ask();
  QTest::keyClicks(&asked.editor->field(), QStringLiteral("first"));
  asked.ask();
  EXPECT_EQ(asked.stored, QStringList{QStringLiteral("first")});
  QTest::keyClicks(&asked.editor->field(), QStringLiteral("second"));
  asked.other->setFocus();
  EXPECT_EQ(asked.stored.size(), 2);
  EXPECT_FALSE(asked.editor->isVisible());
}

}  // namespace
}  // namespace aftershock::gui
