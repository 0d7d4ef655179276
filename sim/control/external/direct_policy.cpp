#include "sim/control/external/direct_policy.h"

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json.h"
#include "policies/api/json_as_text.h"
#include "policies/external/messages.h"
#include "policies/external/server.h"
#include "policies/external/unsayable.h"
#include "sim/control/external/decide.h"
#include "sim/control/external/fast_path.h"
#include "sim/control/external/line_faults.h"
#include "sim/control/external/policy_library.h"
#include "sim/control/external/query_limits.h"

namespace aftershock::sim::control {
namespace {

using nlohmann::json;

/// This instance describes itself as the earlier one did by messages.
bool says_the_same(const policies::ConfiguredPolicy& made, const Identity& before) {
  const policies::PolicyInfo& one = made.policy->info();
  const policies::PolicyInfo& other = before.info;
  return one.subject == other.subject && one.name == other.name && one.profile == other.profile &&
         one.summary == other.summary && one.states == other.states &&
         one.budgets == other.budgets && one.budgets_in_a_row == other.budgets_in_a_row &&
         one.rules == other.rules && one.endings == other.endings &&
         one.relaxing == other.relaxing && one.watches_nodes == other.watches_nodes &&
         one.isolates == other.isolates && one.leaves_peers == other.leaves_peers &&
         one.charges_pods == other.charges_pods && one.pods_are_objects == other.pods_are_objects &&
         one.agents == other.agents && one.commits_checkpoints == other.commits_checkpoints &&
         (before.minor == 0 || one.persists == other.persists) &&
         made.policy->state() == before.state && made.policy->budgets() == before.budgets &&
         made.terms == before.terms;
}

class DirectPolicy final : public policies::Policy {
 public:
  DirectPolicy(std::shared_ptr<ExternalSource> source, std::shared_ptr<const Identity> identity,
               policies::PolicyRequest request)
      : source_(std::move(source)),
        identity_(std::move(identity)),
        request_(std::make_shared<const policies::PolicyRequest>(std::move(request))),
        state_(identity_->state),
        budgets_(identity_->budgets) {}
  DirectPolicy(const DirectPolicy& other)
      : source_(other.source_),
        identity_(other.identity_),
        request_(other.request_),
        state_(other.state_),
        budgets_(other.budgets_),
        limits_(other.limits_),
        answered_(other.answered_),
        last_(other.last_),
        failure_(other.failure_) {
    if (other.policy_ != nullptr) {
      std::string thrown;
      policy_ = call_library(thrown, [&] { return other.policy_->clone(); });
      if (policy_ == nullptr) {
        fail("cannot be copied: its clone() " + (thrown.empty() ? "returned null" : thrown));
      }
    }
  }
  DirectPolicy& operator=(const DirectPolicy&) = delete;
  ~DirectPolicy() override { drop(); }

  [[nodiscard]] const policies::PolicyInfo& info() const override { return identity_->info; }
  [[nodiscard]] policies::Decision on_events(const policies::Batch& batch,
                                             const policies::View& view) override;
  [[nodiscard]] json durable(policies::TimeUs at_us) const override;
  [[nodiscard]] std::optional<policies::TimeUs> stored_us(policies::TimeUs at_us) const override;
  [[nodiscard]] std::uint16_t state() const override { return state_; }
  [[nodiscard]] std::vector<policies::BudgetState> budgets() const override;
  [[nodiscard]] policies::ResultCheckpoints result() const override;
  [[nodiscard]] std::vector<policies::TrialState> trials() const override;
  [[nodiscard]] std::string_view failure() const override { return failure_; }
  void killed() override {
    // The summary asks how budgets, trials and results stand when nothing can be asked any more.
    budgets_ = budgets();
    last_ = Last{trials(), result()};
    drop();
  }
  [[nodiscard]] std::unique_ptr<policies::Policy> clone() const override {
    return std::make_unique<DirectPolicy>(*this);
  }

 private:
  /// The state of the policy when it was killed.
  struct Last {
    std::vector<policies::TrialState> trials;
    policies::ResultCheckpoints result;
  };

  void begin();
  void drop();
  void fail(std::string_view why) const;
  [[nodiscard]] bool can_be_asked(std::string_view feature) const;
  template <class Question>
  auto ask(std::string_view what, const Question& question) const;
  policies::Decision decide(const policies::Batch& batch, const policies::View& view);
  void look_closely(policies::Decision& decision, std::uint16_t state,
                    const std::vector<policies::BudgetState>& budgets,
                    const policies::Batch& batch);
  bool keep_texts(std::vector<policies::Step>& steps) const;

