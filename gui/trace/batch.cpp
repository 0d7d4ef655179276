#include "gui/trace/batch.h"

namespace aftershock::gui {

Batch::Piece Batch::keep(std::string_view text) {
  const Piece kept{static_cast<std::uint32_t>(text_.size()),
                   static_cast<std::uint32_t>(text.size())};
  text_ += text;
  return kept;
}

void Batch::clear() {
  text_.clear();
  items_.clear();
  said_.clear();
  names_.clear();
  first_line_ = 0;
  first_name_ = 0;
  line_marks.clear();
  end.reset();
  compressed = false;
  frames.clear();
}

}  // namespace aftershock::gui
