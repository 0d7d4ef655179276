#pragma once

#include <string_view>

// The assets of pages, put into the program when it is built (write_assets.cmake).
namespace aftershock::reports {

/// page.html, whose places to fill are words between at signs.
extern const std::string_view kPageTemplate;
/// page.css, and what a policy of content calls it: SHA-256 in Base64.
extern const std::string_view kPageStyle;
extern const std::string_view kPageStyleHash;
/// The modules of d3 and our own scripts, in one.
extern const std::string_view kPageScript;
extern const std::string_view kPageScriptHash;
/// The licences of those modules, as Debian has them.
extern const std::string_view kPageLicences;

}  // namespace aftershock::reports
