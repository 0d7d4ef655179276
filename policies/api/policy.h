#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "policies/api/decision.h"
#include "policies/api/events.h"
#include "policies/api/view.h"

namespace aftershock::policies {

/// A rule that a policy may apply. Ids are stable: they are recorded, counted and grepped for.
struct Rule {
  std::string_view id;        ///< e.g. "ray_train.failure.retry"
  std::string_view sentence;  ///< its words, for a reader of a decision
  std::string_view source;    ///< where that is laid down
  friend bool operator==(const Rule&, const Rule&) = default;
};

/// A setting of a policy, as `policies show` prints it.
struct Parameter {
  std::string_view name;
  std::string_view type;  ///< "integer", "number", "duration", "boolean", "string", ...
  std::string_view unit;  ///< "" where it has none
  std::string_view default_text;
  std::string_view meaning;
  std::string_view env;  ///< environment variable that sets it, "" where there is none
};

/// Why a policy gives a job up (modelarts.md 4, rule 9).
enum class EndReason : std::uint8_t {
  kRetriesExhausted,       ///< a budget of the job's life is used up
  kUnconditionalLimit,     ///< too many exits in a row that no hardware explains
  kHangLimit,              ///< too many hangs in a row
  kNoResource,             ///< it waited too long for nodes
  kUnconditionalDisabled,  ///< an exit that no hardware explains, and nobody asked for a restart
  kRestartsOff,            ///< nothing is recovered
  kUserStop,
};
template <>
struct EnumNames<EndReason> {
  static constexpr std::array<std::string_view, 7> kNames{
      "retries_exhausted", "unconditional_limit", "hang_limit", "no_resource",
      "unconditional_off", "restarts_off",        "user_stop"};
};

/// The meaning of giving up by a rule.
struct Ending {
  std::uint16_t rule = 0;  ///< index into PolicyInfo::rules
  EndReason why = EndReason::kRetriesExhausted;
  friend bool operator==(const Ending&, const Ending&) = default;
};

/// The subject that a policy decides for.
enum class Subject : std::uint8_t { kJob, kExperiment };
template <>
struct EnumNames<Subject> {
  static constexpr std::array<std::string_view, 2> kNames{"job", "experiment"};
};

/// A policy's description of itself. All text lives as long as the program.
struct PolicyInfo {
  Subject subject = Subject::kJob;
  std::string_view name;
  std::string_view profile;
  std::string_view summary;
  std::vector<std::string_view> states;   ///< the vendor's words; Step indexes this
  std::vector<std::string_view> budgets;  ///< the vendor's words; BudgetMove indexes this
  /// Those of `budgets` that count what came in a row; all others are for the job's life.
  std::vector<std::uint16_t> budgets_in_a_row;
  std::vector<Rule> rules;  ///< Step indexes this
  /// Of a policy of pods: rules by which a job is given up, as "gave_up(RULE)". A policy with any
  /// is held to the order in which pods are recovered (modelarts.md 4).
  std::vector<Ending> endings;
  /// Rules by which a checkpoint no longer waits for ranks that a notice names (Ray 2.60).
  std::vector<std::uint16_t> relaxing;
  std::vector<Parameter> parameters;
  std::vector<std::string_view> persists;  ///< the state that a completed persist keeps, in words
  bool watches_nodes = false;  ///< it is told of device faults and of nodes that are lost
  /// Its pods are objects of Kubernetes, which may outlive their node (NodeUnreachable::stays).
  bool pods_are_objects = false;
  bool isolates = false;  ///< it heals what is sick, or keeps it from the scheduler
  /// It restarts nothing for a process that ended: the others wait for it in a collective until
  /// that gives up.
  bool leaves_peers = false;
  /// It is an agent on each node, one of which can end apart from its node (AgentEnded).
  bool agents = false;
  bool charges_pods = false;  ///< each pod that fails is charged, so that an attempt may be twice
  /// It says which checkpoints count. Where it does not, the job's own script counts each as soon
  /// as it is durable, and finds the newest by itself.
  bool commits_checkpoints = true;
};

/// How a retry budget stands.
struct BudgetState {
  std::int64_t used = 0;
  std::optional<std::int64_t> limit;  ///< none: unlimited
  friend bool operator==(const BudgetState&, const BudgetState&) = default;
};

/// The checkpoints that a run shows when it ends: Ray's Result.
struct ResultCheckpoints {
  std::optional<CheckpointId> latest{};  ///< the last committed one
  std::optional<CheckpointId> best{};    ///< of those kept, by score; none where nothing is scored
};

/// How one trial of an experiment stands.
struct TrialState {
  std::uint32_t trial = 0;    ///< its number
  std::string id{};           ///< the vendor's; a trial that is restarted as a new one gets another
  std::string_view status;    ///< the vendor's word, which lives as long as the program
  std::int64_t failures = 0;  ///< those that counted
  std::int64_t restores = 0;  ///< loads of a checkpoint that succeeded, in this driver's life
  std::optional<CheckpointId> checkpoint{};  ///< the one it would resume from
  std::uint32_t iteration = 0;               ///< of its last result, 0: none
};

/// A recovery policy of one job: pure, single-threaded, without a clock of its own. Time arrives in
/// batches, effects leave as commands. It never blocks, and never throws for what the world does.
class Policy {
 public:
  virtual ~Policy() = default;

  /// Its description of itself, the same through its life: rules, states and budgets.
  [[nodiscard]] virtual const PolicyInfo& info() const = 0;

  /// Answers one batch. `view` has the batch already folded in.
  [[nodiscard]] virtual Decision on_events(const Batch& batch, const View& view) = 0;

  /// The state of this policy that storage holds at `at_us`, not before its last batch: the state
  /// that its last `persist` stored, and where it stores periodically the last one stored by then.
  [[nodiscard]] virtual nlohmann::json durable(TimeUs at_us) const = 0;

  /// When storage last got what durable(at_us) gives, where the policy stores periodically; none
  /// where nothing but a `persist` stores, or nothing has been stored yet.
  [[nodiscard]] virtual std::optional<TimeUs> stored_us(TimeUs /*at_us*/) const { return {}; }

  /// Index into info().states of the state the policy is in.
  [[nodiscard]] virtual std::uint16_t state() const = 0;

  /// How every budget of info().budgets stands, in that order.
  [[nodiscard]] virtual std::vector<BudgetState> budgets() const = 0;

  /// The checkpoints that the job's result names as of now.
  [[nodiscard]] virtual ResultCheckpoints result() const { return {}; }

  /// How every trial that was made so far stands, by number; empty where there are none.
  [[nodiscard]] virtual std::vector<TrialState> trials() const { return {}; }

  /// Why it can answer no more, in words; empty: it can. Only one that lives in another process, or
  /// is somebody else's library, ever fails: its answers are empty then.
  [[nodiscard]] virtual std::string_view failure() const { return {}; }

  /// Its process was killed (fault policy_crash): nothing is asked of this one again. An external
  /// policy is ended where it runs.
  virtual void killed() {}

  /// A full copy with everything it remembers. A controller that restarts gets only durable();
  /// this is for the harness, which copies worlds.
  [[nodiscard]] virtual std::unique_ptr<Policy> clone() const = 0;

 protected:
  Policy() = default;
  Policy(const Policy&) = default;
  Policy& operator=(const Policy&) = default;
};

}  // namespace aftershock::policies
