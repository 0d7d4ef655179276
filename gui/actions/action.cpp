#include "gui/actions/action.h"

#include "base/assert.h"

namespace aftershock::gui {

const std::vector<ActionSpec>& action_table() {
  static const std::vector<ActionSpec> kTable = [] {
    std::vector<ActionSpec> all;
    for (const auto& part : {file_and_edit_actions(), view_actions(), go_actions()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  return kTable;
}

ActionId go_slot(int slot) {
  AFTERSHOCK_ASSERT(slot >= 1 && slot <= kSlots);
  return static_cast<ActionId>(static_cast<int>(ActionId::kGoSlot1) + slot - 1);
}

ActionId store_slot(int slot) {
  AFTERSHOCK_ASSERT(slot >= 1 && slot <= kSlots);
  return static_cast<ActionId>(static_cast<int>(ActionId::kStoreSlot1) + slot - 1);
}

std::vector<std::string_view> split_keys(std::string_view text) {
  std::vector<std::string_view> keys;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    if (end != 0) {
      keys.push_back(text.substr(0, end));
    }
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return keys;
}

}  // namespace aftershock::gui
