#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "policies/api/config.h"
#include "policies/api/fields.h"
#include "policies/api/json_as_text.h"
#include "policies/api/json_reader.h"
#include "policies/api/pod_terms.h"

// Messages of the two sides beside batches and decisions, which policies/api/json.h has.
// policies/external/README.md tells them as a story, policies/external/messages.schema.json is
// their form.
namespace aftershock::policies::wire {

/// major.minor: another major is another protocol. `hello` has the first minor, in which all hear
/// it; a policy that answers with a later one hears what that adds from its world on, and all
/// others hear nothing of it.
inline constexpr std::string_view kProtocol = "1.0";
inline constexpr std::string_view kNewestProtocol = "1.1";
inline constexpr int kNewestMinor = 1;

/// The minor that the two sides speak where a policy says this; none: another major, or no version.
std::optional<int> minor_of(std::string_view protocol);

/// Optional abilities of a policy.
inline constexpr std::string_view kReset = "reset";  ///< its process is of use for more than one
inline constexpr std::string_view kDurable = "durable";  ///< it can be asked for what storage holds
inline constexpr std::string_view kTrials = "trials";    ///< and how its trials stand

/// First word of the simulator.
struct Hello {
  static constexpr std::string_view kName = "hello";
  std::string protocol{kProtocol};
  std::vector<std::string> features{"reset", "durable", "trials"};
  std::uint64_t line_limit = 0;
  std::int64_t deadline_ms = 0;
  static constexpr auto fields(auto list) {
    return list(field("protocol", &Hello::protocol), field("features", &Hello::features),
                field("line_limit", &Hello::line_limit), field("deadline_ms", &Hello::deadline_ms));
  }
};

/// Its answer.
struct HelloOk {
  static constexpr std::string_view kName = "hello_ok";
  std::string protocol{kProtocol};
  std::string name{};
  std::string version{};
  std::vector<std::string> features{};
  static constexpr auto fields(auto list) {
    return list(field("protocol", &HelloOk::protocol), field("name", &HelloOk::name),
                field("version", &HelloOk::version), field("features", &HelloOk::features));
  }
};

/// A rule, as policies::Rule and policies::Ending.
struct Rule {
  std::string id{};
  std::string sentence{};
  std::string source{};
  std::optional<EndReason> ends{};
  bool relaxes = false;  ///< see PolicyInfo::relaxing
  static constexpr auto fields(auto list) {
    return list(field("id", &Rule::id), field("sentence", &Rule::sentence),
                field("source", &Rule::source), sparse_field("ends", &Rule::ends),
                sparse_field("relaxes", &Rule::relaxes));
  }
};

/// A retry budget, and how it stands at the start.
struct Budget {
  std::string name{};
  bool in_a_row = false;
  std::int64_t used = 0;
  std::optional<std::int64_t> limit{};
  static constexpr auto fields(auto list) {
    return list(field("name", &Budget::name), sparse_field("in_a_row", &Budget::in_a_row),
                field("used", &Budget::used), field("limit", &Budget::limit));
  }
};

/// A code whose severity the configuration lays down.
struct CodeSeverity {
  std::string code{};
  Severity severity = Severity::kHint;
  static constexpr auto fields(auto list) {
    return list(field("code", &CodeSeverity::code), field("severity", &CodeSeverity::severity));
  }
};

/// PodTerms.
struct Terms : PodTerms {
  std::vector<CodeSeverity> by_code{};
  static constexpr auto fields(auto list) {
    return list(field("restarts", &Terms::restarts), field("unconditional", &Terms::unconditional),
                sparse_field("limits", &Terms::limits),
                sparse_field("unmount_async_after_us", &Terms::unmount_async_after_us),
                sparse_field("hang_restart_after_us", &Terms::hang_restart_after_us),
                sparse_field("severities", &Terms::by_code),
                sparse_field("other_codes_reset", &Terms::other_codes_reset),
                sparse_field("third_fault_heals", &Terms::third_fault_heals),
                sparse_field("history_per_schedule", &Terms::history_per_schedule),
                sparse_field("count_kept", &Terms::count_kept),
                sparse_field("user_faults_extended", &Terms::user_faults_extended),
                sparse_field("second_fault_joins", &Terms::second_fault_joins),
                sparse_field("faulty_nodes_may_stay", &Terms::faulty_nodes_may_stay),
                sparse_field("unhealed_user_may_stay", &Terms::unhealed_user_may_stay));
  }
};

/// The policy takes the world, and says of itself what PolicyInfo has. Without states,
/// rules or a name it gets one of each.
struct Ready {
  static constexpr std::string_view kName = "ready";
  std::string name{};
  std::string profile{};
  std::string summary{};
  Subject subject = Subject::kJob;
  std::vector<std::string> states{};
  std::string state{};  ///< the one it is in; empty: the first
  std::vector<Budget> budgets{};
  std::vector<Rule> rules{};
  bool watches_nodes = false;
  bool isolates = false;
  bool leaves_peers = false;
  bool charges_pods = false;
  bool pods_are_objects = false;
  bool agents = false;
  bool commits_checkpoints = true;
  std::optional<Terms> terms{};
  /// The state that a completed persist keeps, in words; since 1.1. None: it does not say.
  std::optional<std::vector<std::string>> persists{};
  /// The types of events that it answers: it is not asked about batches that have none of them.
  /// None: all.
  std::optional<std::vector<std::string>> events{};
  static constexpr auto fields(auto list) {
    return list(field("name", &Ready::name), field("profile", &Ready::profile),
                field("summary", &Ready::summary), field("subject", &Ready::subject),
                field("states", &Ready::states), field("state", &Ready::state),
                field("budgets", &Ready::budgets), field("rules", &Ready::rules),
                field("watches_nodes", &Ready::watches_nodes),
                sparse_field("isolates", &Ready::isolates),
                sparse_field("leaves_peers", &Ready::leaves_peers),
                sparse_field("charges_pods", &Ready::charges_pods),
                sparse_field("pods_are_objects", &Ready::pods_are_objects),
                sparse_field("agents", &Ready::agents),
                field("commits_checkpoints", &Ready::commits_checkpoints),
                sparse_field("terms", &Ready::terms), sparse_field("persists", &Ready::persists),
                sparse_field("events", &Ready::events));
  }
};

/// Something wrong with the configuration, as policies::Issue.
struct RefusedIssue {
  std::string pointer{};
  std::string message{};
  std::string expected{};
  std::string nearest{};
  static constexpr auto fields(auto list) {
    return list(field("pointer", &RefusedIssue::pointer), field("message", &RefusedIssue::message),
                field("expected", &RefusedIssue::expected),
                field("nearest", &RefusedIssue::nearest));
  }
};

/// The policy does not take the world.
struct Refused {
  static constexpr std::string_view kName = "refused";
  std::vector<RefusedIssue> issues{};
  static constexpr auto fields(auto list) { return list(field("issues", &Refused::issues)); }
};

/// How a budget stands, as BudgetState.
struct BudgetNow {
  std::int64_t used = 0;
  std::optional<std::int64_t> limit{};
  static constexpr auto fields(auto list) {
    return list(field("used", &BudgetNow::used), field("limit", &BudgetNow::limit));
  }
};

/// How all of them stand.
std::vector<BudgetNow> budgets_now(const std::vector<BudgetState>& budgets);

/// ResultCheckpoints.
struct Result {
  std::optional<CheckpointId> latest{};
  std::optional<CheckpointId> best{};
  static constexpr auto fields(auto list) {
    return list(field("latest", &Result::latest), field("best", &Result::best));
  }
};

/// The parts of a decision's message beside its steps and its watch, where these do not say them
/// already.
struct Standing {
  std::optional<std::string> state{};
  std::optional<std::vector<BudgetNow>> budgets{};
  std::optional<Result> result{};
  static constexpr auto fields(auto list) {
    return list(sparse_field("state", &Standing::state),
                sparse_field("budgets", &Standing::budgets),
                sparse_field("result", &Standing::result));
  }
};

/// TrialState.
struct Trial {
  std::uint32_t trial = 0;
  std::string id{};
  std::string status{};
  std::int64_t failures = 0;
  std::int64_t restores = 0;
  std::optional<CheckpointId> checkpoint{};
  std::uint32_t iteration = 0;
  static constexpr auto fields(auto list) {
    return list(field("trial", &Trial::trial), field("id", &Trial::id),
                field("status", &Trial::status), field("failures", &Trial::failures),
                field("restores", &Trial::restores), field("checkpoint", &Trial::checkpoint),
                field("iteration", &Trial::iteration));
  }
};

/// A value as JSON, its members in the order of its fields().
template <class Value>
nlohmann::ordered_json to_json(const Value& value) {
  using json_reader::IsOptional;
  using json_reader::IsVector;
  if constexpr (std::is_enum_v<Value>) {
    return name_of(value);
  } else if constexpr (IsOptional<Value>::value) {
    return value ? to_json(*value) : nlohmann::ordered_json(nullptr);
  } else if constexpr (IsVector<Value>::value) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& element : value) {
      list.push_back(to_json(element));
    }
    return list;
  } else if constexpr (HasFields<Value>) {
    auto object = nlohmann::ordered_json::object();
    if constexpr (requires { Value::kName; }) {
      object["type"] = Value::kName;
    }
    const auto member = [&](const auto& named) {
      auto json = to_json(value.*named.member);
      if (!named.sparse || !(json.is_null() || json.empty() || json == false)) {
        object[std::string(named.name)] = std::move(json);
      }
    };
    Value::fields([&](const auto&... named) { (member(named), ...); });
    return object;
  } else {
    return value;
  }
}

/// The line of a message.
template <class Message>
std::string to_line(const Message& message) {
  return text_from_json(to_json(message));
}

/// The world, for one policy: what it is asked to be, and what there is. `setting` none: only
/// whether it takes the configuration.
std::string world_line(const PolicyRequest& request,
                       const std::optional<PolicySource::Setting>& setting);

/// The line of a world for a policy of that minor, to which it says so.
std::string world_in(std::string_view world_line, int minor);

/// How trials stand, as the answer to that question has it.
nlohmann::ordered_json trials_json(const std::vector<TrialState>& trials);

/// A batch as a message to a policy of that minor.
std::string batch_line(const Batch& batch, int minor);

/// The answer to it. `info` must be that of the policy that decided.
std::string decide_line(std::uint64_t seq, const Decision& decision, const PolicyInfo& info,
                        const Standing& standing);

/// The other way, for the side that serves a policy. Issues' pointers are relative to the message.
struct World {
  int minor = 0;  ///< of the protocol that the simulator speaks
  PolicyRequest request;
  Inventory inventory;
};
/// Reads the world that `world_line` wrote.
ReadResult<World> world_from_json(const nlohmann::json& message);

}  // namespace aftershock::policies::wire
