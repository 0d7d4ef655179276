#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "policies/device_codes/device_code.h"
#include "reports/render/style.h"

// Codes of devices as tables for people.
namespace aftershock::sim::cli {

/// Codes of one family.
using DeviceCodes = std::vector<const policies::DeviceCode*>;

/// The word of the list that an Ascend code stands in; empty for an Xid.
std::string_view level_of(const policies::DeviceCode& code);
/// The cause of an Ascend code; the action that an Xid asks for.
std::string_view class_of(const policies::DeviceCode& code);

/// Every code on a line, those of each subject below a heading.
std::string codes_text(const DeviceCodes& codes, const reports::Style& style);

/// The same below what is done about them, the most serious first. `kept_back`: codes that are
/// counted at the end.
std::string important_codes_text(const DeviceCodes& codes, std::size_t kept_back,
                                 const reports::Style& style);

/// One table of all in GitHub's Markdown.
std::string codes_markdown(const DeviceCodes& codes);

}  // namespace aftershock::sim::cli
