#pragma once

#include <string>
#include <string_view>

#include "reports/html/markup.h"

namespace aftershock::reports {

/// What is between the lines of every page, which page.html has.
struct Page {
  std::string title;  ///< text
  std::string kind;   ///< text: what it is a report of
  Html body;
  std::string data = "{}";  ///< JSON for the page's script
};

/// The whole file: needs nothing else, asks for nothing from outside, and is the same for the same
/// page.
std::string page_html(const Page& page);

/// Whether a file begins as our pages do, so that a new one may take its place.
bool is_report_page(std::string_view beginning);

}  // namespace aftershock::reports
