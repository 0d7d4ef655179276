#pragma once

#include <string>

#include "reports/json/json_value.h"

namespace aftershock::reports {

/// A controller's observation or order, in words: "workers failed: epoch 1, exit code 1, ranks 5".
/// Of its members those that say nothing (empty, null, false) are left out, and so is the job. Not
/// yet fit to be shown: see display_text.
std::string in_words(const JsonValue& record);
/// One value of it: "0-31, 40", "(limit 3, used 2)".
std::string value_in_words(const JsonValue& value);
/// Whether it stands for nothing: empty, null, false.
bool says_nothing(const JsonValue& value);

}  // namespace aftershock::reports
