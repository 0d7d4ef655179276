#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/scenario/text/error.h"
#include "sim/scenario/text/located_json.h"
#include "sim/scenario/text/sources.h"
#include "sim/scenario/text/units.h"

namespace aftershock::sim::scenario {

/// Gathers what is wrong with one tree of values. A value is named by itself; where it stands is
/// looked up when something is wrong with it, so right files do not pay for their pointers.
class ErrorList {
 public:
  ErrorList(const Sources& sources, const LocatedValue& root) : sources_(sources), root_(root) {}

  /// Errors added from now on are about more than the form of single values.
  void form_is_checked() { kind_ = ErrorKind::kMeaning; }

  /// Something is wrong with `value`, which must be part of the tree.
  void add(const LocatedValue& value, TextProblem problem);
  /// Something is wrong with a key of an object of the tree.
  void add_key(const LocatedValue& object, const LocatedMember& member, TextProblem problem);
  /// A remark that does not stop anything.
  void warn(const LocatedValue& value, std::string_view message);

  /// Whether an argument of the command line named the key, and so made it: what it set as a whole
  /// object has keys of its own.
  [[nodiscard]] bool is_named_by_argument(const LocatedMember& member) const;
  /// The same of the key, or of one below it.
  [[nodiscard]] bool holds_named_by_argument(const LocatedMember& member) const;

  [[nodiscard]] bool empty() const { return errors_.empty(); }
  /// In the order in which they stand in their sources.
  [[nodiscard]] std::vector<ScenarioError> take_errors();
  [[nodiscard]] std::vector<std::string> take_warnings() { return std::move(warnings_); }

 private:
  [[nodiscard]] bool full() const;
  [[nodiscard]] ErrorKind kind_of(const TextProblem& problem) const {
    return problem.beyond_pattern ? ErrorKind::kMeaning : kind_;
  }

  const Sources& sources_;
  const LocatedValue& root_;
  std::vector<std::pair<Place, ScenarioError>> errors_;
  std::vector<std::string> warnings_;
  ErrorKind kind_ = ErrorKind::kForm;
};

/// JSON Pointer of a value within a tree.
std::string pointer_of(const LocatedValue& root, const LocatedValue& value);

}  // namespace aftershock::sim::scenario
