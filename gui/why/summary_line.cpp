#include "gui/why/summary_line.h"

namespace aftershock::gui {

const reports::JsonValue& summary_in(const reports::JsonValue& line) {
  const reports::JsonValue& inner = reports::part(line, "summary");
  return inner.is_object() ? inner : line;
}

}  // namespace aftershock::gui
