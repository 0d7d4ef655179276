#include "gui/sidecar/sidecar.h"

#include <QAbstractItemModelTester>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <gtest/gtest.h>

#include "gui/sidecar/notes_model.h"
#include "gui/sidecar/sidecar_file.h"

namespace aftershock::gui {
namespace {

constexpr std::int64_t kFar = (std::int64_t{1} << 62) + 1;

Sidecar rich_sidecar() {
  return {.notes = {{.begin_us = 5, .end_us = 5, .text = QStringLiteral("why \"here\"?\nä€")},
                    {.begin_us = 7,
                     .end_us = kFar,
                     .lane = QStringLiteral("node:gpu-3"),
                     .text = QStringLiteral("<b>")}},
          .bookmarks = {{.name = QStringLiteral("the end"),
                         .view = {.begin_us = -1,
                                  .end_us = kFar,
                                  .cursor_us = 3,
                                  .lane = QStringLiteral("job:llm")}}},
          .slots_by_digit = {{1, {1, 2, 3, {}}}, {9, {4, 5, 6, QStringLiteral("x")}}},
          .view = SavedView{10, 20, 15, {}, QStringLiteral("job:llm")},
          .lane_height = 18,
          .pins = {QStringLiteral("a"), QStringLiteral("b")},
          .hidden = {QStringLiteral("c")},
          .expanded = {QStringLiteral("pool:gpu")}};
}

void write(const QString& path, const QByteArray& text) {
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(text);
}

QByteArray read(const QString& path) {
  QFile file(path);
  EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << path.toStdString();
  return file.readAll();
}

class SidecarFile : public ::testing::Test {
 protected:
  QTemporaryDir dir;
  QString recording = dir.path() + QStringLiteral("/run.aftershock");
  QString key = QStringLiteral("0123456789abcdef-%1").arg(reinterpret_cast<quintptr>(this));
};

TEST_F(SidecarFile, ComesBackAsItWas) {
  EXPECT_EQ(load_sidecar(recording, key).sidecar, Sidecar());
  EXPECT_EQ(load_sidecar(recording, key).problem, QString());
  EXPECT_EQ(save_sidecar(recording, key, rich_sidecar()), QString());
  const LoadedSidecar loaded = load_sidecar(recording, key);
  EXPECT_EQ(loaded.problem, QString());
  EXPECT_TRUE(loaded.sidecar == rich_sidecar());
  EXPECT_EQ(QDir(dir.path()).entryList(QDir::Files),
            QStringList({QStringLiteral("run.aftershock.view.json")}))
      << "nothing else is left there";
}

TEST_F(SidecarFile, KeepsOtherRunsAndWhatLaterVersionsWrite) {
  write(sidecar_path(recording),
        R"({"schema":1,"from_tomorrow":[1],"runs":{"other":{"notes":"odd"},")" + key.toUtf8() +
            R"(":{"height":3,"stars":{"a":9007199254740993}}}})");
  LoadedSidecar loaded = load_sidecar(recording, key);
  EXPECT_EQ(loaded.problem, QString());
  EXPECT_EQ(loaded.sidecar.lane_height, 3);
  loaded.sidecar.lane_height = 4;
  EXPECT_EQ(save_sidecar(recording, key, loaded.sidecar), QString());
  const QByteArray text = read(sidecar_path(recording));
  const QJsonObject root = QJsonDocument::fromJson(text).object();
  EXPECT_TRUE(root.contains(QStringLiteral("from_tomorrow")));
  EXPECT_EQ(root[QStringLiteral("runs")][QStringLiteral("other")][QStringLiteral("notes")],
            QStringLiteral("odd"));
  EXPECT_TRUE(text.contains("9007199254740993"));
  EXPECT_EQ(load_sidecar(recording, key).sidecar.lane_height, 4);
}

TEST_F(SidecarFile, IsSetAsideAndNotLostWhenItCannotBeRead) {
  for (const char* text :
       {"", "{\"schema\":1", "[]", "null", "{\"schema\":2,\"runs\":{}}", "\xff"}) {
    SCOPED_TRACE(text);
    const QString path = sidecar_path(recording);
    write(path, text);
    EXPECT_TRUE(load_sidecar(recording, key).problem.startsWith(path + u':'))
        << load_sidecar(recording, key).problem.toStdString();
    EXPECT_EQ(read(path), text) << "reading changes nothing";
    EXPECT_EQ(save_sidecar(recording, key, rich_sidecar()), QString());
    EXPECT_EQ(load_sidecar(recording, key).problem, QString());
    EXPECT_EQ(read(path + QStringLiteral(".unread-1")), text);
    QFile::remove(path + QStringLiteral(".unread-1"));
  }
}

