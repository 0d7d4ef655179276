#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "policies/api/json_reader.h"
#include "policies/api/rank_set.h"
#include "policies/external/unsayable.h"
#include "sim/control/external/decide.h"
#include "sim/control/external/fast_path.h"

namespace aftershock::sim::control {
namespace {

namespace json_reader = policies::json_reader;

/// A longer text or list takes the way of a message, whose limits then apply.
constexpr std::size_t kLongestText = 4096;
constexpr std::size_t kLongestList = 1024;

/// The shape of an answer, gathered without a branch for each of its members.
class Seen {
 public:
  /// None of it is larger than JSON's numbers, negative, beyond ASCII or otherwise odd.
  [[nodiscard]] bool plain() const {
    constexpr std::uint64_t kBeyondAscii = 0x8080'8080'8080'8080U;
    constexpr unsigned kBits = 53;
    return (numbers_ >> kBits) == 0 && (letters_ & kBeyondAscii) == 0 && !odd_;
  }

  void odd_if(bool odd) { odd_ |= odd; }

  void take(bool /*either*/) {}

  void take(const policies::RankSet& ranks) { odd_ |= ranks.intervals().size() > kLongestList; }

  void take(std::string_view text) {
    if (text.size() > kLongestText) {
      odd_ = true;
      return;
    }
    constexpr std::size_t kSeveral = sizeof letters_;
    const auto take_several = [&](std::size_t at) {
      std::uint64_t several = 0;
      std::memcpy(&several, text.data() + at, kSeveral);
      letters_ |= several;
    };
    if (text.size() >= kSeveral) {
      for (std::size_t at = 0; at + kSeveral < text.size(); at += kSeveral) {
        take_several(at);
      }
      take_several(text.size() - kSeveral);  // some of them once more
    } else {
      for (const char letter : text) {
        letters_ |= static_cast<unsigned char>(letter);
      }
    }
  }

  template <class Value>
    requires(!std::is_convertible_v<Value, std::string_view>)
  void take(const Value& value) {
    if constexpr (std::is_integral_v<Value>) {
      // As json_reader::read_integer: only exit codes, which are of this type, may be negative.
      if constexpr (!std::is_same_v<Value, std::int32_t>) {
        numbers_ |= static_cast<std::uint64_t>(value);
      }
    } else if constexpr (std::is_enum_v<Value>) {
      odd_ |= !policies::known_word(value);
    } else if constexpr (json_reader::IsOptional<Value>::value) {
      if (value) {
        take(*value);
      }
    } else if constexpr (json_reader::IsVector<Value>::value) {
      take_all(value, [this](const auto& element) { this->take(element); });
    } else if constexpr (json_reader::IsVariant<Value>::value) {
      take_alternative(value,
                       std::make_index_sequence<std::variant_size_v<typename Value::variant>>());
    } else {
      static constexpr auto kFields =
          Value::fields(policies::AsTuple{});  // no name is measured anew
      std::apply([&](const auto&... named) { (take(value.*named.member), ...); }, kFields);
    }
  }

  template <class Vector, class Take>
  void take_all(const Vector& vector, const Take& one) {
    odd_ |= vector.size() > kLongestList;
    if (!odd_) {
      for (const auto& element : vector) {
        one(element);
      }
    }
  }

 private:
  /// Without std::visit's table, which nothing is inlined from.
  template <class Variant, std::size_t... kIndices>
  void take_alternative(const Variant& value, std::index_sequence<kIndices...> /*all*/) {
    const auto take_if = [&]<std::size_t kIndex>() {
      const bool it = value.index() == kIndex;
      if (it) {
        take(*std::get_if<kIndex>(&value));
      }
      return it;
    };
    odd_ |= !(take_if.template operator()<kIndices>() || ...);
  }

  std::uint64_t numbers_ = 0;  ///< the bits of all of them
  std::uint64_t letters_ = 0;  ///< those of all texts, eight letters at once
  bool odd_ = false;
};

void take(Seen& seen, const policies::Step& step, std::size_t events,
          const policies::PolicyInfo& info) {
  seen.odd_if(step.rule >= info.rules.size() || step.from_state >= info.states.size() ||
              step.to_state >= info.states.size());
  seen.take_all(step.saw, [&](std::uint16_t event) { seen.odd_if(event >= events); });
  seen.take_all(step.budgets, [&](const policies::BudgetMove& move) {
    seen.odd_if(move.budget >= info.budgets.size());
    seen.take(move.cause);
    seen.take(move.used);
    seen.take(move.limit);
  });
  seen.take(step.commands);
  seen.take_all(step.rejected, [&](const policies::Rejected& one) {
    seen.take(one.what);
    seen.take(one.why);
  });
  seen.take(step.decision);
}

}  // namespace

bool is_plain(const policies::Decision& decision, std::size_t events,
              const policies::PolicyInfo& info) {
  Seen seen;
  seen.take_all(decision.steps,
                [&](const policies::Step& step) { take(seen, step, events, info); });
  seen.take(decision.watch);
  return seen.plain() && endless(decision.watch).empty();
}

bool is_plain(const std::vector<policies::BudgetState>& budgets, const policies::PolicyInfo& info) {
  Seen seen;
  seen.odd_if(budgets.size() != info.budgets.size());
  seen.take_all(budgets, [&](const policies::BudgetState& budget) {
    seen.take(budget.used);
    seen.take(budget.limit);
  });
  return seen.plain();
}

bool is_plain(const std::vector<policies::TrialState>& trials) {
  Seen seen;
  seen.take_all(trials, [&](const policies::TrialState& trial) {
    seen.take(trial.id);
    seen.take(trial.status);
    seen.take(trial.failures);
    seen.take(trial.restores);
  });
  return seen.plain();
}

}  // namespace aftershock::sim::control
