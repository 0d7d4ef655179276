#pragma once

#include <string>

#include "gui/why/json.h"

namespace aftershock::gui {

/// What a controller saw or ordered, in words: "workers failed: epoch 1, exit code 1, ranks 5". Of
/// its members those that say nothing (empty, null, false) are left out, and so is the job.
/// Not yet fit to be shown: see display_text.
std::string in_words(const Json& record);

}  // namespace aftershock::gui
