#include "sim/scenario/shape/check.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policies/api/config.h"
#include "policies/api/json_as_text.h"

namespace aftershock::sim::scenario {
namespace {

using Members = LocatedValue::Members;

/// Whether a value of this JSON type may have the shape at all.
bool type_fits(const Shape& shape, const LocatedValue& value) {
  switch (shape.form) {
    case Form::kText:
    case Form::kWord:
    case Form::kLexical:
      return value.get_if<std::string>() != nullptr;
    case Form::kBoolean:
    case Form::kFalse:
      return value.get_if<bool>() != nullptr;
    case Form::kInteger:
    case Form::kNumber:
      return any_number(value).has_value();
    case Form::kObject:
    case Form::kTagged:
    case Form::kMap:
      return value.get_if<Members>() != nullptr;
    case Form::kList:
      return value.get_if<LocatedValue::List>() != nullptr;
    case Form::kAny:
      return true;
    case Form::kEither:
      return std::any_of(shape.children.begin(), shape.children.end(),
                         [&](const Shape& child) { return type_fits(child, value); });
  }
  return false;
}

std::optional<TextProblem> check_text(const Shape& shape, std::string_view text) {
  if (shape.form == Form::kLexical) return shape.lexical->check(text);
  if (shape.form != Form::kWord) return std::nullopt;
  if (std::find(shape.words.begin(), shape.words.end(), text) != shape.words.end()) {
    return std::nullopt;
  }
  return TextProblem{fmt::format("unknown word {}", in_quotes(text)), phrase_of(shape),
                     std::string(policies::nearest_name(text, shape.words))};
}

bool integer_fits(const Shape& shape, const LocatedValue& value) {
  if (const auto* large = value.get_if<std::uint64_t>()) return *large <= shape.most;
  const auto number = whole_number(value);
  return number && *number >= shape.least &&
         (*number < 0 || static_cast<std::uint64_t>(*number) <= shape.most);
}

std::string written(const LocatedValue& value) { return policies::text_from_json(to_json(value)); }

void check_integer(const Shape& shape, const LocatedValue& value, ErrorList& errors) {
  if (integer_fits(shape, value)) return;
  // Beyond 2^53, where only a schema takes it for a whole number like any other.
  const auto* inexact = value.get_if<double>();
  const bool may_be_whole =
      inexact != nullptr && !whole_number(value) && std::trunc(*inexact) == *inexact;
  if (may_be_whole && *inexact >= static_cast<double>(shape.least) &&
      *inexact < static_cast<double>(shape.most)) {
    errors.add(value, {fmt::format("{} may not be exact", written(value)),
                       fmt::format("{}, with all its digits", phrase_of(shape)),
                       {},
                       true,
                       true});
    return;
  }
  const bool whole =
      may_be_whole || whole_number(value) || value.get_if<std::uint64_t>() != nullptr;
  errors.add(value, {fmt::format("{} is {}", written(value),
                                 whole ? "out of range" : "not a whole number"),
                     phrase_of(shape),
                     {}});
}

void check_number(const Shape& shape, const LocatedValue& value, ErrorList& errors) {
  const double number = *any_number(value);
  const bool fits =
      (shape.above_low ? number > shape.low : number >= shape.low) && number <= shape.high;
  if (!fits) {
    errors.add(value, {fmt::format("{} is out of range", written(value)), phrase_of(shape), {}});
  }
}

void check_list(const Shape& shape, const LocatedValue& value, ErrorList& errors) {
  const auto& list = std::get<LocatedValue::List>(value.data);
  if (list.size() > shape.most && static_cast<std::uint64_t>(shape.least) < shape.most) {
    errors.add(value, {fmt::format("the list has {} elements", list.size()),
                       fmt::format("at most {}", shape.most),
                       {}});
    return;  // nobody wants to hear of each of them
  }
  if (list.size() < static_cast<std::size_t>(shape.least) || list.size() > shape.most) {
    errors.add(value, {fmt::format("the list has {} elements", list.size()), phrase_of(shape), {}});
  }
  for (const LocatedValue& element : list) check_shape(shape.children.front(), element, errors);
}

void check_map(const Shape& shape, const Members& members, const LocatedValue& value,
               ErrorList& errors) {
  if (members.size() > shape.most) {
    errors.add(value, {fmt::format("the object has {} keys", members.size()),
                       fmt::format("at most {}", shape.most),
                       {}});
    return;
  }
  for (const LocatedMember& member : members) {
    check_shape(shape.children.front(), member.value, errors);
  }
}

std::vector<std::string_view> keys_of(const LocatedValue& object) {
  std::vector<std::string_view> keys;
  for (const LocatedMember& member : std::get<Members>(object.data)) keys.push_back(member.key);
  return keys;
}

void check_tagged(const TaggedShape& tagged, const LocatedValue& value, ErrorList& errors) {
  const LocatedValue* tag = value.find(tagged.key);
  if (tag == nullptr) {
    if (tagged.without != nullptr && value.find(tagged.instead) != nullptr) {
      return check_object(tagged.without(), value, errors);
    }
    std::vector<std::string_view> words;
    words.reserve(tagged.variants.size());
    for (const auto& variant : tagged.variants) words.push_back(variant.word);
    const std::string_view near = policies::nearest_name(tagged.key, keys_of(value));
    errors.add(value, {fmt::format("missing key \"{}\"{}", tagged.key,
                                   near.empty() ? "" : fmt::format(", but there is \"{}\"", near)),
                       fmt::format("one of \"{}\"{}", fmt::join(words, "\", \""),
                                   tagged.instead.empty()
                                       ? ""
                                       : fmt::format(", or \"{}\" instead", tagged.instead)),
                       {}});
    return;
  }
  const auto* word = tag->get_if<std::string>();
  if (word == nullptr) {
    errors.add(*tag, {fmt::format("is {}", type_phrase(*tag)), "a string", {}});
  } else if (const ObjectShape* variant = tagged.find(*word)) {
    check_object(*variant, value, errors);
  } else {
    errors.add(*tag, tagged.unknown(*word));
  }
}

void check_either(const Shape& shape, const LocatedValue& value, ErrorList& errors) {
  std::vector<const Shape*> fitting;
  for (const Shape& child : shape.children) {
    if (type_fits(child, value)) fitting.push_back(&child);
  }
  const auto* text = value.get_if<std::string>();
  if (text == nullptr) return check_shape(*fitting.front(), value, errors);
  std::optional<TextProblem> first;
  for (const Shape* child : fitting) {
    auto problem = check_text(*child, *text);
    if (!problem) return;
    // "150%" was meant as a percentage: what has the right form is what was meant.
    if (problem->form_is_right) return errors.add(value, std::move(*problem));
    if (!first || first->nearest.empty()) first = std::move(problem);
  }
  if (fitting.size() > 1) {
    std::vector<std::string> phrases;
    phrases.reserve(fitting.size());
    for (const Shape* child : fitting) phrases.push_back(phrase_of(*child));
    first->expected = fmt::format("{}", fmt::join(phrases, ", or "));
  }
  errors.add(value, std::move(*first));
}

bool has(const LocatedValue& object, std::string_view key) { return object.find(key) != nullptr; }

std::string list_of(const std::vector<std::string_view>& keys, std::size_t from) {
  return fmt::format(
      "\"{}\"", fmt::join(keys.begin() + static_cast<std::ptrdiff_t>(from), keys.end(), "\", \""));
}

void add_at_key(const LocatedValue& object, std::string_view key, TextProblem problem,
                ErrorList& errors) {
  for (const LocatedMember& member : std::get<Members>(object.data)) {
    if (member.key == key) return errors.add_key(object, member, std::move(problem));
  }
}

void check_rule(const KeyRule& rule, const LocatedValue& object, ErrorList& errors) {
  std::vector<std::string_view> given;
  for (const std::string_view key : rule.keys) {
    if (has(object, key)) given.push_back(key);
  }
  const bool first_given = !given.empty() && given.front() == rule.keys.front();
  switch (rule.kind) {
    case KeyRule::Kind::kExactlyOne:
      if (given.size() > 1) {
        add_at_key(object, given[1],
                   {fmt::format("\"{}\" cannot stand beside \"{}\"", given[1], given[0]),
                    fmt::format("exactly one of {}", list_of(rule.keys, 0)),
                    {}},
                   errors);
      }
      [[fallthrough]];
    case KeyRule::Kind::kAtLeastOne:
      if (given.empty()) {
        errors.add(object,
                   {"a key is missing", fmt::format("one of {}", list_of(rule.keys, 0)), {}});
      }
      break;
    case KeyRule::Kind::kExcludes:
      if (first_given && given.size() > 1) {
        add_at_key(object, given[1],
                   {fmt::format("\"{}\" cannot stand beside \"{}\"", given[1], given[0]),
                    "one of them",
                    {}},
                   errors);
      }
      break;
    case KeyRule::Kind::kNeeds:
      if (first_given && given.size() == 1) {
        add_at_key(object, given[0],
                   {fmt::format("\"{}\" is of no use alone", given[0]),
                    fmt::format("{} beside it", list_of(rule.keys, 1)),
                    {}},
                   errors);
      }
      break;
  }
}

}  // namespace

std::optional<std::int64_t> whole_number(const LocatedValue& value) {
  if (const auto* number = value.get_if<std::int64_t>()) return *number;
  if (const auto* number = value.get_if<double>()) {
    constexpr double kExact = 9007199254740992.0;  // 2^53: beyond it a double skips whole numbers
    if (std::abs(*number) <= kExact && std::trunc(*number) == *number) {
      return static_cast<std::int64_t>(*number);
    }
  }
  return std::nullopt;
}

std::optional<double> any_number(const LocatedValue& value) {
  if (const auto* number = value.get_if<std::int64_t>()) return static_cast<double>(*number);
  if (const auto* number = value.get_if<std::uint64_t>()) return static_cast<double>(*number);
  if (const auto* number = value.get_if<double>()) return *number;
  return std::nullopt;
}

void check_object(const ObjectShape& shape, const LocatedValue& value, ErrorList& errors) {
  std::vector<std::string_view> known;
  known.reserve(shape.keys.size());
  for (const Key& key : shape.keys) known.push_back(key.name);
  for (const LocatedMember& member : std::get<Members>(value.data)) {
    if (const Key* key = shape.find(member.key)) {
      check_shape(key->shape, member.value, errors);
    } else {
      errors.add_key(value, member,
                     {fmt::format("unknown key {}", in_quotes(member.key)),
                      fmt::format("one of {}", fmt::join(known, ", ")),
                      std::string(policies::nearest_name(member.key, known))});
    }
  }
  for (const Key& key : shape.keys) {
    if (!key.required || has(value, key.name)) continue;
    errors.add(value, {fmt::format("missing key \"{}\"", key.name), phrase_of(key.shape), {}});
  }
  for (const KeyRule& rule : shape.rules) check_rule(rule, value, errors);
}

void check_shape(const Shape& shape, const LocatedValue& value, ErrorList& errors) {
  if (!type_fits(shape, value)) {
    errors.add(value, {fmt::format("is {}", type_phrase(value)), phrase_of(shape), {}});
    return;
  }
  switch (shape.form) {
    case Form::kText:
    case Form::kWord:
    case Form::kLexical:
      if (auto problem = check_text(shape, std::get<std::string>(value.data))) {
        errors.add(value, std::move(*problem));
      }
      break;
    case Form::kFalse:
      if (std::get<bool>(value.data)) errors.add(value, {"is true", phrase_of(shape), {}});
      break;
    case Form::kInteger:
      check_integer(shape, value, errors);
      break;
    case Form::kNumber:
      check_number(shape, value, errors);
      break;
    case Form::kObject:
      check_object(*shape.object, value, errors);
      break;
    case Form::kTagged:
      check_tagged(*shape.tagged, value, errors);
      break;
    case Form::kMap:
      check_map(shape, std::get<Members>(value.data), value, errors);
      break;
    case Form::kList:
      check_list(shape, value, errors);
      break;
    case Form::kEither:
      check_either(shape, value, errors);
      break;
    case Form::kBoolean:
    case Form::kAny:
      break;
  }
}

}  // namespace aftershock::sim::scenario
