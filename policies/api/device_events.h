#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "policies/api/fields.h"
#include "policies/api/ids.h"
#include "policies/api/rank_set.h"
#include "policies/api/severity.h"

namespace aftershock::policies {

/// A node's health service reported a fault of one of its accelerators. `ranks` are the workers of
/// the attempt that run on the node, none where it has no part in it.
struct DeviceFault {
  static constexpr std::string_view kName = "device_fault";
  NodeId node = 0;
  std::uint32_t accelerator = 0;
  std::string code{};                  ///< vendor-prefixed, e.g. "xid:94" or "ascend:80E01801"
  std::optional<Severity> severity{};  ///< none: nobody said
  RankSet ranks{};
  static constexpr auto fields(auto list) {
    return list(field("node", &DeviceFault::node), field("accelerator", &DeviceFault::accelerator),
                field("code", &DeviceFault::code), sparse_field("severity", &DeviceFault::severity),
                sparse_field("ranks", &DeviceFault::ranks));
  }
};

/// The outcome of a self_heal command.
struct SelfHealResult {
  static constexpr std::string_view kName = "self_heal_result";
  JobId job = 0;
  CommandId command = 0;
  NodeId node = 0;
  std::uint32_t accelerator = 0;
  bool healed = false;
  static constexpr auto fields(auto list) {
    return list(field("job", &SelfHealResult::job), field("command", &SelfHealResult::command),
                field("node", &SelfHealResult::node),
                field("accelerator", &SelfHealResult::accelerator),
                field("healed", &SelfHealResult::healed));
  }
};

/// The cluster declared a node dead: its heartbeats stayed away, or its death was announced.
/// `ranks` are the workers of the attempt that ran there. `stays`: the objects of its pods outlive
/// their eviction, until one more such event has `removed` or the node joins; comes to policies
/// whose pods are objects (PolicyInfo::pods_are_objects), where the cluster says so.
struct NodeUnreachable {
  static constexpr std::string_view kName = "node_unreachable";
  NodeId node = 0;
  bool preempted = false;
  RankSet ranks{};
  bool stays = false;
  bool removed = false;  ///< the objects of the node's pods have been removed
  static constexpr auto fields(auto list) {
    return list(field("node", &NodeUnreachable::node),
                field("preempted", &NodeUnreachable::preempted),
                sparse_field("ranks", &NodeUnreachable::ranks),
                sparse_field("stays", &NodeUnreachable::stays),
                sparse_field("removed", &NodeUnreachable::removed));
  }
};

/// A node that was declared dead is back. `ranks` are the workers of the attempt that were taken
/// for lost with it: where `alive`, a cut hid them and they have gone on; else they ended with it.
struct NodeJoined {
  static constexpr std::string_view kName = "node_joined";
  NodeId node = 0;
  bool alive = false;
  RankSet ranks{};
  static constexpr auto fields(auto list) {
    return list(field("node", &NodeJoined::node), sparse_field("alive", &NodeJoined::alive),
                sparse_field("ranks", &NodeJoined::ranks));
  }
};

/// The signal by which somebody ends a process: at once, or so that it can end what it has started.
enum class EndSignal : std::uint8_t { kKill, kTerminate };
template <>
struct EnumNames<EndSignal> {
  static constexpr std::array<std::string_view, 2> kNames{"SIGKILL", "SIGTERM"};
};

/// The agent on a node has ended. Comes at once, to policies that are the agents themselves
/// (PolicyInfo::agents): the others learn of it only as that policy says. `ranks` are its workers.
/// Ended apart from its node, it leaves them to themselves where it was killed, and nobody looks at
/// them any more; terminated, it ends them. Gone with its node, it only decides nothing more: that
/// the node is lost, the cluster tells in its time (NodeUnreachable).
struct AgentEnded {
  static constexpr std::string_view kName = "agent_ended";
  JobId job = 0;
  NodeId node = 0;
  RankSet ranks{};
  EndSignal signal = EndSignal::kKill;
  bool with_node = false;
  static constexpr auto fields(auto list) {
    return list(field("job", &AgentEnded::job), field("node", &AgentEnded::node),
                field("ranks", &AgentEnded::ranks), field("signal", &AgentEnded::signal),
                sparse_field("with_node", &AgentEnded::with_node));
  }
};

}  // namespace aftershock::policies
