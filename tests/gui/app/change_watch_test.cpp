#include "gui/app/change_watch.h"

#include <QFile>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "gui/app/change_bar.h"
#include "gui/app/follow.h"
#include "gui/app/main_window.h"
#include "gui/app/settings.h"
#include "gui/app/workspace.h"
#include "tests/gui/app/simulator.h"
#include "tests/gui/timeline/sample_run.h"

namespace aftershock::gui {
namespace {

constexpr char kMore[] = R"({"t":65000000,"r":"instant","on":"job:llm","what":"said"})"
                         "\n";
/// Longer than it takes to look.
constexpr int kQuiet_ms = 700;

/// A window that has read a recording.
struct WithFile {
  testing::SampleFile file{testing::sample_lines()};
  Settings settings;
  MainWindow window{settings, testing::kSimulator};
  Workspace workspace{window};
  Follow follow{window, workspace};
  ChangeWatch watch{window, workspace};

  WithFile() {
    window.resize(900, 500);
    window.show();
    QSignalSpy finished(&workspace, &Workspace::session_finished);
    window.open_file(file.path, 0);
    EXPECT_TRUE(!finished.isEmpty() || finished.wait(20000));
  }
  [[nodiscard]] std::string word() const { return watch.bar().text().toStdString(); }
  [[nodiscard]] bool is_told(std::string_view of) const {
    return QTest::qWaitFor([&] { return word().find(of) != std::string::npos; }, 5000);
  }
  /// Another file in its place, as programs do it.
  void replace() const {
    QFile other(file.path + QStringLiteral(".new"));
    EXPECT_TRUE(other.open(QIODevice::WriteOnly));
    other.write(QByteArray::fromStdString(testing::sample_lines() + kMore));
    other.close();
    EXPECT_EQ(std::rename(qPrintable(other.fileName()), qPrintable(file.path)), 0);
  }
  void press(const char* name) const {
    for (QToolButton* button : watch.bar().findChildren<QToolButton*>()) {
      if (button->text() == QLatin1StringView(name)) {
        button->click();
      }
    }
  }
};

TEST(ChangeWatch, TellsOfEachWayToChangeAFileUntilItIsReadAgain) {
  struct Row {
    const char* name;
    std::function<void(const WithFile&)> change;
    std::string word;
  };
  const std::string other = "x.aftershock has changed on disk since it was read.";
  for (const Row& row : {Row{"replaced", [](const WithFile& at) { at.replace(); }, other},
                         Row{"removed and written anew",
                             [](const WithFile& at) {
                               QFile::remove(at.file.path);
                               QTest::qWait(kQuiet_ms);
                               EXPECT_EQ(at.word(), "") << "what is gone is still shown";
                               at.file.add(testing::sample_lines() + kMore);
                             },
                             other},
                         Row{"added to", [](const WithFile& at) { at.file.add(kMore); },
                             "x.aftershock has more in it than was read; F5 follows it."}}) {
    SCOPED_TRACE(row.name);
    const WithFile open;
    EXPECT_EQ(open.word(), "");
    row.change(open);
    EXPECT_TRUE(open.is_told(row.word)) << open.word();
    QSignalSpy finished(&open.workspace, &Workspace::session_finished);
    open.press("Reload");
    EXPECT_TRUE(!finished.isEmpty() || finished.wait(20000));
    EXPECT_EQ(open.word(), "");
    EXPECT_EQ(const_cast<Workspace&>(open.workspace).session()->trace().last_us, 65'000'000);
  }
}

TEST(ChangeWatch, IsQuietOnceItWasClosedUntilTheNextChange) {
  const WithFile open;
  open.file.add(kMore);
  ASSERT_TRUE(open.is_told("x.aftershock"));
  open.press("Close");
  EXPECT_EQ(open.word(), "");
  QTest::qWait(kQuiet_ms);
  EXPECT_EQ(open.word(), "");
  open.replace();
  EXPECT_TRUE(open.is_told("has changed on disk"));
}

TEST(ChangeWatch, LeavesAFileThatIsReadAsItGrowsToWhoReadsIt) {
  WithFile open;
  open.window.actions().action(ActionId::kFollow)->trigger();
  open.file.add(kMore);
  EXPECT_TRUE(QTest::qWaitFor(
      [&] { return open.workspace.session()->trace().last_us == 65'000'000; }, 5000));
  QTest::qWait(kQuiet_ms);
  EXPECT_EQ(open.word(), "");
  // The end of the file is the version that was read.
  Q_EMIT open.window.run_finished(0);
  EXPECT_TRUE(QTest::qWaitFor([&] { return !open.workspace.session()->is_reading(); }, 5000));
  QTest::qWait(kQuiet_ms);
  EXPECT_EQ(open.word(), "");
  open.replace();
  EXPECT_TRUE(open.is_told("has changed on disk"));
}

TEST(ChangeWatch, ForgetsWhatIsClosed) {
  WithFile open;
  open.file.add(kMore);
  ASSERT_TRUE(open.is_told("x.aftershock"));
  open.window.close_run(0);
  EXPECT_EQ(open.word(), "");
}

TEST(ChangeWatch, KnowsOrdinaryFilesOnly) {
  const testing::SampleFile file("a");
  const auto before = version_of(file.path);
  ASSERT_TRUE(before);
  EXPECT_EQ(version_of(file.path), before);
  file.add("b");
  EXPECT_NE(version_of(file.path), before);
  EXPECT_FALSE(version_of(file.folder.path()));
  EXPECT_FALSE(version_of(QStringLiteral("/dev/null")));
  EXPECT_FALSE(version_of(QStringLiteral("/nowhere")));
}

}  // namespace
}  // namespace aftershock::gui
