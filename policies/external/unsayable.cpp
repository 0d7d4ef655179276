#include "policies/external/unsayable.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <nlohmann/json.hpp>

#include "policies/api/json_reader.h"

namespace aftershock::policies {
namespace {

using json_reader::Place;
using json_reader::Problem;

/// An index into a table of `size` entries.
Problem outside(const Place& place, std::size_t index, std::size_t size, std::string_view what) {
  return index < size ? Problem()
                      : Issue{place.pointer(),
                              "got " + std::to_string(index) + ", and the policy has " +
                                  std::to_string(size) + " " + std::string(what),
                              {},
                              {}};
}

/// Enumerators in it that there are none of, and commands that are none.
template <class Value>
Problem odd(const Place& place, const Value& value) {
  if constexpr (std::is_enum_v<Value>) {
    const auto number = static_cast<std::size_t>(value);
    const auto known = EnumNames<Value>::kNames.size();
    return known_word(value) ? Problem()
                             : Issue{place.pointer(),
                                     "got " + std::to_string(number) + ", and there are " +
                                         std::to_string(known) + " such words",
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
               ? Issue{place.pointer(), "no command", "a command", {}}
               : std::visit([&](const auto& message) { return odd(place, message); }, value);
  } else if constexpr (HasFields<Value>) {
    Problem problem;
    const auto look = [&](const auto& named) {
      problem = odd(place.at(named.name), value.*named.member);
      return problem.has_value();
    };
    static_cast<void>(Value::fields([&](const auto&... named) { return (look(named) || ...); }));
    return problem;
  } else {
    return {};
  }
}

Problem unsayable_step(const Place& place, const Step& step, const PolicyInfo& info) {
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

std::optional<Issue> unsayable(const Decision& decision, std::uint16_t state,
                               const PolicyInfo& info) {
  const Place root;
  const Place steps = root.at("steps");
  for (std::size_t i = 0; i < decision.steps.size(); ++i) {
    if (auto problem = unsayable_step(steps.at(i), decision.steps[i], info)) {
      return problem;
    }
  }
  return outside(root.at("state"), state, info.states.size(), "states");
}

}  // namespace aftershock::policies
