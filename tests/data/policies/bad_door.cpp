// A policy's library that is asked directly and goes wrong in the way that WAY says;
// tests/cli/library.py builds it.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "policies/external/library.h"

namespace {

using namespace aftershock::policies;

bool is(const char* way) {
  const char* chosen = std::getenv("WAY");
  return chosen != nullptr && std::strcmp(chosen, way) == 0;
}

class Bad final : public Policy {
 public:
  explicit Bad(bool first) {
    info_.name = "bad";
    info_.states = {"RUNNING"};
    info_.budgets = {"retries"};
    info_.rules = {{first || !is("other_self") ? "bad.decides" : "bad.differs", "", ""}};
  }

  [[nodiscard]] const PolicyInfo& info() const override { return info_; }
  [[nodiscard]] nlohmann::json durable(TimeUs /*at_us*/) const override { return nullptr; }
  [[nodiscard]] ResultCheckpoints result() const override {
    if (is("result")) {
      throw std::runtime_error("out of luck");
    }
    return {};
  }
  [[nodiscard]] std::uint16_t state() const override { return is("state") && asked_ ? 3 : 0; }
  [[nodiscard]] std::vector<BudgetState> budgets() const override {
    return std::vector<BudgetState>(is("budgets") && asked_ ? 2 : 1);
  }
  [[nodiscard]] std::unique_ptr<Policy> clone() const override {
    return std::make_unique<Bad>(*this);
  }

  [[nodiscard]] Decision on_events(const Batch& batch, const View& /*view*/) override {
    asked_ = true;
    if (is("throws")) {
      throw std::runtime_error("out of luck");
    }
    if (is("throws_number")) {
      throw 7;
    }
    if (is("exits")) {
      std::exit(0);
    }
    Decision decision;
    Step& step = decision.steps.emplace_back();
    BudgetMove& move = step.budgets.emplace_back();
    Watch& watch = decision.watch;
    step.rule = is("rule") ? 7 : 0;
    step.from_state = is("from") ? 1 : 0;
    step.to_state = is("to") ? 65535 : 0;
    step.saw = {static_cast<std::uint16_t>(is("saw") ? 99 : 0)};
    move.budget = is("budget") ? 1 : 0;
    move.cause = is("cause") ? static_cast<ChargeCause>(200) : ChargeCause::kNode;
    move.used = is("large") ? (std::int64_t{1} << 53U) + 1 : 0;
    if (!is("result")) {
      watch.wake_us = is("loops") ? batch.t_us : is("negative") ? -5 : batch.t_us + kSecondUs;
    }
    if (is("period")) {
      watch.poll = PollWatch{};
    }
    if (is("huge")) {
      step.commands.emplace_back(Notify{.text = std::string(2'000'000, 'x')});
    }
    return decision;
  }

 private:
  PolicyInfo info_;
  bool asked_ = false;
};

/// Whether nobody was made before: the first one says by messages what it is.
bool is_first() {
  static const auto kMade = std::make_unique<int>(0);
  return (*kMade)++ == 0;
}

MakeResult make_bad(const PolicyRequest& /*request*/) {
  const bool first = is_first();
  if (!first && is("maker_throws")) {
    throw std::runtime_error("no licence");
  }
  return ConfiguredPolicy{.policy =
                              first || !is("maker_null") ? std::make_unique<Bad>(first) : nullptr};
}

}  // namespace

AFTERSHOCK_POLICY_LIBRARY("bad", make_bad)
