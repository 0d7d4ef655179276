#include "sim/scenario/text/error_list.h"

#include <algorithm>
#include <utility>

#include "sim/scenario/text/target_meant.h"

namespace aftershock::sim::scenario {
namespace {

constexpr std::size_t kMostErrors = 20;

/// Extends `pointer` to the value; false, and `pointer` as it was, when it is not below `from`.
bool find_pointer(const LocatedValue& from, const LocatedValue& value, std::string& pointer) {
  if (&from == &value) return true;
  const std::size_t length = pointer.size();
  const auto look = [&](const LocatedValue& child, std::string_view key) {
    append_to_pointer(pointer, key);
    if (find_pointer(child, value, pointer)) return true;
    pointer.resize(length);
    return false;
  };
  if (const auto* list = from.get_if<LocatedValue::List>()) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      if (look((*list)[i], std::to_string(i))) return true;
    }
  } else if (const auto* members = from.get_if<LocatedValue::Members>()) {
    for (const LocatedMember& member : *members) {
      if (look(member.value, member.key)) return true;
    }
  }
  return false;
}

ScenarioError filled(ScenarioError error, std::string pointer, TextProblem problem) {
  error.pointer = std::move(pointer);
  error.message = std::move(problem.message);
  error.expected = std::move(problem.expected);
  error.nearest = std::move(problem.nearest);
  return error;
}

}  // namespace

std::string pointer_of(const LocatedValue& root, const LocatedValue& value) {
  std::string pointer;
  find_pointer(root, value, pointer);
  return pointer;
}

bool ErrorList::is_named_by_argument(const LocatedMember& member) const {
  return sources_.at(member.place.source).names_keys;
}

bool ErrorList::holds_named_by_argument(const LocatedMember& member) const {
  const auto* members = member.value.get_if<LocatedValue::Members>();
  return is_named_by_argument(member) ||
         (members != nullptr && std::ranges::any_of(*members, [this](const LocatedMember& below) {
            return holds_named_by_argument(below);
          }));
}

bool ErrorList::full() const { return errors_.size() >= kMostErrors; }

void ErrorList::add(const LocatedValue& value, TextProblem problem) {
  if (full()) return;
  const ErrorKind kind = kind_of(problem);
  std::string pointer = pointer_of(root_, value);
  const auto* text = value.get_if<std::string>();
  if (kind == ErrorKind::kForm && text != nullptr && problem.nearest.empty() &&
      pointer.ends_with("/target")) {
    problem.nearest = target_meant(root_, *text);
  }
  errors_.emplace_back(
      value.place, filled(sources_.error_at(value.place), std::move(pointer), std::move(problem)));
  errors_.back().second.kind = kind;
}

void ErrorList::add_key(const LocatedValue& object, const LocatedMember& member,
                        TextProblem problem) {
  if (full()) return;
  std::string pointer = pointer_of(root_, object);
  append_to_pointer(pointer, member.key);
  const ErrorKind kind = kind_of(problem);
  errors_.emplace_back(member.place, filled(sources_.error_at(member.place), std::move(pointer),
                                            std::move(problem)));
  errors_.back().second.kind = kind;
}

std::vector<ScenarioError> ErrorList::take_errors() {
  std::stable_sort(errors_.begin(), errors_.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first.source, a.first.offset) < std::pair(b.first.source, b.first.offset);
  });
  std::vector<ScenarioError> sorted;
  sorted.reserve(errors_.size());
  for (auto& [place, error] : errors_) sorted.push_back(std::move(error));
  return sorted;
}

void ErrorList::warn(const LocatedValue& value, std::string_view message) {
  if (warnings_.size() >= kMostErrors) return;
  warnings_.push_back(format(filled(sources_.error_at(value.place), pointer_of(root_, value),
                                    {std::string(message), {}, {}})));
}

}  // namespace aftershock::sim::scenario
