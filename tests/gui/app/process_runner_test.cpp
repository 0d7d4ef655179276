#include "gui/app/process_runner.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include "gui/app/open_run.h"
#include "gui/app/recognise.h"
#include "gui/app/run_again_dialog.h"
#include "tests/gui/app/simulator.h"

namespace aftershock::gui {
namespace {

using testing::kLong;
using testing::kQuickstart;
using testing::kSimulator;

struct Watched {
  explicit Watched(const QString& simulator = kSimulator) : runner(simulator) {}

  ProcessRunner runner;
  QSignalSpy started{&runner, &ProcessRunner::recording_started};
  QSignalSpy progressed{&runner, &ProcessRunner::progressed};
  QSignalSpy ended{&runner, &ProcessRunner::ended};

  RunEnd end() {
    EXPECT_TRUE(!ended.isEmpty() || ended.wait(kLong));
    EXPECT_EQ(ended.size(), 1);
    return ended.isEmpty() ? RunEnd() : ended.takeFirst().at(0).value<RunEnd>();
  }
};

/// A program in place of the simulator: a shell script that gets its arguments.
QString script(const QTemporaryDir& dir, const QByteArray& text) {
  const QString path = dir.filePath(QStringLiteral("aftershock"));
  QFile file(path);
  EXPECT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("#!/bin/sh\nrecord=$5\n" + text);
  file.close();
  file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  return path;
}

constexpr const char* kHeader =
    R"(echo '{"r":"header","schema":1,"scenario":{"until":"1h"}}' >"$record")"
    "\n";

TEST(ProcessRunner, RunsAScenarioAndKeepsItsRecordingWhileItLives) {
  QString path;
  {
    Watched run;
    run.runner.start({.scenario = kQuickstart});
    EXPECT_TRUE(run.runner.is_running());
    const RunEnd end = run.end();
    EXPECT_EQ(end.message, QString());
    EXPECT_TRUE(end.usable);
    EXPECT_FALSE(run.runner.is_running());
    ASSERT_EQ(run.started.size(), 1);
    path = run.started[0][0].toString();
    EXPECT_EQ(path, run.runner.recording());
    EXPECT_TRUE(path.endsWith(QStringLiteral("/quickstart.aftershock")));
    EXPECT_EQ(recognise_file(path.toStdString()).use, FileUse::kRecording);
    // The last record of quickstart is at 2d 20:33:55.021968, its horizon at 3 days.
    EXPECT_EQ(run.progressed.last()[0].toLongLong(), 246'835'021'968);
    EXPECT_EQ(run.progressed.last()[1].toLongLong(), 259'200'000'000);
  }
  EXPECT_FALSE(QFile::exists(path)) << "a temporary recording goes";
}

TEST(ProcessRunner, KeepsARecordingWhereItIsTold) {
  const QTemporaryDir dir;
  const QString path = dir.filePath(QStringLiteral("kept.aftershock.zst"));
  {
    Watched run;
    run.runner.start({.scenario = kQuickstart, .record = path});
    EXPECT_TRUE(run.end().usable);
    EXPECT_FALSE(run.runner.is_temporary());
  }
  EXPECT_TRUE(QFile::exists(path));
}

TEST(ProcessRunner, SaysWhatTheScenarioLacks) {
  Watched run;
  run.runner.start({.scenario = kQuickstart,
                    .options = {QStringLiteral("--set"), QStringLiteral("/jobs/0/stepz=1")}});
  const RunEnd end = run.end();
  EXPECT_FALSE(end.usable);
  EXPECT_TRUE(run.started.isEmpty());
  EXPECT_TRUE(end.message.contains(QStringLiteral("stepz"))) << end.message.toStdString();
}

TEST(ProcessRunner, AFailedExpectationIsAResult) {
  Watched run;
  run.runner.start({.scenario = kQuickstart,
                    .options = {QStringLiteral("--set"),
                                QStringLiteral("/jobs/0/policy/config/max_failures=1")}});
  const RunEnd end = run.end();
  EXPECT_TRUE(end.usable);
  EXPECT_TRUE(end.message.contains(QStringLiteral("expectation"))) << end.message.toStdString();
}

TEST(ProcessRunner, OpensBeforeTheEndAndIsStopped) {
  const QTemporaryDir dir;
  Watched run(script(dir, QByteArray(kHeader) +
                              R"(echo '{"t":1800000000,"r":"instant","what":"x"}' >>"$record")"
                              "\nprintf '{\"t\":99' >>\"$record\"\nexec sleep 60\n"));
  run.runner.start({.scenario = kQuickstart});
  ASSERT_TRUE(run.started.wait(kLong));
  ASSERT_TRUE(!run.progressed.isEmpty() || run.progressed.wait(kLong));
  EXPECT_EQ(run.progressed.last()[0].toLongLong(), 1'800'000'000) << "not of the cut line";
  EXPECT_EQ(run.progressed.last()[1].toLongLong(), 3'600'000'000);
  EXPECT_TRUE(run.runner.is_running());
  run.runner.cancel();
  const RunEnd end = run.end();
  EXPECT_TRUE(end.cancelled);
  EXPECT_TRUE(end.usable);
}

// A live run ends with its job, whatever `until` says.
TEST(ProcessRunner, ABackendHasRealProcessesRunAndNobodyKnowsHowLong) {
  Watched run;
  run.runner.start(
      {.scenario = QStringLiteral("scenarios/live/torchrun/worker_killed.json"),
       .options = {
           QStringLiteral("--backend"), QStringLiteral("torchrun"), QStringLiteral("--facts"),
           QStringLiteral("tests/data/live/runs/torchrun/worker_killed-1.facts.ndjson.zst")}});
  const RunEnd end = run.end();
  EXPECT_EQ(end.message, QString());
  EXPECT_EQ(end.exit_code, 0);
  ASSERT_EQ(run.started.size(), 1);
  ASSERT_FALSE(run.progressed.isEmpty());
  EXPECT_GT(run.progressed.last()[0].toLongLong(), 0);
  EXPECT_EQ(run.progressed.last()[1].toLongLong(), 0);
}

TEST(ProcessRunner, ALiveRunThatIsStoppedHasTimeToEndItsProcesses) {
  const QTemporaryDir dir;
  // Longer than a simulated run is given.
  Watched run(script(dir, QByteArray("trap 'sleep 3; echo >\"$record.gone\"; exit 8' TERM\n") +
                              kHeader + "while :; do sleep 0.1; done\n"));
  run.runner.start({.scenario = kQuickstart,
                    .options = {QStringLiteral("--backend"), QStringLiteral("torchrun")}});
  ASSERT_TRUE(run.started.wait(kLong));
  run.runner.cancel();
  EXPECT_TRUE(run.end().cancelled);
  EXPECT_TRUE(QFile::exists(run.runner.recording() + QStringLiteral(".gone")));
}

TEST(ProcessRunner, KillsAChildThatDoesNotListen) {
  const QTemporaryDir dir;
  Watched run(
      script(dir, QByteArray("trap '' TERM\n") + kHeader + "while :; do sleep 0.1; done\n"));
  run.runner.start({.scenario = kQuickstart});
  ASSERT_TRUE(run.started.wait(kLong));
  run.runner.cancel();
  EXPECT_TRUE(run.end().cancelled);
}

TEST(ProcessRunner, SaysHowAChildDied) {
  struct Case {
    const char* text;
    const char* message;
  };
  const QTemporaryDir dir;
  for (const Case& c : {Case{"kill -SEGV $$\n", "ended by a signal"},
                        Case{"echo 'oh <b>no</b>' >&2; exit 6\n", "oh <b>no</b>"},
                        Case{"exit 17\n", "exit code 17"},
                        Case{"yes | head -c 10000000 >&2; exit 2\n", "cannot be used"}}) {
    Watched run(script(dir, c.text));
    run.runner.start({.scenario = kQuickstart});
    const RunEnd end = run.end();
    EXPECT_FALSE(end.usable);
    EXPECT_TRUE(end.message.contains(QLatin1StringView(c.message))) << end.message.toStdString();
    EXPECT_LT(end.message.size(), 20000);
  }
}

TEST(ProcessRunner, SaysThatThereIsNoSimulator) {
  for (const QString& simulator : {QString(), QStringLiteral("/nowhere/aftershock")}) {
    Watched run(simulator);
    run.runner.start({.scenario = kQuickstart});
    const RunEnd end = run.end();
    EXPECT_FALSE(end.usable);
    EXPECT_TRUE(end.message.contains(QStringLiteral("aftershock"))) << end.message.toStdString();
    EXPECT_FALSE(run.runner.is_running());
  }
}

TEST(FindSimulator, BesideThenInPathThenAsNamed) {
  const QTemporaryDir beside;
  const QTemporaryDir in_path;
  const QTemporaryDir empty;
  const QByteArray old_path = qgetenv("PATH");
  const QString first = script(beside, "");
  const QString second = script(in_path, "");
  qputenv("PATH", in_path.path().toUtf8());
  EXPECT_EQ(find_simulator(beside.path()), first);
  EXPECT_EQ(find_simulator(empty.path()), second);
  qputenv("PATH", empty.path().toUtf8());
  EXPECT_EQ(find_simulator(empty.path()), QString());
  qputenv("AFTERSHOCK_EXECUTABLE", kSimulator.toUtf8());
  EXPECT_EQ(find_simulator(empty.path()), kSimulator);
  qputenv("AFTERSHOCK_EXECUTABLE", empty.path().toUtf8());
  EXPECT_EQ(find_simulator(empty.path()), QString()) << "a folder is not a program";
  qunsetenv("AFTERSHOCK_EXECUTABLE");
  qputenv("PATH", old_path);
}

TEST(ShellCommand, IsReadBackByAShell) {
  EXPECT_EQ(shell_command({QStringLiteral("aftershock-viewer"), QStringLiteral("a/b.aftershock"),
                           QStringLiteral("my run"), QStringLiteral("it's $HOME"), QString()}),
            QStringLiteral("aftershock-viewer a/b.aftershock 'my run' 'it'\\''s $HOME' ''"));
}

}  // namespace
}  // namespace aftershock::gui
