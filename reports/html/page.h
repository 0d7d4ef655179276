#pragma once

#include <string>
#include <string_view>

#include "reports/html/markup.h"

namespace aftershock::reports {

/// The parts of a page, between the lines that page.html has.
struct Page {
  std::string title;  ///< text
  std::string kind;   ///< text: what it is a report of
  Html body;
  std::string data = "{}";  ///< JSON for the page's script
};

/// The whole file: needs nothing else, asks for nothing from outside, and is the same for the same
/// page.
std::string page_html(const Page& page);

/// The page, which says that it is of `source`: names of what was read for it.
std::string with_source(std::string page, std::string_view source);

/// Whether a file begins as a page of that source.
bool is_page_of(std::string_view beginning, std::string_view source);

/// Whether a file begins as our pages do, so that a new one may take its place.
bool is_report_page(std::string_view beginning);

}  // namespace aftershock::reports
