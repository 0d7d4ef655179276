#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "policies/api/config.h"
#include "policies/api/ids.h"
#include "policies/parts/manifest.h"

namespace aftershock::policies {

/// Reads the members of one object of a configuration by their names. Each reader stores what is
/// there, or adds what is wrong with it to `errors` and leaves `out` as it was; finish() then says
/// which members nobody has asked for.
class Settings {
 public:
  /// Null stands for an empty object; any other value than an object is an error.
  Settings(const nlohmann::json& object, std::string pointer, std::vector<ConfigIssue>& errors);

  /// The member of that name, null where it is not there.
  const nlohmann::json* member(std::string_view name);

  /// The member of that name, which is there, is wrong.
  void refuse(std::string_view name, std::string expected);

  /// A number of seconds; with an optional `out`, null is none.
  void seconds(std::string_view name, DurationUs& out);
  void seconds(std::string_view name, std::optional<DurationUs>& out);
  /// An integer of at least `least`; with an optional `out`, null is none.
  void count(std::string_view name, std::uint32_t least, std::uint32_t& out);
  void count(std::string_view name, std::uint32_t least, std::optional<std::uint32_t>& out);
  /// One of the words; `out` is its place.
  void word(std::string_view name, std::span<const std::string_view> words, std::size_t& out);

  /// Members that are known and change nothing here: a warning each where they are there.
  void without_effect(std::initializer_list<std::string_view> names, std::string_view why,
                      std::vector<ConfigIssue>& warnings);

  /// Members that are known, and that nothing here follows though recovery would differ.
  void not_modelled(std::initializer_list<std::string_view> names, std::string_view why,
                    Findings& findings);

  /// The members of the object of that name, no members where it is not there.
  Settings object(std::string_view name);

  /// Whether the member is there, without asking for it.
  [[nodiscard]] bool has(std::string_view name) const;
  [[nodiscard]] std::string pointer_of(std::string_view name) const;

  /// Members that nobody asked for are errors: "no such setting", with the nearest that there is.
  void finish(std::string_view expected);

 private:
  const nlohmann::json* object_;
  std::string pointer_;
  std::vector<ConfigIssue>* errors_;
  std::vector<std::string_view> asked_;
};

}  // namespace aftershock::policies
