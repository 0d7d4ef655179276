#include <QApplication>
#include <QFontDatabase>
#include <QSettings>
#include <QTemporaryDir>
#include <cstdio>
#include <filesystem>

#include <gtest/gtest.h>

#include "gui/theme/theme.h"

namespace {

/// Qt says on standard error what it was asked to do and could not: that is a failed test.
void fail_at_message(QtMsgType type, const QMessageLogContext&, const QString& message) {
  // Without a screen there is no window manager to tell of sizes and of what is in front.
  const bool of_platform = message.startsWith(QStringLiteral("This plugin does not support "));
  if (type != QtDebugMsg && type != QtInfoMsg && !of_platform) {
    ADD_FAILURE() << "Qt: " << message.toStdString();
  }
}

/// Pictures are the same on every machine, and the settings of this machine's user are left alone.
void settle_environment(const QString& home) {
  const QByteArray folder = home.toUtf8();
  for (const char* name : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"}) {
    qputenv(name, folder);
  }
  const std::filesystem::path runtime = folder.toStdString() + "/runtime";
  std::filesystem::create_directory(runtime);
  std::filesystem::permissions(runtime, std::filesystem::perms::owner_all);
  qputenv("XDG_RUNTIME_DIR", runtime.c_str());
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
  }
  for (const char* name :
       {"QT_STYLE_OVERRIDE", "QT_QPA_PLATFORMTHEME", "QT_SCREEN_SCALE_FACTORS", "QT_FONT_DPI"}) {
    qunsetenv(name);
  }
  // Tests that need a simulator name theirs.
  qunsetenv("AFTERSHOCK_EXECUTABLE");
  qputenv("QT_SCALE_FACTOR", "1");
  qputenv("LC_ALL", "C.UTF-8");
  qputenv("TZ", "UTC");
}

/// The settings that a test keeps for the next start of the viewer, and the size of its text, are
/// not the next test's, which may be of the same process or not.
class FreshSettings : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo&) override {
    QSettings store(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("aftershock"),
                    QStringLiteral("viewer"));
    store.clear();
    store.sync();
    QApplication::setFont(QFont(QStringLiteral("DejaVu Sans"), 10));
    aftershock::gui::apply_theme(aftershock::gui::Theme::kDark);
  }
};

}  // namespace

int main(int count, char** arguments) {
  ::testing::InitGoogleTest(&count, arguments);
  // ctest asks for the list of tests, without a need for fonts.
  if (GTEST_FLAG_GET(list_tests)) {
    return RUN_ALL_TESTS();
  }
  const QTemporaryDir home;
  settle_environment(home.path());
  const QApplication application(count, arguments);
  qInstallMessageHandler(fail_at_message);
  if (!QFontDatabase::families().contains(QStringLiteral("DejaVu Sans"))) {
    // Without fonts text is just not there, and tests of how it looks would pass.
    std::fputs("the font DejaVu Sans is missing (Debian: fonts-dejavu-core)\n", stderr);
    return 1;
  }
  testing::UnitTest::GetInstance()->listeners().Append(new FreshSettings);
  return RUN_ALL_TESTS();
}
