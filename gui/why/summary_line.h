#pragma once

#include "reports/json/json_value.h"

namespace aftershock::gui {

/// The summary in the line that ends a recording, with or without what is around it there.
const reports::JsonValue& summary_in(const reports::JsonValue& line);

}  // namespace aftershock::gui
