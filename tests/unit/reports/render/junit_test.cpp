#include "reports/render/junit.h"

#include <gtest/gtest.h>

namespace aftershock::reports {
namespace {

TEST(Junit, TextsAreWhatXmlCanHold) {
  EXPECT_EQ(xml_text("a<b>&\"'\t\n\x01\xff\xe4\xb8\xad\xef\xbf\xbe"),
            "a&lt;b&gt;&amp;&quot;'\t\n\xef\xbf\xbd\xef\xbf\xbd\xe4\xb8\xad\xef\xbf\xbd");
}

TEST(Junit, ADocumentSumsItsSuites) {
  JunitSuite first("a<b");
  first.passed({.of_class = "c", .of_case = "1"});
  first.passed({.of_class = "c", .of_case = "2"}, "x & y");
  first.skipped({.of_class = "c", .of_case = "3"}, "not \"now\"");
  JunitSuite second("s");
  second.broken({.of_class = "d", .of_case = "4"}, JunitSuite::Fault::kFailure, "worse", "less",
                "0 < 1\n");
  second.broken({.of_class = "d", .of_case = "5"}, JunitSuite::Fault::kError, "unusable", "no", "");
  EXPECT_EQ(junit_document("all", {first, second}),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites name=\"all\" tests=\"5\" failures=\"1\" errors=\"1\">\n"
            " <testsuite name=\"a&lt;b\" tests=\"3\" failures=\"0\" errors=\"0\" skipped=\"1\">\n"
            "  <testcase classname=\"c\" name=\"1\"/>\n"
            "  <testcase classname=\"c\" name=\"2\">\n"
            "   <system-out>x &amp; y</system-out>\n"
            "  </testcase>\n"
            "  <testcase classname=\"c\" name=\"3\">\n"
            "   <skipped message=\"not &quot;now&quot;\"/>\n"
            "  </testcase>\n"
            " </testsuite>\n"
            " <testsuite name=\"s\" tests=\"2\" failures=\"1\" errors=\"1\" skipped=\"0\">\n"
            "  <testcase classname=\"d\" name=\"4\">\n"
            "   <failure type=\"worse\" message=\"less\">0 &lt; 1\n</failure>\n"
            "  </testcase>\n"
            "  <testcase classname=\"d\" name=\"5\">\n"
            "   <error type=\"unusable\" message=\"no\"></error>\n"
            "  </testcase>\n"
            " </testsuite>\n"
            "</testsuites>\n");
}

}  // namespace
}  // namespace aftershock::reports
