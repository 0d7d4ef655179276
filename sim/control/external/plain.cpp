#include "sim/control/external/plain.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_reader.h"
#include "sim/control/external/decide.h"

namespace aftershock::sim {
namespace {

namespace json_reader = policies::json_reader;
using json_reader::Place;
using json_reader::Problem;

constexpr std::uint64_t kLargest = std::uint64_t{1} << 53U;
/// What is longer is weighed as a message.
constexpr std::size_t kLongestText = 4096;
constexpr std::size_t kLongestList = 1024;

bool plain(bool) { return true; }

bool plain(const policies::RankSet& ranks) { return ranks.intervals().size() <= kLongestList; }

bool plain(std::string_view text) {
  unsigned char all = 0;
  if (text.size() <= kLongestText) {
    for (const char letter : text) {
      all |= static_cast<unsigned char>(letter);  // without a branch: several at once
    }
  }
  return text.size() <= kLongestText && all < 0x80;
}

/// As json_reader::read_integer: only exit codes, which are of this type, may be negative.
template <class Integer>
bool plain_integer(Integer number) {
  if constexpr (sizeof(Integer) < sizeof(std::int64_t)) {
    return std::is_same_v<Integer, std::int32_t> || std::cmp_greater_equal(number, 0);
  }
  return static_cast<std::uint64_t>(number) <= kLargest;  // a negative one is the largest of all
}

template <class Enum>
bool known_word(Enum value) {
  return static_cast<std::size_t>(value) < policies::EnumNames<Enum>::kNames.size();
}

template <class Value>
  requires(!std::is_convertible_v<Value, std::string_view>)
bool plain(const Value& value) {
  if constexpr (std::is_integral_v<Value>) {
    return plain_integer(value);
  } else if constexpr (std::is_enum_v<Value>) {
    return known_word(value);
  } else if constexpr (json_reader::IsOptional<Value>::value) {
    return !value || plain(*value);
  } else if constexpr (json_reader::IsVector<Value>::value) {
    return value.size() <= kLongestList &&
           std::ranges::all_of(value, [](const auto& element) { return plain(element); });
  } else if constexpr (json_reader::IsVariant<Value>::value) {
    return !value.valueless_by_exception() &&
           std::visit([](const auto& message) { return plain(message); }, value);
  } else {
    return std::apply([&](const auto&... named) { return (plain(value.*named.member) && ...); },
                      Value::fields());
  }
}

bool plain(const policies::Step& step, std::size_t events, const policies::PolicyInfo& info) {
  return step.rule < info.rules.size() && step.from_state < info.states.size() &&
         step.to_state < info.states.size() && step.saw.size() <= kLongestList &&
         std::ranges::all_of(
             step.saw, [&](std::uint16_t event) { return event < events; }) &&
         step.budgets.size() <= kLongestList &&
         std::ranges::all_of(
             step.budgets,
             [&](const policies::BudgetMove& move) {
               return move.budget < info.budgets.size() && known_word(move.cause) &&
                      plain(move.used) && plain(move.limit);
             }) &&
         plain(step.commands) && step.rejected.size() <= kLongestList &&
         std::ranges::all_of(
             step.rejected,
             [](const policies::Rejected& one) { return plain(one.what) && plain(one.why); }) &&
         plain(step.decision);
}

/// An index into a table of `size` entries.
Problem outside(const Place& place, std::size_t index, std::size_t size, std::string_view what) {
  return index < size
             ? Problem()
             : policies::Issue{place.pointer(),
                               fmt::format("got {}, and the policy has {} {}", index, size, what),
                               {},
                               {}};
}

/// Enumerators in it that there are none of, and commands that are none.
template <class Value>
Problem odd(const Place& place, const Value& value) {
  if constexpr (std::is_enum_v<Value>) {
    const auto number = static_cast<std::size_t>(value);
    const auto known = policies::EnumNames<Value>::kNames.size();
    return known_word(value)
               ? Problem()
               : policies::Issue{place.pointer(),
                                 fmt::format("got {}, and there are {} such words", number, known),
                                 {},
                                 {}};
  } else if constexpr (json_reader::IsOptional<Value>::value) {
    return value ? odd(place, *value) : Problem();
  } else if constexpr (json_reader::IsVector<Value>::value) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (auto problem = odd(place.at(i), value[i])) {
        return problem;
      }
    }
    return {};
  } else if constexpr (json_reader::IsVariant<Value>::value) {
    return value.valueless_by_exception()
               ? policies::Issue{place.pointer(), "no command", "a command", {}}
               : std::visit([&](const auto& message) { return odd(place, message); }, value);
  } else if constexpr (requires { Value::fields(); }) {
    Problem problem;
    const auto look = [&](const auto& named) {
      problem = odd(place.at(named.name), value.*named.member);
      return problem.has_value();
    };
    static_cast<void>(
        std::apply([&](const auto&... named) { return (look(named) || ...); }, Value::fields()));
    return problem;
  } else {
    return {};
  }
}

Problem unsayable_step(const Place& place, const policies::Step& step,
                       const policies::PolicyInfo& info) {
  auto problem = outside(place.at("rule"), step.rule, info.rules.size(), "rules");
  for (const auto& [name, state] :
       {std::pair("from", step.from_state), std::pair("to", step.to_state)}) {
    if (!problem) {
      problem = outside(place.at(name), state, info.states.size(), "states");
    }
  }
  const Place moves = place.at("budgets");
  for (std::size_t i = 0; i < step.budgets.size() && !problem; ++i) {
    const Place move = moves.at(i);
    problem = outside(move.at("budget"), step.budgets[i].budget, info.budgets.size(), "budgets");
    if (!problem) {
      problem = odd(move.at("cause"), step.budgets[i].cause);
    }
  }
  return problem ? problem : odd(place.at("commands"), step.commands);
}

}  // namespace

bool is_plain(const policies::Decision& decision, std::size_t events,
              const policies::PolicyInfo& info) {
  return decision.steps.size() <= kLongestList &&
         std::ranges::all_of(
             decision.steps,
             [&](const policies::Step& step) { return plain(step, events, info); }) &&
         plain(decision.watch) && zero_period(decision.watch).empty();
}

bool is_plain(const std::vector<policies::BudgetState>& budgets, const policies::PolicyInfo& info) {
  return budgets.size() == info.budgets.size() &&
         std::ranges::all_of(budgets, [](const policies::BudgetState& budget) {
           return plain(budget.used) && plain(budget.limit);
         });
}

bool is_plain(const std::vector<policies::TrialState>& trials) {
  return std::ranges::all_of(trials, [](const policies::TrialState& trial) {
    return plain(trial.id) && plain(trial.status) && plain(trial.failures) && plain(trial.restores);
  });
}

std::optional<policies::Issue> unsayable(const policies::Decision& decision, std::uint16_t state,
                                         const policies::PolicyInfo& info) {
  const Place root;
  const Place steps = root.at("steps");
  for (std::size_t i = 0; i < decision.steps.size(); ++i) {
    if (auto problem = unsayable_step(steps.at(i), decision.steps[i], info)) {
      return problem;
    }
  }
  return outside(root.at("state"), state, info.states.size(), "states");
}

}  // namespace aftershock::sim