TEST_F(SidecarFile, OddMembersAreLeftOutWithAWord) {
  struct Case {
    const char* part;
    const char* problem;
  };
  for (const Case& c :
       {Case{R"({"notes":7})", "\"notes\" is not a list"},
        Case{R"({"notes":[7]})", "\"notes\" is not a list of objects"},
        Case{R"({"notes":[{"begin_us":"x","end_us":1,"text":"t"}]})", "\"begin_us\" is not"},
        Case{R"({"pins":[{}]})", "\"pins\" is not a list of names"},
        Case{R"({"slots":[]})", "\"slots\" is not an object"},
        Case{R"({"bookmarks":[{"begin_us":1,"end_us":1,"cursor_us":1,"name":{}}]})",
             "\"name\" is not text"}}) {
    write(sidecar_path(recording),
          R"({"schema":1,"runs":{")" + key.toUtf8() + "\":" + c.part + "}}");
    EXPECT_TRUE(load_sidecar(recording, key).problem.contains(QLatin1StringView(c.problem)))
        << c.part << load_sidecar(recording, key).problem.toStdString();
  }
}

TEST_F(SidecarFile, APartWithOddMembersIsSetAsideBeforeItIsWrittenOver) {
  const QString path = sidecar_path(recording);
  const QByteArray text = R"({"schema":1,"runs":{"other":{"height":7},")" + key.toUtf8() +
                          R"(":{"notes":"precious"}}})";
  write(path, text);
  EXPECT_EQ(save_sidecar(recording, key, rich_sidecar()), QString());
  EXPECT_EQ(read(path + QStringLiteral(".unread-1")), text);
  EXPECT_TRUE(load_sidecar(recording, key).sidecar == rich_sidecar());
  EXPECT_EQ(load_sidecar(recording, QStringLiteral("other")).sidecar.lane_height, 7);
  EXPECT_EQ(save_sidecar(recording, key, {}), QString());
  EXPECT_FALSE(QFile::exists(path + QStringLiteral(".unread-2"))) << "only once";
}

TEST_F(SidecarFile, GoesToTheDataFolderWhereTheRecordingsIsClosed) {
  // Nothing can be created below /proc, not even by root.
  const QString closed = QStringLiteral("/proc/self/run.aftershock");
  EXPECT_EQ(save_sidecar(closed, key, rich_sidecar()), QString());
  EXPECT_TRUE(QFile::exists(fallback_path(key)));
  EXPECT_TRUE(load_sidecar(closed, key).sidecar == rich_sidecar());
  // A copy of the recording in an open folder finds it, and from then on has its own.
  EXPECT_TRUE(load_sidecar(recording, key).sidecar == rich_sidecar());
  EXPECT_EQ(save_sidecar(recording, key, {.lane_height = 5}), QString());
  EXPECT_EQ(load_sidecar(recording, key).sidecar.lane_height, 5);
}

TEST_F(SidecarFile, OfARecordingThatWillNotStayIsInTheDataFolder) {
  EXPECT_EQ(save_sidecar({}, key, rich_sidecar()), QString());
  EXPECT_TRUE(QFile::exists(fallback_path(key)));
  EXPECT_TRUE(load_sidecar({}, key).sidecar == rich_sidecar());
  EXPECT_EQ(sidecar_path({}), QString()) << "a file \".view.json\" is nobody's";
}

