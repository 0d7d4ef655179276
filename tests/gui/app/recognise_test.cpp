#include "gui/app/recognise.h"

#include <QTemporaryDir>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace aftershock::gui {
namespace {

TEST(Recognise, ByContentNotByName) {
  struct Case {
    std::string text;
    FileUse use;
    const char* problem;  // a part of it
  };
  const QTemporaryDir dir;
  const std::string path = dir.path().toStdString() + "/misleading.png";
  for (const Case& c : {
           Case{R"({"r":"header","schema":1,"scenario":{}})"
                "\n",
                FileUse::kRecording, ""},
           Case{R"({"r":"header","sch)", FileUse::kRecording, ""},
           Case{R"({"r":"header","schema":99})"
                "\n",
                FileUse::kNeither, "schema"},
           Case{R"({"schema": 1, "jobs": [)", FileUse::kScenario, ""},
           Case{"\n\n {\n \"extends\": \"a.json\"}", FileUse::kScenario, ""},
           Case{"", FileUse::kNeither, "is empty"},
           Case{R"({"traceEvents":[{"name":"a","ph":"X","ts":1}]})", FileUse::kNeither,
                "a Chrome trace"},
           Case{R"([{"name":"a","ph":"X","ts":1},)", FileUse::kNeither, "a Chrome trace"},
           Case{R"({"verdict":"passed","hash":"0","jobs":[]})", FileUse::kNeither,
                "the summary of a run"},
           Case{R"({"$schema":"https://json-schema.org/x","properties":{"jobs":{}}})",
                FileUse::kNeither, "a JSON Schema"},
           Case{R"({"schema":1,"revision":3,"runs":{}})", FileUse::kNeither, "notes"},
           Case{R"({"a":1})", FileUse::kNeither, "neither a recording nor a scenario"},
           Case{"hello\n", FileUse::kNeither, "text, but"},
           Case{std::string("\x89PNG\r\n\x1a\n", sizeof("\x89PNG\r\n\x1a\n") - 1),
                FileUse::kNeither, "a picture"},
           Case{std::string("\x1f\x8b\x08", sizeof("\x1f\x8b\x08") - 1), FileUse::kNeither, "gzip"},
           Case{std::string("PK\x03\x04", sizeof("PK\x03\x04") - 1), FileUse::kNeither,
                "a zip archive"},
           Case{std::string("SQLite format 3\0", sizeof("SQLite format 3\0") - 1),
                FileUse::kNeither, "a database"},
           Case{std::string("\x0a\x10\x08\x01\x00\x02", sizeof("\x0a\x10\x08\x01\x00\x02") - 1),
                FileUse::kNeither, "Perfetto"},
           Case{std::string("\x00\x01\x02", sizeof("\x00\x01\x02") - 1), FileUse::kNeither,
                "neither a recording nor a scenario"},
       }) {
    std::ofstream(path, std::ios::binary) << c.text;
    const Recognised found = recognise_file(path);
    EXPECT_EQ(found.use, c.use) << c.text << "\n" << found.problem;
    EXPECT_NE(found.problem.find(c.problem), std::string::npos) << found.problem;
    EXPECT_EQ(found.use == FileUse::kNeither, found.problem.find(path) != std::string::npos)
        << found.problem;
  }
}

TEST(Recognise, WhatIsNoFile) {
  const QTemporaryDir dir;
  const std::string folder = dir.path().toStdString();
  const std::string pipe = folder + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  struct Case {
    std::string path;
    const char* problem;
  };
  for (const Case& c : {Case{folder, "directory"}, Case{folder + "/gone", "No such file"},
                        Case{pipe, "is a pipe"}, Case{"/dev/zero", "is a device"},
                        Case{"/dev/null", "is a device"}, Case{"", "No such file"}}) {
    const Recognised found = recognise_file(c.path);
    EXPECT_EQ(found.use, FileUse::kNeither) << c.path;
    EXPECT_NE(found.problem.find(c.problem), std::string::npos) << found.problem;
  }
}

TEST(Recognise, EveryShippedScenario) {
  for (const char* path : {"scenarios/quickstart.json", "scenarios/llama3_54_days.json"}) {
    EXPECT_EQ(recognise_file(path).use, FileUse::kScenario) << path;
  }
  EXPECT_EQ(recognise_file("scenarios/aftershock.schema.json").use, FileUse::kNeither);
}

}  // namespace
}  // namespace aftershock::gui
