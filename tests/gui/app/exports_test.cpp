#include "gui/app/exports.h"

#include <QApplication>
#include <QFileDialog>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "gui/app/export_files.h"
#include "gui/app/main_window.h"
#include "gui/app/message_bar.h"
#include "gui/app/settings.h"
#include "gui/app/workspace.h"
#include "tests/gui/timeline/sample_run.h"

namespace aftershock::gui {
namespace {

struct Exported {
  testing::SampleFile file{testing::sample_lines()};
  Settings settings;
  MainWindow window{settings, QString()};
  Workspace workspace{window};
  Exports exports{window, workspace};
  QString said;  ///< of the recording, which has no end

  Exported() {
    QSignalSpy finished(&workspace, &Workspace::session_finished);
    window.show();
    window.open_file(file.path, 0);
    EXPECT_TRUE(!finished.isEmpty() || finished.wait(60000));
    said = message();
  }
  QString message() { return window.findChild<MessageBar*>()->text(); }
  /// Does the action, and `answer` with the dialog that comes.
  void act(ActionId id, const std::function<void(QFileDialog&)>& answer) {
    bool came = false;
    QTimer::singleShot(0, &window, [&] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      ASSERT_NE(dialog, nullptr);
      came = true;
      answer(*dialog);
    });
    window.actions().action(id)->trigger();
    EXPECT_TRUE(came);
  }
};

TEST(Exports, WriteEachKindWhereTheyAreTold) {
  Exported opened;
  struct Row {
    ActionId id;
    const char* suffix;
    QByteArray begin;
  };
  for (const Row& row :
       {Row{ActionId::kExportPng, "png", QByteArray("\x89PNG", 4)},
        Row{ActionId::kExportSvg, "svg", "<?xml"}, Row{ActionId::kExportCsv, "csv", "begin_us,"},
        Row{ActionId::kExportPerfetto, "pftrace", "\x0a"}}) {
    QString proposed;
    const QString path =
        opened.file.folder.filePath(QStringLiteral("to.") + QLatin1StringView(row.suffix));
    opened.act(row.id, [&](QFileDialog& dialog) {
      proposed = dialog.selectedFiles().value(0);
      dialog.selectFile(path);
      static_cast<QDialog&>(dialog).accept();
    });
    EXPECT_TRUE(proposed.endsWith(QLatin1StringView(row.suffix))) << proposed.toStdString();
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly)) << row.suffix;
    EXPECT_TRUE(file.readAll().startsWith(row.begin)) << row.suffix;
  }
  EXPECT_EQ(opened.message(), opened.said);
}

TEST(Exports, DoNothingWhenTheDialogIsClosed) {
  Exported opened;
  opened.act(ActionId::kExportCsv, [](QFileDialog& dialog) { dialog.reject(); });
  EXPECT_EQ(opened.message(), opened.said);
  EXPECT_EQ(QDir(opened.file.folder.path()).entryList(QDir::Files).size(), 1);
}

TEST(Exports, SayWhyAFileCannotBeWritten) {
  Exported opened;
  // A pipe is still one afterwards.
  const QString folder = opened.file.folder.path();
  const QString pipe = opened.file.folder.filePath(QStringLiteral("pipe"));
  ASSERT_EQ(mkfifo(pipe.toLocal8Bit().constData(), 0600), 0);
  for (const QString& no_file : {folder, pipe}) {
    EXPECT_NE(save_table(*opened.workspace.session(), opened.workspace.timeline().state(), no_file),
              QString());
    EXPECT_FALSE(QFileInfo(no_file).isFile());
  }
  const QString nowhere = QStringLiteral("/nowhere/at/all/x");
  const ViewState state = opened.workspace.timeline().state();
  RunSession& session = *opened.workspace.session();
  for (const QString& problem :
       {save_picture(opened.workspace.timeline(), QString(), nowhere),
        save_drawing(opened.workspace.timeline(), QString(), nowhere),
        save_table(session, state, nowhere), save_perfetto(session, state, nowhere)}) {
    EXPECT_TRUE(problem.contains(nowhere)) << problem.toStdString();
  }
}

TEST(Exports, NameFilesSoThatNoFileSystemMinds) {
  const RunTitle title{.name = QStringLiteral("../a/b:c*?\n<d>")};
  const QString name = export_name(title, {0, 90'000'000});
  for (const QChar bad : QStringLiteral("/\\:*?\"<>|\n")) {
    EXPECT_FALSE(name.contains(bad)) << name.toStdString();
  }
  EXPECT_FALSE(name.startsWith(u'.'));
  EXPECT_TRUE(name.contains(QStringLiteral("00-01-30"))) << name.toStdString();
}

}  // namespace
}  // namespace aftershock::gui
