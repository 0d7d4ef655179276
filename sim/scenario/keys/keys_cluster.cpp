#include "policies/device_codes/device_need.h"
#include "sim/scenario/keys/keys.h"
#include "sim/scenario/shape/distribution_keys.h"
#include "sim/scenario/shape/lexicals.h"

namespace aftershock::sim::scenario::keys {

const ObjectShape& cluster() {
  static const ObjectShape kObject{
      "cluster",
      "Nodes, accelerators, network and storage, shared by all jobs.",
      {{"heads", shape::list(shape::object(head()), 1, kMostThings), false,
        R"([{"name": "head-0"}])", "CPU nodes on which controllers run."},
       {"pools", shape::list(shape::object(pool()), 1, kMostThings), true, "",
        "Worker nodes, alike in a pool."},
       {"storage", shape::list(shape::object(storage()), 0, kMostThings), false, "[]",
        "Where checkpoints go."},
       {"heartbeat", shape::object(heartbeat()), false, "{}",
        "By which the head sees that a node is gone."},
       {"health_check", shape::object(health_check()), false, "{}",
        "By which a node with an accelerator that is out of order gets no new work."},
       {"node_object", shape::object(node_object()), false, "{}",
        "When the objects of pods go whose node is lost, under Kubernetes' own policies."},
       {"repair_crew", shape::integer(1, kMostNodes), false, "",
        "How many repairs go on at once, in all pools together; others wait, the first to break "
        "first. Default: all at once."},
       {"rack_uplink", shape::lexical(lexicals::rate()), false, "",
        "Bandwidth between a rack and the rest. Default: never what bounds a transfer."},
       {"workers_die_with_head", shape::boolean(), false, "true",
        "Whether a lost head takes the workers of the whole cluster with it."},
       {"reclaim_leaked", shape::lexical(lexicals::duration()), false, "",
        "When the cluster takes back what a failed start left reserved. Default: when the run "
        "ends."},
       {"fencing", shape::boolean(), false, "true",
        "Whether storage refuses what workers of an earlier attempt write, who live on behind a "
        "cut."}},
      {}};
  return kObject;
}

const ObjectShape& head() {
  static const ObjectShape kObject{
      "head",
      "A CPU node.",
      {{"name", shape::lexical(lexicals::name()), true, "", "Its name."},
       {"restart", shape::object(restart()), false, "",
        "How it comes back when it is lost, with a new driver for every run that it held. Default: "
        "it does not."}},
      {}};
  return kObject;
}

const ObjectShape& restart() {
  static const ObjectShape kObject{
      "restart",
      "How a lost head, its cluster and its drivers come back.",
      {{"after", distribution_shape(), true, "", "Time from the loss to the new driver."},
       {"by", shape::word({"operator", "submitter"}), false, "",
        "The party that starts the same entry point again: a person, who does so every time, or "
        "the system that submitted it, which may have a limit. Default: a submitter where there is "
        "a limit."},
       {"limit", shape::integer(0, 1'000'000), false, "",
        "How often a submitter does. Default: every time."}},
      {}};
  return kObject;
}

const ObjectShape& pool() {
  static const ObjectShape kObject{
      "pool",
      "Worker nodes that are all alike.",
      {{"name", shape::lexical(lexicals::name()), true, "",
        "Nodes are called NAME-0, NAME-1, ..., spares NAME-spare-0, ..."},
       {"nodes", shape::integer(1, kMostNodes), true, "", "Nodes that are there from the start."},
       {"spares", shape::integer(0, kMostNodes), false, "0",
        "Nodes that are there too and are used after all others."},
       {"max_nodes", shape::integer(1, kMostNodes), false, "",
        "Most nodes there can be, spares included. Default: nodes + spares."},
       {"racks", shape::integer(1, kMostNodes), false, "1",
        "Racks that the nodes are spread over in runs."},
       {"power_domains", shape::integer(1, kMostNodes), false, "1",
        "The same, of nodes that lose their power together."},
       {"accelerators", shape::object(accelerators()), false, "{}", "The accelerators of a node."},
       {"nic", shape::lexical(lexicals::rate()), false, "",
        "Network bandwidth of a node. Default: never what bounds a transfer."},
       {"market", shape::word({"reserved", "spot"}), false, "\"reserved\"",
        "Whether somebody may take the nodes back."},
       {"provision", distribution_shape(), false, "\"0s\"",
        "Time until a new node is there, with replacement: provision."},
       {"replacement", shape::word({"none", "now", "provision"}), false, "\"none\"",
        "The replacement of a lost node: nothing, a new node at once, or one that is provisioned."},
       {"repair", distribution_shape(), false, "",
        "Time until a lost node is healthy again. Default: never."},
       {"repairs", shape::object(repairs()), false, "{}",
        "Time until a node is healthy again that was isolated for an accelerator, by what that one "
        "needs."},
       {"repaired", shape::word({"returns", "stays_away"}), false, "\"returns\"",
        "Whether a node that was repaired takes work again. One that its market took back does."},
       {"price_per_node_hour", shape::number(0, 1e9), false, "",
        "For the cost of the run, which it has where any pool has a price, 0 among them."},
       {"reserved_price_per_node_hour", shape::number(0, 1e9), false, "",
        "The price of a node of this make that nobody takes back, to compare with. Default: the "
        "same."}},
      {}};
  return kObject;
}

const ObjectShape& repairs() {
  static const ObjectShape kObject{"repairs",
                                   "Repairs by what a broken accelerator needs.",
                                   {{"reset", distribution_shape(), false, "",
                                     "The accelerator is reset. Default: the pool's repair."},
                                    {"reboot", distribution_shape(), false, "",
                                     "The node is rebooted. Default: the pool's repair."},
                                    {"replacement", distribution_shape(), false, "",
                                     "The accelerator is replaced. Default: the pool's repair."}},
                                   {}};
  return kObject;
}

const ObjectShape& accelerators() {
  static const ObjectShape kObject{
      "accelerators",
      "The accelerators of a node.",
      {{"kind", shape::word({"gpu", "npu"}), false, "\"gpu\"", "Their kind."},
       {"per_node", shape::integer(1, 64), false, "8", "How many; each takes one worker."},
       {"self_healing", shape::object(self_healing()), false, "{}",
        "The outcome of healing one that failed, for a policy that tries. A fault may say it for "
        "itself."}},
      {}};
  return kObject;
}

const ObjectShape& self_healing() {
  static const ObjectShape kObject{
      "self_healing",
      "The outcome of healing by the party to blame for the code; `aftershock faults list ascend` "
      "has it.",
      {{"default", shape::object(healing()), false, "{}",
        "Codes of a class that stands not here, or that nobody knows."},
       {"user", shape::object(healing()), false, "", "The user."},
       {"software", shape::object(healing()), false, "", "Software."},
       {"hardware", shape::object(healing()), false, "", "Hardware."},
       {"user_or_hardware", shape::object(healing()), false, "", "Either of the two."},
       {"software_or_hardware", shape::object(healing()), false, "", "Either of the two."}},
      {}};
  return kObject;
}

const ObjectShape& healing() {
  static const ObjectShape kObject{
      "healing",
      "A try at healing an accelerator.",
      {{"takes", distribution_shape(), false, "\"15s\"", "How long it takes."},
       {"fails", shape::number(0, 1), false, "0", "Share of the tries that do not heal it."}},
      {}};
  return kObject;
}

const ObjectShape& storage() {
  static const ObjectShape kObject{
      "storage",
      "A shared storage; those who use it at the same time share its bandwidth.",
      {{"name", shape::lexical(lexicals::name()), true, "", "Its name."},
       {"kind", shape::word({"object", "nfs", "local"}), false, "\"object\"",
        "Its kind. local: the disk of the machine that a job's workers run on; its checkpoints are "
        "lost with the machine, and to a job that is placed on another."},
       {"read", shape::lexical(lexicals::rate()), true, "", "Bandwidth of all reads together."},
       {"write", shape::lexical(lexicals::rate()), true, "", "Bandwidth of all writes together."}},
      {}};
  return kObject;
}

const ObjectShape& heartbeat() {
  static const ObjectShape kObject{
      "heartbeat",
      "A node that misses some in a row is taken for dead.",
      {{"every", shape::lexical(lexicals::positive_duration()), false, "\"5s\"",
        "Time between two of them."},
       {"timeout", shape::lexical(lexicals::duration()), false, "\"0s\"",
        "Where the head asks for them, its wait for an answer, which a node that has fallen silent "
        "costs each time beside `every`; one that shuts down refuses at once."},
       {"misses", shape::integer(1, kMostNodes), false, "3", "How many in a row."}},
      {}};
  return kObject;
}

const ObjectShape& health_check() {
  static const ObjectShape kObject{
      "health_check",
      "A look at the accelerators of nodes.",
      {{"when", shape::word({"none", "placement", "periodic"}), false, "\"placement\"",
        "Never: work is placed on any node, and fails there; before each placement; or in rounds."},
       {"every", shape::lexical(lexicals::positive_duration()), false, "\"5min\"",
        "Time between two rounds, with when: periodic."},
       {"finds",
        shape::list(
            shape::words({policies::kDeviceNeedNames.begin(), policies::kDeviceNeedNames.end()}), 0,
            policies::kDeviceNeeds),
        false, R"(["reset", "reboot", "replacement"])",
        "The devices that it finds, by what they need to be well again."}},
      {}};
  return kObject;
}

const ObjectShape& node_object() {
  static const ObjectShape kObject{
      "node_object",
      "The end of the objects that Kubernetes keeps of pods on a lost node. An eviction deletes a "
      "pod; its object stays, Terminating, until its kubelet is back or somebody removes it.",
      {{"removed_by", shape::word({"operator", "cloud", "nobody"}), false, "\"operator\"",
        "The party that removes the objects: a person or a program that takes the node out of "
        "service; the cloud's controller, of a machine that is gone for good, and pod garbage "
        "collection 40 s later; or nobody, as on bare metal."},
       {"removed_after", shape::lexical(lexicals::duration()), false, "",
        "Time from the node's being declared dead. Default: of an operator, as soon as the pods "
        "are evicted; of a cloud, 5s."}},
      {}};
  return kObject;
}

}  // namespace aftershock::sim::scenario::keys
