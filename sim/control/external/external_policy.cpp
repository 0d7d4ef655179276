#include "sim/control/external/external_policy.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/external/messages.h"
#include "reports/recording/hash.h"
#include "sim/control/external/answer.h"
#include "sim/control/external/decide.h"
#include "sim/control/external/line_faults.h"
#include "sim/control/external/query_limits.h"

namespace aftershock::sim::control {
namespace {

using nlohmann::json;

/// Tells answers apart within this process: a word at a time, as the machine has them.
std::uint64_t hash_of(std::string_view text) {
  reports::RecordHash hash;
  hash.add(text.size());
  for (; !text.empty(); text.remove_prefix(std::min(text.size(), sizeof(std::uint64_t)))) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), std::min(text.size(), sizeof(word)));
    hash.add(word);
  }
  return hash.value();
}

/// A question that was asked, and what came back to it.
struct Told {
  std::string to;
  std::uint64_t from = 0;  ///< hash
};

class ExternalPolicy final : public policies::Policy {
 public:
  ExternalPolicy(std::shared_ptr<ExternalSource> source, std::shared_ptr<const Identity> identity,
                 std::string world)
      : source_(std::move(source)),
        identity_(std::move(identity)),
        world_(std::move(world)),
        state_(identity_->state),
        budgets_(identity_->budgets) {}
  // Without the conversation: a copy begins one of its own when it is first asked (catch_up()).
  ExternalPolicy(const ExternalPolicy& other)
      : source_(other.source_),
        identity_(other.identity_),
        world_(other.world_),
        history_(other.history_),
        state_(other.state_),
        budgets_(other.budgets_),
        result_(other.result_),
        limits_(other.limits_),
        last_trials_(other.last_trials_),
        failure_(other.failure_) {}
  ExternalPolicy& operator=(const ExternalPolicy&) = delete;
  ~ExternalPolicy() override = default;

  [[nodiscard]] const policies::PolicyInfo& info() const override { return identity_->info; }
  [[nodiscard]] policies::Decision on_events(const policies::Batch& batch,
                                             const policies::View& view) override;
  [[nodiscard]] json durable(policies::TimeUs at_us) const override;
  [[nodiscard]] std::optional<policies::TimeUs> stored_us(policies::TimeUs at_us) const override;
  [[nodiscard]] std::uint16_t state() const override { return state_; }
  [[nodiscard]] std::vector<policies::BudgetState> budgets() const override { return budgets_; }
  [[nodiscard]] policies::ResultCheckpoints result() const override { return result_; }
  [[nodiscard]] std::vector<policies::TrialState> trials() const override;
  [[nodiscard]] std::string_view failure() const override { return failure_; }
  void killed() override;
  [[nodiscard]] std::unique_ptr<policies::Policy> clone() const override {
    return std::make_unique<ExternalPolicy>(*this);
  }

 private:
  using Answer = std::variant<std::string_view, NoAnswer>;

  Answer say(std::string_view line, std::string_view what) const;
  std::optional<NoAnswer> catch_up() const;
  json look_up(const std::string& question, std::string_view member) const;
  void fail(std::string why) const;
  void note(const policies::Decision& decision, const policies::wire::Standing& standing);

  std::shared_ptr<ExternalSource> source_;
  std::shared_ptr<const Identity> identity_;
  std::string world_;
  mutable std::unique_ptr<ExternalSource::Conversation> conversation_;
  // Shared with copies: the copy of a world costs a pointer a batch, not the text of all of them.
  std::vector<std::shared_ptr<const Told>> history_;  ///< batches
  std::uint16_t state_;
  std::vector<policies::BudgetState> budgets_;
  policies::ResultCheckpoints result_;
  QueryLimits limits_;
  std::deque<std::string> texts_;  ///< of the last decision
  mutable std::string asked_;      ///< the last question of look_up since the last batch
  mutable json looked_up_;
  std::optional<std::vector<policies::TrialState>> last_trials_;  ///< it was killed
  mutable std::string failure_;
};

void ExternalPolicy::fail(std::string why) const {
  if (failure_.empty()) {
    failure_ = std::move(why);
  }
}

/// A policy that begins anew hears what it, or the one that it is a copy of, was told before.
std::optional<NoAnswer> ExternalPolicy::catch_up() const {
  conversation_ = std::make_unique<ExternalSource::Conversation>(source_, world_);
  if (auto none = conversation_->begin()) {
    return none;
  }
  // Rules and budgets are numbers in what was recorded before: another list would give them other
  // meanings.
  if (conversation_->minor() != identity_->minor) {
    return NoAnswer{conversation_->blame("asks for another version of the protocol than before")};
  }
  if (conversation_->ready() != identity_->ready) {
    return NoAnswer{conversation_->blame(
        fmt::format("says another thing of itself than before\n  before {}\n  now    {}",
                    shown_line(identity_->ready), shown_line(conversation_->ready())))};
  }
  for (std::size_t i = 0; i < history_.size(); ++i) {
    const std::string what = fmt::format("batch {}, once more,", i + 1);
    const auto answer = conversation_->ask(history_[i]->to, what);
    if (const auto* none = std::get_if<NoAnswer>(&answer)) {
      return *none;
    }
    const std::string_view text = std::get<std::string_view>(answer);
    if (hash_of(text) != history_[i]->from) {
      return NoAnswer{conversation_->blame(fmt::format(
          "answered batch {} otherwise when it was asked again: {}", i + 1, quote(text)))};
    }
  }
  return std::nullopt;
}

ExternalPolicy::Answer ExternalPolicy::say(std::string_view line, std::string_view what) const {
  if (conversation_ == nullptr || !conversation_->goes_on()) {
    if (auto none = catch_up()) {
      return *std::move(none);
    }
  }
  return conversation_->ask(line, what);
}

