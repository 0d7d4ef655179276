#pragma once

#include <cstddef>
#include <string_view>
#include <tuple>

namespace aftershock::policies {

/// A named member of a plain struct. A struct that declares
/// `static constexpr auto fields(auto list) { return list(field(...), ...); }` is read and written
/// by the JSON codec without further code, and its names stand in one place. Every member of such a
/// struct has an initialiser, so that designated initialisers may leave any of them out. `list` is
/// called with the fields, so nothing is instantiated in the hundreds of sources that only include
/// the structs.
template <class Owner, class Member>
struct Field {
  std::string_view name;
  Member Owner::* member;
  bool sparse = false;  ///< written only where it says something
};

/// Makes a Field, its types deduced.
template <class Owner, class Member>
constexpr Field<Owner, Member> field(std::string_view name, Member Owner::* member) {
  return {name, member};
}

/// A member that most messages have no use for: it is left out of JSON where it is false or empty.
template <class Owner, class Member>
constexpr Field<Owner, Member> sparse_field(std::string_view name, Member Owner::* member) {
  return {name, member, true};
}

/// Lists fields as a tuple, for callers that keep them.
struct AsTuple {
  template <class... Fields>
  constexpr auto operator()(Fields... fields) const {
    return std::make_tuple(fields...);
  }
};

/// Whether a type lists its fields.
template <class Struct>
concept HasFields = requires { Struct::fields(AsTuple{}); };

/// Specialise with `static constexpr std::array<std::string_view, N> kNames` in enumerator order
/// (enumerators count from zero) to give an enumeration its words.
template <class Enum>
struct EnumNames;

template <class Enum>
constexpr std::string_view name_of(Enum value) {
  return EnumNames<Enum>::kNames[static_cast<std::size_t>(value)];
}

}  // namespace aftershock::policies