  // The library is there for as long as the source is: before what it has made, and after it.
  std::shared_ptr<ExternalSource> source_;
  std::shared_ptr<const Identity> identity_;
  std::shared_ptr<const policies::PolicyRequest> request_;
  std::unique_ptr<policies::Policy> policy_;
  std::uint16_t state_;
  std::vector<policies::BudgetState> budgets_;  ///< when one last moved
  QueryLimits limits_;
  std::deque<std::string> texts_;  ///< of the last decision that was read as a message
  bool answered_ = false;          ///< a batch, ever
  std::optional<Last> last_;       ///< it was killed
  mutable std::string failure_;
};

void DirectPolicy::fail(std::string_view why) const {
  if (failure_.empty()) {
    failure_ = source_->direct().blame(why);
  }
}

void DirectPolicy::drop() {
  std::string thrown;
  // The destructor is the library's code as well, and may throw or end the program.
  call_library(thrown, [&] { policy_ = nullptr; });
}

void DirectPolicy::begin() {
  std::string thrown;
  policies::MakeResult made =
      call_library(thrown, [&] { return source_->direct().make(*request_); });
  if (!thrown.empty()) {
    return fail("did not answer world: its maker " + thrown);
  }
  auto* configured = std::get_if<policies::ConfiguredPolicy>(&made);
  if (configured != nullptr && configured->policy == nullptr) {
    return fail("did not answer world: its maker returned null");
  }
  const bool same = call_library(
      thrown, [&] { return configured != nullptr && says_the_same(*configured, *identity_); });
  if (!same && thrown.empty()) {
    // Unequal values may have equal messages: the policy's own name, say, which a message leaves
    // out.
    const policies::Reply now =
        call_library(thrown, [&] { return policies::answer_to_world(made, identity_->minor); });
    const auto* issue = std::get_if<policies::Issue>(&now);
    const std::string said = issue != nullptr ? describe(*issue) : std::get<std::string>(now);
    if (thrown.empty() && said != identity_->ready) {
      fail(fmt::format("says another thing of itself than before\n  before {}\n  now    {}",
                       shown_line(identity_->ready), shown_line(said)));
    }
  }
  if (!thrown.empty()) {
    fail("did not answer world: it " + thrown);
  }
  if (configured != nullptr) {
    policy_ = std::move(configured->policy);
  }
}

policies::Decision DirectPolicy::on_events(const policies::Batch& batch,
                                           const policies::View& view) {
  limits_.count(batch);
  if (policy_ == nullptr && failure_.empty() && !last_) {
    begin();
  }
  if (policy_ == nullptr || !failure_.empty()) {
    return {};
  }
  return QueryLimits::is_for(*identity_, batch) ? decide(batch, view)
                                                : limits_.without_asking(batch);
}

/// All its time goes by here: nothing is copied or asked for that need not be.
policies::Decision DirectPolicy::decide(const policies::Batch& batch, const policies::View& view) {
  std::string thrown;
  std::uint16_t state = 0;
  bool budgets_moved = !answered_;
  std::vector<policies::BudgetState> budgets;
  policies::Decision decision = call_library(thrown, [&] {
    policies::Decision answer = policy_->on_events(batch, view);
    state = policy_->state();
    for (const policies::Step& step : answer.steps) {
      budgets_moved |= !step.budgets.empty();
    }
    if (budgets_moved) {
      budgets = policy_->budgets();
    }
    return answer;
  });
  const policies::PolicyInfo& info = identity_->info;
  if (!thrown.empty()) {
    fail(fmt::format("did not answer batch {}: it {}", batch.seq, thrown));
  } else if (!is_plain(decision, batch.events.size(), info) || state >= info.states.size() ||
             (budgets_moved && !is_plain(budgets, info)) || !keep_texts(decision.steps)) {
    look_closely(decision, state, budgets_moved ? budgets : budgets_, batch);
  }
  if (const auto problem = limits_.loops()) {
    fail(*problem);
  }
  if (!failure_.empty()) {
    decision = {};
    return decision;  // the same one as below, which is made where it is wanted
  }
  answered_ = true;
  state_ = state;
  if (budgets_moved) {
    budgets_ = std::move(budgets);
  }
  limits_.watches(decision.watch, *identity_);
  return decision;
}

/// An answer that is not plain is read as a message would be, so that it gives the same decision,
/// or the same error in the same words.
void DirectPolicy::look_closely(policies::Decision& decision, std::uint16_t state,
                                const std::vector<policies::BudgetState>& budgets,
                                const policies::Batch& batch) {
  const policies::PolicyInfo& info = identity_->info;
  if (const auto issue = policies::unsayable(decision, state, info)) {
    return fail(
        fmt::format("answered batch {} wrongly: {}", batch.seq, policies::describe(*issue)));
  }
  const policies::wire::Standing standing{.state = std::string(info.states[state]),
                                          .budgets = policies::wire::budgets_now(budgets)};
  const std::string line = policies::wire::decide_line(batch.seq, decision, info, standing);
  if (line.size() > kLongestLine) {
    return fail(fmt::format("answered batch {} with more than {} bytes", batch.seq, kLongestLine));
  }
  auto read = read_decide(line, batch, info, state_, *source_, texts_);
  if (const auto* problem = std::get_if<std::string>(&read)) {
    return fail(*problem);
  }
  decision = std::move(std::get<Decided>(read).decision);
}

/// The vendor's words become ours: they stay when the policy goes. False: there are too many of
/// them.
bool DirectPolicy::keep_texts(std::vector<policies::Step>& steps) const {
  for (policies::Step& step : steps) {
    if (!step.decision.empty()) {
      const auto kept = source_->keep(step.decision);
      if (!kept) {
        return false;
      }
      step.decision = *kept;
    }
  }
  return true;
}

bool DirectPolicy::can_be_asked(std::string_view feature) const {
  // By messages nothing is asked before the first batch: the two ways are held to the same.
  return identity_->features.contains(feature) && failure_.empty() && answered_ && !last_;
}

/// Asks for properties of the policy, as opposed to decisions; empty where the library cannot tell
/// them.
template <class Question>
auto DirectPolicy::ask(std::string_view what, const Question& question) const {
  std::string thrown;
  auto answer = call_library(thrown, [&] { return std::optional(question(*policy_)); });
  if (!thrown.empty()) {
    fail(fmt::format("did not answer {}: it {}", what, thrown));
  }
  return answer;
}

json DirectPolicy::durable(policies::TimeUs at_us) const {
  if (!can_be_asked(policies::wire::kDurable) || identity_->persists_nothing) {
    return nullptr;
  }
  // As text: so it is stored, and so it is whole, whatever letters are in it.
  const auto text = ask("durable", [&](const policies::Policy& policy) {
    return policies::text_from_json(policy.durable(at_us));
  });
  if (!text) {
    return nullptr;
  }
  auto parsed = policies::parse_json(*text);
  if (text->size() > kLongestLine || std::holds_alternative<policies::Issue>(parsed)) {
    fail(text->size() > kLongestLine
             ? fmt::format("answered durable with more than {} bytes", kLongestLine)
             : "answered durable with invalid JSON: " + quote(*text));
    return nullptr;
  }
  return std::get<json>(std::move(parsed));
}

std::optional<policies::TimeUs> DirectPolicy::stored_us(policies::TimeUs at_us) const {
  if (!can_be_asked(policies::wire::kDurable) || identity_->persists_nothing) {
    return std::nullopt;
  }
  const auto stored =
      ask("durable", [&](const policies::Policy& policy) { return policy.stored_us(at_us); });
  // A message could not say a time below 0.
  return stored && *stored >= 0 ? stored : std::nullopt;
}

std::vector<policies::BudgetState> DirectPolicy::budgets() const {
  if (last_ || policy_ == nullptr || !answered_ || !failure_.empty()) {
    return budgets_;
  }
  auto now =
      ask("how its budgets stand", [](const policies::Policy& policy) { return policy.budgets(); });
  if (now && !is_plain(*now, identity_->info)) {
    fail(fmt::format("says wrongly how its budgets stand: got {}, expected {} of 0 to 2^53",
                     now->size(), identity_->info.budgets.size()));
    now.reset();
  }
  return now ? *std::move(now) : budgets_;
}

policies::ResultCheckpoints DirectPolicy::result() const {
  if (last_ || policy_ == nullptr) {
    return last_ ? last_->result : policies::ResultCheckpoints();
  }
  return ask("result", [](const policies::Policy& policy) { return policy.result(); })
      .value_or(policies::ResultCheckpoints());
}

std::vector<policies::TrialState> DirectPolicy::trials() const {
  if (last_) {
    return last_->trials;
  }
  if (!can_be_asked(policies::wire::kTrials)) {
    return {};
  }
  auto states = ask("trials", [](const policies::Policy& policy) { return policy.trials(); });
  if (!states) {
    return {};
  }
  if (is_plain(*states)) {
    for (policies::TrialState& state : *states) {
      state.status = source_->keep(state.status).value_or("");
    }
    return *std::move(states);
  }
  const auto text = policies::text_from_json(policies::wire::trials_json(*states));
  auto read = read_trials(policies::json_from_text<json>(text), *source_);
  if (const auto* issue = std::get_if<policies::Issue>(&read)) {
    fail("answered trials wrongly: " + policies::describe(*issue));
    return {};
  }
  return std::get<std::vector<policies::TrialState>>(std::move(read));
}

}  // namespace

std::unique_ptr<policies::Policy> make_direct_policy(std::shared_ptr<ExternalSource> source,
                                                     std::shared_ptr<const Identity> identity,
                                                     policies::PolicyRequest request) {
  return std::make_unique<DirectPolicy>(std::move(source), std::move(identity), std::move(request));
}

}  // namespace aftershock::sim::control
