#include "gui/session/run_session.h"

#include <QFile>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include "tests/gui/timeline/sample_run.h"

namespace aftershock::gui {
namespace {

using testing::header_of;
using testing::read_all;
using testing::sample_lines;
using testing::SampleFile;

TEST(RunSession, ReadsAFileAndSaysWhatItLacks) {
  const SampleFile file(sample_lines());
  RunSession session(file.path, false);
  QSignalSpy failed(&session, &RunSession::failed);
  EXPECT_EQ(session.scene(), nullptr);
  read_all(session);
  ASSERT_NE(session.scene(), nullptr);
  EXPECT_EQ(session.trace().faults.size(), 2U);
  EXPECT_EQ(session.trace().last_us, 64'000'000);
  // The record that ends a run is not there.
  ASSERT_EQ(failed.size(), 1);
  EXPECT_TRUE(failed[0][0].toString().contains(file.path));
  EXPECT_TRUE(failed[0][0].toString().contains(QStringLiteral(" 00:01:04 into the run")))
      << failed[0][0].toString().toStdString();
}

TEST(RunSession, FollowsAFileUntilToldThatItIsWhole) {
  const std::string lines = sample_lines();
  const std::size_t half = lines.find('\n', lines.size() / 2) - 3;
  const SampleFile file(lines.substr(0, half));
  RunSession session(file.path, true);
  QSignalSpy grown(&session, &RunSession::grown);
  QSignalSpy finished(&session, &RunSession::finished);
  ASSERT_TRUE(grown.wait());
  EXPECT_TRUE(session.is_reading());
  file.add(lines.substr(half));
  for (int i = 0; i < 100 && session.trace().last_us < 64'000'000; ++i) {
    grown.wait(100);
  }
  EXPECT_EQ(session.trace().last_us, 64'000'000);
  EXPECT_TRUE(finished.isEmpty());
  session.stop_growing();
  EXPECT_TRUE(!finished.isEmpty() || finished.wait());
}

TEST(RunSession, ReckonsCurvesWhileAFileGrows) {
  const std::string lines = sample_lines();
  const std::size_t half = lines.find(R"({"t":48000000,"r":"begin")");
  const SampleFile file(lines.substr(0, half));
  RunSession session(file.path, true);
  const auto ettr = [&session]() -> const Counter* {
    if (session.scene() == nullptr) {
      return nullptr;
    }
    const auto key = key_of(session.scene()->directory(), "job:llm/counter:ettr");
    const auto node = key ? find(session.scene()->tree(), *key) : std::nullopt;
    return !node ? nullptr
                 : &session.scene()->counter(
                       content_from(content_of(session.scene()->tree(), *node)[0].id).index);
  };
  ASSERT_TRUE(QTest::qWaitFor([&] { return ettr() != nullptr; }));
  EXPECT_TRUE(session.is_reading());
  EXPECT_LE(ettr()->t_us.back(), 48'000'000);
  QSignalSpy reckoned(&session, &RunSession::reckoned);
  file.add(lines.substr(half));
  ASSERT_TRUE(QTest::qWaitFor([&] { return ettr()->t_us.back() == 64'000'000; }));
  EXPECT_TRUE(session.is_reading());
  EXPECT_EQ(reckoned.size(), 1);
  session.stop_growing();
  read_all(session);
  EXPECT_TRUE(QTest::qWaitFor([&] { return !session.is_making_curves(); }));
  EXPECT_EQ(ettr()->t_us.back(), 64'000'000);
}

TEST(RunSession, FollowsAFileWhoseHeaderIsNotWholeYet) {
  const std::string lines = sample_lines();
  const SampleFile file(lines.substr(0, 20));
  RunSession session(file.path, true);
  QSignalSpy grown(&session, &RunSession::grown);
  EXPECT_FALSE(grown.wait(300));
  file.add(lines.substr(20));
  EXPECT_TRUE(grown.wait());
  session.stop_growing();
  read_all(session);
  EXPECT_EQ(session.trace().last_us, 64'000'000);
}

TEST(RunSession, HasAWordForWhatIsNoRecording) {
  for (const std::string& bytes : {std::string(), std::string("hello\n"), std::string(999, '\0')}) {
    const SampleFile file(bytes);
    RunSession session(file.path, false);
    QSignalSpy failed(&session, &RunSession::failed);
    read_all(session);
    EXPECT_EQ(session.scene(), nullptr);
    EXPECT_EQ(failed.size(), 1);
  }
}

TEST(RunSession, KeepsWhatStandsBeforeTheDamage) {
  const SampleFile file(sample_lines() + "{\"t\":oops}\n" + "{\"t\":70000000}\n");
  RunSession session(file.path, false);
  QSignalSpy failed(&session, &RunSession::failed);
  read_all(session);
  ASSERT_NE(session.scene(), nullptr);
  EXPECT_EQ(session.trace().faults.size(), 2U);
  EXPECT_EQ(failed.size(), 1);
}

TEST(RunSession, EndsInTheMiddleOfReading) {
  const SampleFile file(sample_lines());
  for (const bool growing : {false, true}) {
    const RunSession session(file.path, growing);
  }
}

}  // namespace
}  // namespace aftershock::gui
