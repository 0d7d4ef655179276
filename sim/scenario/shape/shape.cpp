#include "sim/scenario/shape/shape.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/scenario/text/located_json.h"

namespace aftershock::sim::scenario {
namespace {

std::string integer_phrase(const Shape& shape) {
  if (shape.least == static_cast<std::int64_t>(shape.most)) return fmt::format("{}", shape.most);
  return fmt::format("a whole number from {} to {}", shape.least, shape.most);
}

std::string number_phrase(const Shape& shape) {
  if (std::isinf(shape.low)) return "a number";
  std::string text = fmt::format("a number {} {}", shape.above_low ? "above" : "from", shape.low);
  if (!std::isinf(shape.high)) {
    text += fmt::format("{}{}", shape.above_low ? " and up to " : " to ", shape.high);
  } else if (!shape.above_low) {
    text += " upwards";
  }
  return text;
}

std::string list_phrase(const Shape& shape) {
  std::string text = "a list";
  if (shape.least > 0 && static_cast<std::uint64_t>(shape.least) == shape.most) {
    text += fmt::format(" of {}", shape.least);
  } else if (shape.least > 0) {
    text += fmt::format(" of at least {}", shape.least);
  }
  const Form form = shape.children.front().form;
  if (form == Form::kObject || form == Form::kTagged)
    return text + (shape.least > 0 ? " object" : " of objects");
  return text + fmt::format(", each {}", phrase_of(shape.children.front()));
}

}  // namespace

const Key* ObjectShape::find(std::string_view key) const {
  const auto found = std::find_if(keys.begin(), keys.end(),
                                  [&](const Key& known) { return same_key(known.name, key); });
  return found == keys.end() ? nullptr : &*found;
}

const ObjectShape* TaggedShape::find(std::string_view word) const {
  const auto found = std::find_if(variants.begin(), variants.end(), [&](const Variant& variant) {
    return same_key(variant.word, word);
  });
  return found == variants.end() ? nullptr : &found->object();
}

std::string phrase_of(const Shape& shape) {
  switch (shape.form) {
    case Form::kText:
      return "a string";
    case Form::kWord:
      if (shape.words.size() == 1) return fmt::format("\"{}\"", shape.words.front());
      return fmt::format("one of \"{}\"", fmt::join(shape.words, "\", \""));
    case Form::kLexical:
      return std::string(shape.lexical->phrase);
    case Form::kBoolean:
      return "true or false";
    case Form::kFalse:
      return "false";
    case Form::kInteger:
      return integer_phrase(shape);
    case Form::kNumber:
      return number_phrase(shape);
    case Form::kObject:
      return fmt::format("an object ({})", shape.object->name);
    case Form::kTagged:
      return fmt::format("an object ({})", shape.tagged->name);
    case Form::kMap:
      return "an object";
    case Form::kList:
      return list_phrase(shape);
    case Form::kAny:
      return "any value";
    case Form::kEither: {
      std::vector<std::string> phrases;
      phrases.reserve(shape.children.size());
      for (const Shape& child : shape.children) phrases.push_back(phrase_of(child));
      return fmt::format("{}", fmt::join(phrases, ", or "));
    }
  }
  return {};
}

namespace shape {
namespace {

Shape of(Form form) {
  Shape shape;
  shape.form = form;
  return shape;
}

}  // namespace

Shape text() { return of(Form::kText); }

Shape words(std::vector<std::string_view> words) {
  Shape shape = of(Form::kWord);
  shape.words = std::move(words);
  return shape;
}

Shape word(std::initializer_list<std::string_view> list) { return words(list); }

Shape lexical(const Lexical& lexical) {
  Shape shape = of(Form::kLexical);
  shape.lexical = &lexical;
  return shape;
}

Shape boolean() { return of(Form::kBoolean); }
Shape only_false() { return of(Form::kFalse); }

Shape integer(std::int64_t least, std::uint64_t most) {
  Shape shape = of(Form::kInteger);
  shape.least = least;
  shape.most = most;
  return shape;
}

Shape number(double low, double high) {
  Shape shape = of(Form::kNumber);
  shape.low = low;
  shape.high = high;
  return shape;
}

Shape number_above(double low, double high) {
  Shape shape = number(low, high);
  shape.above_low = true;
  return shape;
}

Shape any_number() { return number(-std::numeric_limits<double>::infinity()); }

Shape object(const ObjectShape& object) {
  Shape shape = of(Form::kObject);
  shape.object = &object;
  return shape;
}

Shape tagged(const TaggedShape& tagged) {
  Shape shape = of(Form::kTagged);
  shape.tagged = &tagged;
  return shape;
}

Shape list(Shape element, std::int64_t fewest, std::uint64_t most) {
  Shape shape = of(Form::kList);
  shape.least = fewest;
  shape.most = most;
  shape.children.push_back(std::move(element));
  return shape;
}

Shape map(Shape value, std::uint64_t most) {
  Shape shape = of(Form::kMap);
  shape.most = most;
  shape.children.push_back(std::move(value));
  return shape;
}

Shape any() { return of(Form::kAny); }

Shape either(std::vector<Shape> shapes) {
  Shape shape = of(Form::kEither);
  for (Shape& child : shapes) {
    // Choices of choices are flat, so that one look at the type of a value finds its candidates.
    if (child.form == Form::kEither) {
      for (Shape& inner : child.children) shape.children.push_back(std::move(inner));
    } else {
      shape.children.push_back(std::move(child));
    }
  }
  return shape;
}

}  // namespace shape
}  // namespace aftershock::sim::scenario
