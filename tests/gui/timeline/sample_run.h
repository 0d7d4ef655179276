#pragma once

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <string>

#include <gtest/gtest.h>

#include "gui/session/run_session.h"
#include "reports/recording/header.h"

namespace aftershock::gui::testing {

/// A header with a job on a pool of so many nodes.
inline std::string header_of(std::int64_t nodes) {
  reports::RecordingHeader header;
  header.entities = {{"node", "gpu", 0, nodes, "gpu-%d", 0, 0, "gpu"}};
  header.policies = {{"ray@1", {}, {}, {}}};
  header.jobs = {{"llm", "ray@1", 8, 8, "gpu", {}, 0}};
  return reports::header_line(header) + "\n";
}

/// A job that trains for 32 s, restores for 16 s and trains for 16 s, because a node crashes at
/// 32 s and is down from then on; another crashes at 48 s.
inline std::string sample_lines() {
  const std::string crash = R"("kind":"node_crash","what":"power","outcome":"fired"})";
  return header_of(4) + R"({"t":0,"r":"begin","on":"job:llm","id":1,"what":"training"}
{"t":32000000,"r":"end","id":1}
{"t":32000000,"r":"begin","on":"job:llm","id":2,"what":"restoring"}
{"t":32000000,"r":"fault","on":"node:gpu-1","number":0,"id":"a","target":"node:gpu-1",)" +
         crash + R"(
{"t":32000000,"r":"begin","on":"node:gpu-1","id":3,"what":"down"}
{"t":48000000,"r":"end","id":2}
{"t":48000000,"r":"begin","on":"job:llm","id":4,"what":"training"}
{"t":48000000,"r":"fault","on":"node:gpu-2","number":1,"id":"b","target":"node:gpu-2",)" +
         crash + R"(
{"t":64000000,"r":"end","id":4}
)";
}

/// A file in a folder that goes with it.
struct SampleFile {
  QTemporaryDir folder;
  QString path = folder.filePath(QStringLiteral("x.aftershock"));

  explicit SampleFile(const std::string& bytes) { add(bytes); }
  void add(const std::string& bytes) const {
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::Append));
    EXPECT_EQ(file.write(bytes.data(), static_cast<qint64>(bytes.size())),
              static_cast<qint64>(bytes.size()));
  }
};

/// A session that has read its file.
inline void read_all(RunSession& session) {
  QSignalSpy finished(&session, &RunSession::finished);
  ASSERT_TRUE(!session.is_reading() || finished.wait(60000));
}

}  // namespace aftershock::gui::testing
