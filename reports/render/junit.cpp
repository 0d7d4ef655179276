#include "reports/render/junit.h"

#include <fmt/format.h>

#include "reports/render/utf8.h"

namespace aftershock::reports {

std::string xml_text(std::string_view text) {
  std::string out;
  for (const Glyph& glyph : glyphs(text)) {
    if (glyph.code == '&') {
      out += "&amp;";
    } else if (glyph.code == '<') {
      out += "&lt;";
    } else if (glyph.code == '>') {
      out += "&gt;";
    } else if (glyph.code == '"') {
      out += "&quot;";
    } else if (glyph.code == '\n' || glyph.code == '\t') {
      out += glyph.bytes;
    } else if (!glyph.valid || is_control(glyph) || glyph.code == 0xFFFE || glyph.code == 0xFFFF) {
      out += "\xEF\xBF\xBD";
    } else {
      out += glyph.bytes;
    }
  }
  return out;
}

void JunitSuite::open(const Name& name) {
  ++tests_;
  cases_ += fmt::format("  <testcase classname=\"{}\" name=\"{}\"", xml_text(name.of_class),
                        xml_text(name.of_case));
}

void JunitSuite::passed(const Name& name) {
  open(name);
  cases_ += "/>\n";
}

void JunitSuite::passed(const Name& name, std::string_view said) {
  open(name);
  cases_ += fmt::format(">\n   <system-out>{}</system-out>\n  </testcase>\n", xml_text(said));
}

void JunitSuite::skipped(const Name& name, std::string_view why) {
  open(name);
  ++skipped_;
  cases_ += fmt::format(">\n   <skipped message=\"{}\"/>\n  </testcase>\n", xml_text(why));
}

void JunitSuite::broken(const Name& name, Fault fault, std::string_view type,
                        std::string_view message, std::string_view body) {
  open(name);
  ++(fault == Fault::kError ? errors_ : failures_);
  cases_ += fmt::format(">\n   <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n  </testcase>\n",
                        fault == Fault::kError ? "error" : "failure", xml_text(type),
                        xml_text(message), xml_text(body));
}

std::string junit_document(std::string_view name, const std::vector<JunitSuite>& suites) {
  JunitSuite sum(name);
  for (const JunitSuite& suite : suites) {
    sum.cases_ += fmt::format(
        " <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n{}"
        " </testsuite>\n",
        xml_text(suite.name_), suite.tests_, suite.failures_, suite.errors_, suite.skipped_,
        suite.cases_);
    sum.tests_ += suite.tests_;
    sum.failures_ += suite.failures_;
    sum.errors_ += suite.errors_;
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" tests=\"{}\" "
      "failures=\"{}\" errors=\"{}\">\n{}</testsuites>\n",
      xml_text(name), sum.tests_, sum.failures_, sum.errors_, sum.cases_);
}

}  // namespace aftershock::reports
