#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policies/api/fields.h"
#include "policies/api/ids.h"
#include "policies/api/rank_set.h"

namespace aftershock::policies {

/// An environment variable that the platform gives to a process.
struct Variable {
  std::string name{};
  std::string value{};
  static constexpr auto fields(auto list) {
    return list(field("name", &Variable::name), field("value", &Variable::value));
  }
  friend bool operator==(const Variable&, const Variable&) = default;
};

/// The environment that the pods of these ranks are given beside the job's own.
struct PodEnv {
  RankSet ranks{};
  std::vector<Variable> variables{};
  static constexpr auto fields(auto list) {
    return list(field("ranks", &PodEnv::ranks), field("variables", &PodEnv::variables));
  }
  friend bool operator==(const PodEnv&, const PodEnv&) = default;
};

/// Run the boot command again in every container of the attempt, which stop_workers has kept; it is
/// attempt `epoch` from now on. Nothing is scheduled. The host answers as it does to start_attempt.
/// With `in_process` the processes live on, and meet again without a launch.
struct RestartProcesses {
  static constexpr std::string_view kName = "restart_processes";
  CommandId id = 0;
  JobId job = 0;
  Epoch epoch = 0;
  bool in_process = false;
  std::vector<PodEnv> env{};
  static constexpr auto fields(auto list) {
    return list(field("id", &RestartProcesses::id), field("job", &RestartProcesses::job),
                field("epoch", &RestartProcesses::epoch),
                sparse_field("in_process", &RestartProcesses::in_process),
                field("env", &RestartProcesses::env));
  }
};

/// Make the pods of `ranks` anew, before anybody else who waits for nodes, and then run the boot
/// command in all of them and in the containers that were kept; it is attempt `epoch` from now on.
/// The host answers as it does to start_attempt.
struct RecreatePods {
  static constexpr std::string_view kName = "recreate_pods";
  CommandId id = 0;
  JobId job = 0;
  Epoch epoch = 0;
  RankSet ranks{};
  std::optional<DurationUs> placement_wait_us{};  ///< as in start_attempt
  std::vector<PodEnv> env{};
  static constexpr auto fields(auto list) {
    return list(field("id", &RecreatePods::id), field("job", &RecreatePods::job),
                field("epoch", &RecreatePods::epoch), field("ranks", &RecreatePods::ranks),
                field("placement_wait_us", &RecreatePods::placement_wait_us),
                field("env", &RecreatePods::env));
  }
};

/// Try to clear a fault of an accelerator on which nothing runs any more. The host answers with
/// self_heal_result.
struct SelfHeal {
  static constexpr std::string_view kName = "self_heal";
  CommandId id = 0;
  JobId job = 0;
  NodeId node = 0;
  std::uint32_t accelerator = 0;
  std::string code{};
  static constexpr auto fields(auto list) {
    return list(field("id", &SelfHeal::id), field("job", &SelfHeal::job),
                field("node", &SelfHeal::node), field("accelerator", &SelfHeal::accelerator),
                field("code", &SelfHeal::code));
  }
};

/// Take a node away from the scheduler, at once: nothing that is asked for after this is placed on
/// it, until it is released, or is well again by a repair or by itself. `until_released`: being
/// well does not end that.
struct IsolateNode {
  static constexpr std::string_view kName = "isolate_node";
  CommandId id = 0;
  JobId job = 0;
  NodeId node = 0;
  bool until_released = false;
  static constexpr auto fields(auto list) {
    return list(field("id", &IsolateNode::id), field("job", &IsolateNode::job),
                field("node", &IsolateNode::node),
                sparse_field("until_released", &IsolateNode::until_released));
  }
};

/// Give an isolated node back to the scheduler.
struct ReleaseNode {
  static constexpr std::string_view kName = "release_node";
  CommandId id = 0;
  JobId job = 0;
  NodeId node = 0;
  static constexpr auto fields(auto list) {
    return list(field("id", &ReleaseNode::id), field("job", &ReleaseNode::job),
                field("node", &ReleaseNode::node));
  }
};

/// Tell the job's owner. Nothing else comes of it.
struct Notify {
  static constexpr std::string_view kName = "notify";
  CommandId id = 0;
  JobId job = 0;
  std::string text{};
  static constexpr auto fields(auto list) {
    return list(field("id", &Notify::id), field("job", &Notify::job), field("text", &Notify::text));
  }
};

}  // namespace aftershock::policies
