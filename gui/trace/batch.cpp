#include "gui/trace/batch.h"

#include <functional>

#include "gui/trace/text_table.h"

namespace aftershock::gui {

Batch::Piece Batch::keep(std::string_view text) {
  const Piece kept{static_cast<std::uint32_t>(text_.size()),
                   static_cast<std::uint32_t>(text.size())};
  text_ += text;
  return kept;
}

void Batch::add(const reports::Record& record) {
  Item item{.kind = record.kind,
            .line = record.line,
            .t_us = record.t_us,
            .id = record.id,
            .cause = record.cause,
            .on_hash = 0,
            .on = {},
            .what = {},
            .text = {}};
  // Ends are half of all lines, and all that they say is in the columns.
  if (record.kind != reports::LineKind::kEnd && record.kind != reports::LineKind::kSnapshot) {
    item.text = keep(record.text);
    const char* begin = record.text.data();
    const auto part = [&](std::string_view text) {
      const bool inside = !text.empty() && !std::less<>()(text.data(), begin) &&
                          std::less<>()(text.data(), begin + record.text.size());
      return inside ? Piece{item.text.at + static_cast<std::uint32_t>(text.data() - begin),
                            static_cast<std::uint32_t>(text.size())}
                    : keep(text);
    };
    item.on = part(record.on);
    item.what = part(record.what);
    item.on_hash = TextTable::hash_of(record.on);
  }
  items_.push_back(item);
}

void Batch::clear() {
  text_.clear();
  items_.clear();
  line_marks.clear();
  end.reset();
  frames.clear();
}

reports::Record Batch::record(std::size_t i) const {
  const Item& item = items_[i];
  const std::string_view all = text_;
  reports::Record record;
  record.kind = item.kind;
  record.line = item.line;
  record.t_us = item.t_us;
  record.id = item.id;
  record.cause = item.cause;
  record.on = all.substr(item.on.at, item.on.size);
  record.what = all.substr(item.what.at, item.what.size);
  record.text = all.substr(item.text.at, item.text.size);
  return record;
}

}  // namespace aftershock::gui
