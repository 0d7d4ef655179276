#pragma once

#include <string>
#include <string_view>

namespace aftershock::gui {

/// A JSON text without the elements of its longest lists, whose keys are the summary's for what
/// grows with a run: recoveries, charges, trials and the like. To read what is left takes no time.
/// One pass over the text; invalid JSON comes out as some other invalid text.
std::string without_long_lists(std::string_view json);

}  // namespace aftershock::gui
