#include "gui/why/record_words.h"

#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

std::string all_of(const char* record) {
  std::string out;
  for (const Told& told : told_by(reports::parsed(record))) {
    out += (out.empty() ? "" : "; ") + told.name + ": " + told.value + (told.is_fault ? "!" : "");
  }
  return out;
}

TEST(RecordWords, SayWhatARecordSaysWithUnits) {
  struct Case {
    const char* record;
    const char* words;
  };
  for (const Case& each : {
           Case{R"({"r":"begin","t":1,"on":"a","id":3,"what":"training","epoch":2,"cause":-5})",
                "cause: the policy; attempt: 2"},
           Case{R"({"what":"undetected","cause":7})", "cause: fault number 7!"},
           Case{R"({"what":"down","fault":0})", "cause: fault number 0!"},
           Case{R"({"cause":-9})", "cause: fault number -9"},
           Case{R"({"what":"attempt","epoch":1,"from":0})", "attempt: 1; from: the beginning"},
           Case{R"({"what":"attempt","from":7})", "from: checkpoint 7"},
           Case{R"({"from_us":7200000000,"to_us":3600000000,"lost_us":1800000000})",
                "progress before: 02:00:00; work lost: 00:30:00; progress after: 01:00:00"},
           Case{R"({"bytes":2000000000000,"sent_bytes":1500})", "bytes: 2 TB; sent bytes: 1.5 kB"},
           Case{R"({"ranks":"[[0,31],[40,40]]"})", "ranks: 0-31, 40"},
           Case{R"({"ranks":[[0,31]],"steps":20000})", "ranks: 0-31; steps: 20,000"},
           Case{R"({"text":"","held":false,"gone":null,"list":[],"yes":true})", "yes: yes"},
           Case{R"({"ranks":"[not a list","us":"x_us"})", "ranks: [not a list; us: x_us"},
           Case{R"({"lost_us":"soon","cause":"x"})", "cause: x; work lost: soon"},
           Case{"7", ""},
       }) {
    EXPECT_EQ(all_of(each.record), each.words) << each.record;
  }
}

TEST(RecordWords, BytesAreInPowersOf1000) {
  EXPECT_EQ(bytes_words(0), "0 B");
  EXPECT_EQ(bytes_words(999), "999 B");
  EXPECT_EQ(bytes_words(999'960), "1 MB");
  EXPECT_EQ(bytes_words(1'234'000), "1.2 MB");
  EXPECT_EQ(bytes_words(INT64_MAX), "9.2 EB");
}

}  // namespace
}  // namespace aftershock::gui
