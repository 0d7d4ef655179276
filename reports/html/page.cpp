#include "reports/html/page.h"

#include <map>

#include <fmt/format.h>

#include "base/assert.h"
#include "reports/html/assets.h"

namespace aftershock::reports {
namespace {

constexpr std::string_view kMark = "<meta name=\"generator\" content=\"aftershock report\">";
constexpr std::string_view kSource = "<meta name=\"source\" content=\"";

/// Links to the sections of a body, by their headings.
std::string links_of(std::string_view body) {
  static constexpr std::string_view kHeading = "<h2 id=\"";
  static constexpr std::string_view kEnd = "-heading\">";
  std::string out;
  for (std::size_t at = 0; (at = body.find(kHeading, at)) != body.npos;) {
    at += kHeading.size();
    const std::size_t end = body.find(kEnd, at);
    const std::size_t close = body.find("</h2>", end);
    out += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", body.substr(at, end - at),
                       body.substr(end + kEnd.size(), close - end - kEnd.size()));
    at = close;
  }
  return out;
}

}  // namespace

std::string page_html(const Page& page) {
  AFTERSHOCK_ASSERT(page.data.starts_with('{'));
  const std::string title = html_text(page.title);
  const std::string kind = html_text(page.kind);
  const std::string links = links_of(page.body.markup());
  const std::string data = script_json(page.data);
  const std::string licences = html_text(kPageLicences);
  const std::map<std::string_view, std::string_view> places{{"TITLE", title},
                                                            {"KIND", kind},
                                                            {"MARK", kMark},
                                                            {"STYLE", kPageStyle},
                                                            {"STYLE_HASH", kPageStyleHash},
                                                            {"LINKS", links},
                                                            {"BODY", page.body.markup()},
                                                            {"DATA", data},
                                                            {"SCRIPT", kPageScript},
                                                            {"SCRIPT_HASH", kPageScriptHash},
                                                            {"LICENCES", licences}};
  std::string out;
  std::string_view rest = kPageTemplate;
  // A filled-in text is not looked at again: it may have words between at signs of its own.
  for (std::size_t from = 0; (from = rest.find('@')) != rest.npos;) {
    const std::size_t to = rest.find('@', from + 1);
    const auto place = places.find(rest.substr(from + 1, to - from - 1));
    out += rest.substr(0, from);
    out += place == places.end() ? rest.substr(from, to + 1 - from) : place->second;
    rest.remove_prefix(to + 1);
  }
  return out + std::string(rest);
}

std::string with_source(std::string page, std::string_view source) {
  const std::size_t mark = page.find(kMark);
  if (mark != page.npos) {
    page.insert(mark + kMark.size(), fmt::format("\n{}{}\">", kSource, html_text(source)));
  }
  return page;
}

bool is_page_of(std::string_view beginning, std::string_view source) {
  const std::string own = with_source(std::string(kMark), source);
  return is_report_page(beginning) && beginning.find(own) != beginning.npos;
}

bool is_report_page(std::string_view beginning) {
  return beginning.starts_with("<!DOCTYPE html>") && beginning.find(kMark) != beginning.npos;
}

}  // namespace aftershock::reports
