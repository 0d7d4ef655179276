#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "policies/api/config.h"
#include "policies/api/issue.h"
#include "policies/api/policy.h"

namespace aftershock::policies {

/// Drives one policy from lines of text: one batch a line in, one decision a line out. Keeps the
/// view, folds every batch into it, and demands that `seq` grows and `t_us` does not go back.
class Driver {
 public:
  Driver(std::unique_ptr<Policy> policy, Inventory inventory);

  /// The error in a line.
  struct Error {
    std::string message;
  };
  /// The decision as one line of JSON without newline, or what is wrong with the line.
  /// `seq` may be left out (the next one), `t_us` too (the last one). A wrong line changes nothing.
  std::variant<std::string, Error> answer(std::string_view batch_line);

  /// The same for a batch that has been parsed; pointers of an issue are relative to it.
  std::variant<Decision, Issue> decide(const nlohmann::json& batch);

  [[nodiscard]] const Policy& policy() const { return *policy_; }
  /// Time of the last batch.
  [[nodiscard]] TimeUs t_us() const { return t_us_; }

 private:
  std::unique_ptr<Policy> policy_;
  View view_;
  std::uint64_t next_seq_ = 1;
  TimeUs t_us_ = 0;
};

/// The outcome of one case.
struct CaseResult {
  std::string name;
  std::size_t line = 0;  ///< in the text, from 1
  bool passed = false;
  std::string diff;  ///< for people, one finding a line; empty when passed
};

/// How a table builds the policy of a case, e.g. the registry's make_policy.
using PolicyMaker = std::function<MakeResult(const PolicyRequest&)>;

/// Runs a table of cases, one JSON object a line:
///
///   name       what the case shows
///   why        free text, e.g. where the expectation comes from
///   policy, profile, config, env, inventory
///              what to build and what it is told at the start; `policy` may be left out where
///              `default_policy` is given
///   in         batches, as Driver takes them
///   expect     one pattern a batch, matched with its decision: objects may leave members out, so
///              that {} matches anything; arrays are as long as what they match
///   states     the states walked, from the first one on, without repetitions
///   rules      ids of all rules applied
///   commands   types of all commands given
///   budgets    {"NAME": used at the end}
///   durable    exactly what storage holds at the end, or at `durable_at_us`
///   issues     instead of all that: the configuration is refused, at these pointers
///   warnings   pointers of the configuration's warnings
///
/// Expectations that are left out are not checked, but a case must have at least one.
std::vector<CaseResult> run_cases(std::string_view text, const PolicyMaker& make,
                                  std::string_view default_policy = {});

}  // namespace aftershock::policies