policies::Decision ExternalPolicy::on_events(const policies::Batch& batch,
                                             const policies::View& /*view*/) {
  limits_.count(batch);
  // The answer to a question holds until the policy hears of something new.
  asked_.clear();
  if (!failure_.empty()) {
    return {};
  }
  // Not sent, and not in the history either: a copy is told what this one was told.
  if (!QueryLimits::is_for(*identity_, batch)) {
    return limits_.without_asking(batch);
  }
  auto told = std::make_shared<Told>(Told{policies::wire::batch_line(batch, identity_->minor), 0});
  const Answer answer = say(told->to, fmt::format("batch {}", batch.seq));
  if (const auto* none = std::get_if<NoAnswer>(&answer)) {
    fail(none->why);
    return {};
  }
  const std::string_view line = std::get<std::string_view>(answer);
  told->from = hash_of(line);
  auto read = read_decide(line, batch, identity_->info, state_, *source_, texts_);
  if (const auto* problem = std::get_if<std::string>(&read)) {
    fail(conversation_->blame(*problem));
    return {};
  }
  if (identity_->minor == 0 && std::get<Decided>(read).decision.watch.metrics) {
    fail(
        conversation_->blame(fmt::format("answered batch {} wrongly: /watch/metrics: a member of "
                                         "protocol 1.1, and it asked for 1.0 in hello_ok",
                                         batch.seq)));
    return {};
  }
  if (auto problem = limits_.loops()) {
    fail(conversation_->blame(*problem));
    return {};
  }
  history_.push_back(std::move(told));
  auto& [decision, standing] = std::get<Decided>(read);
  note(decision, standing);
  limits_.watches(decision.watch, *identity_);
  return std::move(decision);
}

/// The last states of its trials stay visible. A copy in another process has its own program, which
/// is not asked.
void ExternalPolicy::killed() {
  last_trials_ = trials();
  if (conversation_ != nullptr) {
    conversation_->kill();
  }
}

void ExternalPolicy::note(const policies::Decision& decision,
                          const policies::wire::Standing& standing) {
  for (const policies::Step& step : decision.steps) {
    state_ = step.to_state;
    for (const policies::BudgetMove& move : step.budgets) {
      budgets_[move.budget] = {move.used, move.limit};
    }
  }
  // Said apart from the steps it goes last: it is where the policy stands after all of them.
  if (standing.state) {
    const auto& states = identity_->info.states;
    state_ =
        static_cast<std::uint16_t>(std::ranges::find(states, *standing.state) - states.begin());
  }
  if (standing.budgets) {
    budgets_.clear();
    for (const policies::wire::BudgetNow& budget : *standing.budgets) {
      budgets_.push_back({budget.used, budget.limit});
    }
  }
  if (standing.result) {
    result_ = {standing.result->latest, standing.result->best};
  }
}

/// Asks what the policy is, not what it does: null where it cannot be asked.
json ExternalPolicy::look_up(const std::string& question, std::string_view member) const {
  if (question == asked_) {
    return looked_up_;
  }
  if (!failure_.empty() || history_.empty() || last_trials_) {
    return nullptr;
  }
  const Answer answer = say(question, member);
  if (const auto* none = std::get_if<NoAnswer>(&answer)) {
    fail(none->why);
    return nullptr;
  }
  auto parsed = parse_answer(std::get<std::string_view>(answer), member, "answer");
  if (const auto* problem = std::get_if<std::string>(&parsed)) {
    fail(conversation_->blame(*problem));
    return nullptr;
  }
  json& found = std::get<json>(parsed);
  if (!found.contains(member)) {
    fail(conversation_->blame(fmt::format("answered without \"{}\"", member)));
    return nullptr;
  }
  asked_ = question;
  looked_up_ = std::move(found);
  return looked_up_;
}

json ExternalPolicy::durable(policies::TimeUs at_us) const {
  if (!identity_->stores()) {
    return nullptr;
  }
  const json found =
      look_up(fmt::format(R"({{"type":"ask","what":"durable","at_us":{}}})", at_us), "durable");
  return found.is_null() ? found : found["durable"];
}

std::optional<policies::TimeUs> ExternalPolicy::stored_us(policies::TimeUs at_us) const {
  if (!identity_->stores()) {
    return std::nullopt;
  }
  const json found =
      look_up(fmt::format(R"({{"type":"ask","what":"durable","at_us":{}}})", at_us), "durable");
  const auto stored = found.is_null() ? found.end() : found.find("stored_us");
  return stored != found.end() && stored->is_number_unsigned()
             ? std::optional(stored->get<policies::TimeUs>())
             : std::nullopt;
}

std::vector<policies::TrialState> ExternalPolicy::trials() const {
  if (last_trials_) {
    return *last_trials_;
  }
  std::vector<policies::TrialState> states;
  if (!identity_->features.contains(policies::wire::kTrials)) {
    return states;
  }
  const json found = look_up(R"({"type":"ask","what":"trials"})", "trials");
  if (found.is_null()) {
    return states;
  }
  auto read = read_trials(found["trials"], *source_);
  if (const auto* issue = std::get_if<policies::Issue>(&read)) {
    fail(conversation_->blame("answered trials wrongly: " + policies::describe(*issue)));
    return states;
  }
  return std::get<std::vector<policies::TrialState>>(std::move(read));
}

}  // namespace

std::unique_ptr<policies::Policy> make_external_policy(std::shared_ptr<ExternalSource> source,
                                                       std::shared_ptr<const Identity> identity,
                                                       std::string world) {
  return std::make_unique<ExternalPolicy>(std::move(source), std::move(identity), std::move(world));
}

}  // namespace aftershock::sim::control
