#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/text/units.h"

// How a scenario file may look, as data. Both the check of a file and the JSON Schema are made from
// the same description, so they cannot disagree about it.
namespace aftershock::sim::scenario {

struct ObjectShape;
struct TaggedShape;

/// A string that means something: a duration, a name, a target.
struct Lexical {
  std::string_view name;    ///< under which the schema defines it
  std::string_view phrase;  ///< completes "expected ..."
  std::string pattern;      ///< ECMA regular expression; accepts whatever `check` does
  std::optional<TextProblem> (*check)(std::string_view text);
};

/// The kind of value.
enum class Form : std::uint8_t {
  kText,     ///< any string
  kWord,     ///< one of `words`
  kLexical,  ///< a string with a meaning
  kBoolean,
  kFalse,  ///< `false` only
  kInteger,
  kNumber,
  kObject,
  kTagged,  ///< an object whose keys depend on one of them
  kList,    ///< of children[0]
  kMap,     ///< any keys, values of children[0]
  kAny,
  kEither,  ///< one of the children
};

/// The shape of a value.
struct Shape {
  Form form = Form::kAny;
  std::int64_t least = 0;  ///< integers; for lists the fewest elements
  std::uint64_t most = 0;  ///< integers; for lists and maps the most elements
  double low = 0;          ///< numbers
  double high = 0;         ///< numbers
  bool above_low = false;  ///< numbers: `low` itself is out
  std::vector<std::string_view> words;
  const Lexical* lexical = nullptr;
  const ObjectShape* object = nullptr;
  const TaggedShape* tagged = nullptr;
  std::vector<Shape> children;
};

/// A key of an object.
struct Key {
  std::string_view name;
  Shape shape;
  bool required = false;
  std::string_view default_text;  ///< as JSON; empty: absent is a case of its own
  std::string_view meaning;       ///< one sentence
};

/// A rule between keys of one object.
struct KeyRule {
  /// The demand of the rule on its keys.
  enum class Kind : std::uint8_t {
    kExactlyOne,
    kAtLeastOne,
    kExcludes,  ///< the first goes with none of the others
    kNeeds,     ///< the first needs one of the others
  };
  Kind kind;
  std::vector<std::string_view> keys;
};

/// An object with known keys.
struct ObjectShape {
  std::string name;  ///< under which the schema defines it
  std::string_view meaning;
  std::vector<Key> keys;
  std::vector<KeyRule> rules;

  /// The key of this name, or null.
  [[nodiscard]] const Key* find(std::string_view key) const;
};

/// An object whose other keys depend on the value of one.
struct TaggedShape {
  /// The object that one word of the key stands for. It is made when it is first asked for: a file
  /// has few of all words.
  struct Variant {
    std::string_view word;
    const ObjectShape& (*make)(std::size_t at);
    std::size_t at = 0;

    /// The shape of the object, the same one each time.
    [[nodiscard]] const ObjectShape& object() const { return make(at); }
  };
  std::string_view name;
  std::string_view meaning;
  std::string_view key;
  std::vector<Variant> variants;
  const ObjectShape& (*without)() = nullptr;  ///< when the key is absent; null: it is required
  TextProblem (*unknown)(std::string_view word) = nullptr;
  std::string_view instead = {};  ///< the key that an object `without` has in its place

  /// The object of this word, or null.
  [[nodiscard]] const ObjectShape* find(std::string_view word) const;
};

/// Completes "expected ...".
std::string phrase_of(const Shape& shape);

namespace shape {

/// One for each form; bounds are inclusive but that of number_above.
Shape text();
Shape word(std::initializer_list<std::string_view> words);
Shape words(std::vector<std::string_view> words);
Shape lexical(const Lexical& lexical);
Shape boolean();
Shape only_false();
Shape integer(std::int64_t least, std::uint64_t most);
Shape number(double low, double high = std::numeric_limits<double>::infinity());
Shape number_above(double low, double high = std::numeric_limits<double>::infinity());
Shape any_number();
Shape object(const ObjectShape& object);
Shape tagged(const TaggedShape& tagged);
Shape list(Shape element, std::int64_t fewest = 0,
           std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
Shape map(Shape value, std::uint64_t most);
Shape any();
Shape either(std::vector<Shape> shapes);

}  // namespace shape
}  // namespace aftershock::sim::scenario