TEST(Sidecar, TwoThatWereChangedAreMerged) {
  const auto note = [](const char* text) {
    return Note{.begin_us = 1, .end_us = 1, .text = QString::fromUtf8(text)};
  };
  Sidecar base{.notes = {note("kept"), note("deleted here"), note("deleted there")},
               .slots_by_digit = {{1, {}}}};
  Sidecar mine = base;
  mine.notes = {note("kept"), note("deleted there"), note("mine")};
  mine.lane_height = 5;
  Sidecar theirs = base;
  theirs.notes = {note("kept"), note("deleted here"), note("theirs")};
  theirs.slots_by_digit[2] = {};
  theirs.others = {{QStringLiteral("later"), 1}};
  theirs.lane_height = 9;
  const Sidecar both = merged(base, mine, theirs);
  EXPECT_EQ(both.notes, (std::vector<Note>{note("kept"), note("mine"), note("theirs")}));
  EXPECT_EQ(both.slots_by_digit.size(), 2U);
  EXPECT_EQ(both.others.size(), 1);
  EXPECT_EQ(both.lane_height, 5);
  EXPECT_TRUE(merged(base, mine, base) == mine);
}

TEST(Sidecar, HandiworkIsMoreThanAView) {
  EXPECT_FALSE(
      has_handiwork({.view = SavedView{}, .lane_height = 3, .expanded = {QStringLiteral("x")}}));
  EXPECT_TRUE(has_handiwork({.pins = {QStringLiteral("x")}}));
  EXPECT_TRUE(has_handiwork({.slots_by_digit = {{1, {}}}}));
}

TEST_F(SidecarFile, ItsPathInTheDataFolderCannotLeaveIt) {
  EXPECT_TRUE(fallback_path(QStringLiteral("../../x/y\n"))
                  .endsWith(QStringLiteral("/aftershock/views/______x_y_.json")));
  reports::RecordingHeader header;
  header.digest = "ab";
  header.seed = 18446744073709551615U;
  EXPECT_EQ(run_key(header), QStringLiteral("ab-18446744073709551615"));
}

TEST(NotesModel, IsAModelInTheOrderOfTime) {
  NotesModel model;
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Warning);
  const QSignalSpy changed(&model, &NotesModel::changed);
  model.set_all(rich_sidecar().notes, rich_sidecar().bookmarks);
  EXPECT_EQ(changed.size(), 0);
  ASSERT_EQ(model.rowCount(), 3);
  const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
  // The bookmark is at 3 us, the notes are at 5 and 7.
  EXPECT_EQ(text(0, NotesModel::kWhat), QStringLiteral("bookmark"));
  EXPECT_EQ(text(0, NotesModel::kTime), QStringLiteral("3 us"));
  EXPECT_EQ(text(1, NotesModel::kWhat), QStringLiteral("note"));
  EXPECT_EQ(text(2, NotesModel::kWhat), QStringLiteral("note on a range"));
  EXPECT_EQ(text(2, NotesModel::kLane), QStringLiteral("node:gpu-3"));

  EXPECT_EQ(model.add(Note{.begin_us = 6, .end_us = 6, .text = QStringLiteral("new")}), 2);
  EXPECT_EQ(model.add(Bookmark{.name = QStringLiteral("b"), .view = {0, 9, 1, {}}}), 0);
  EXPECT_EQ(changed.size(), 2);
  EXPECT_EQ(model.view_at(3), (SavedView{6, 6, 6, {}}));
  EXPECT_EQ(model.nearest(1000), 4);
  EXPECT_EQ(model.nearest(-1000), 0);
  EXPECT_EQ(model.nearest(6), 3);

  EXPECT_TRUE(
      model.setData(model.index(3, NotesModel::kText), QStringLiteral("newer"), Qt::EditRole));
  EXPECT_FALSE(model.setData(model.index(3, NotesModel::kTime), QStringLiteral("9"), Qt::EditRole));
  EXPECT_FALSE(model.setData(model.index(3, NotesModel::kText), QStringLiteral(" "), Qt::EditRole));
  EXPECT_EQ(model.notes()[1].text, QStringLiteral("newer"));
  EXPECT_EQ(model.note_of_row(3), 1U);
  EXPECT_EQ(model.row_of_note(1), 3);
  EXPECT_EQ(model.bookmark_of_row(3), std::nullopt);
  EXPECT_EQ(model.bookmark_of_row(0), 0U);
  EXPECT_EQ(model.note_of_row(-1), std::nullopt);
  EXPECT_EQ(model.note_of_row(99), std::nullopt);
  model.remove(3);
  model.remove(17);
  model.remove(-1);
  EXPECT_EQ(changed.size(), 4);
  EXPECT_EQ(model.notes(), rich_sidecar().notes);
  EXPECT_EQ(NotesModel().nearest(0), -1);
}

}  // namespace
}  // namespace aftershock::gui
