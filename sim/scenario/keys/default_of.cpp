#include "sim/scenario/keys/default_of.h"

#include "sim/scenario/keys/keys.h"

namespace aftershock::sim::scenario {
namespace {

/// The shape of a value's element or, in `key`, of its member of this name; null where it has none.
const Shape* below(const Shape& shape, std::string_view part, const Key*& key) {
  key = nullptr;
  switch (shape.form) {
    case Form::kObject:
      key = shape.object->find(part);
      return key == nullptr ? nullptr : &key->shape;
    case Form::kList:
    case Form::kMap:
      return &shape.children.front();
    case Form::kEither:
      for (const Shape& child : shape.children) {
        if (const Shape* found = below(child, part, key)) {
          return found;
        }
      }
      return nullptr;
    default:
      return nullptr;
  }
}

}  // namespace

std::string_view default_of(std::string_view pointer) {
  const Shape whole = shape::object(keys::scenario());
  const Shape* at = &whole;
  const Key* key = nullptr;
  while (at != nullptr && pointer.starts_with('/')) {
    pointer.remove_prefix(1);
    const std::string_view part = pointer.substr(0, pointer.find('/'));
    pointer.remove_prefix(part.size());
    at = below(*at, part, key);
  }
  return at == nullptr || key == nullptr ? std::string_view() : key->default_text;
}

}  // namespace aftershock::sim::scenario
