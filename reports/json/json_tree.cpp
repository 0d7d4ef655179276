#include "reports/json/json_tree.h"

#include <cmath>
#include <utility>

namespace aftershock::reports {

nlohmann::ordered_json& JsonTree::put(nlohmann::ordered_json of) {
  if (of.is_number_float() && !std::isfinite(of.get<double>())) {
    of = nullptr;
  }
  if (open_.empty()) {
    root_ = std::move(of);
    return root_;
  }
  nlohmann::ordered_json& in = *open_.back();
  if (in.is_array()) {
    in.push_back(std::move(of));
    return in.back();
  }
  // Keys are never looked up: every member comes once.
  auto& members = in.get_ref<nlohmann::ordered_json::object_t&>();
  return members.Container::emplace_back(key_, std::move(of)).second;
}

void JsonTree::open_object() {
  open(nlohmann::ordered_json::object());
  // Keys of a tree are constant, so that each growth copies all of them.
  constexpr std::size_t kMembers = 16;
  open_.back()->get_ref<nlohmann::ordered_json::object_t&>().reserve(kMembers);
}

void JsonTree::close() { open_.pop_back(); }

nlohmann::ordered_json JsonTree::take() { return std::move(root_); }

}  // namespace aftershock::reports
