
#include <fmt/format.h>

#include "sim/scenario/keys/keys.h"
#include "sim/scenario/read/sections.h"
#include "sim/scenario/shape/fields.h"
#include "sim/scenario/text/lookup.h"
#include "sim/scenario/text/node_names.h"

namespace aftershock::sim::scenario {
namespace {

/// Classes that are not told apart have the default.
void read_self_healing(const LocatedValue& value, PoolSpec& pool, ErrorList& errors) {
  const Fields classes(keys::self_healing(), value);
  for (std::size_t i = 0; i < policies::kRootCauses; ++i) {
    const std::string_view name = policies::name_of(static_cast<policies::RootCause>(i));
    const bool told = classes.object().find(name) != nullptr;
    const Fields healing(keys::healing(), classes.value(told ? name : "default"));
    pool.self_healing[i] = {.takes = healing.distribution("takes", errors),
                            .fails_ppm = healing.millionths("fails")};
  }
}

void read_repairs(const Fields& fields, PoolSpec& pool, ErrorList& errors) {
  if (fields.has("repair")) pool.repair = fields.distribution("repair", errors);
  const Fields repairs(keys::repairs(), fields.value("repairs"));
  for (std::size_t i = 0; i < policies::kDeviceNeeds; ++i) {
    const std::string_view need = policies::kDeviceNeedNames[i];
    pool.device_repairs[i] =
        repairs.has(need) ? std::optional(repairs.distribution(need, errors)) : pool.repair;
  }
  pool.repaired_stay_away = fields.text("repaired") == "stays_away";
}

PoolSpec read_pool(const LocatedValue& value, ErrorList& errors) {
  const Fields fields(keys::pool(), value);
  PoolSpec pool;
  pool.name = fields.text("name");
  pool.nodes = fields.count("nodes");
  pool.spares = fields.count("spares");
  pool.max_nodes = fields.has("max_nodes") ? fields.count("max_nodes") : pool.nodes + pool.spares;
  pool.racks = fields.count("racks");
  pool.power_domains = fields.count("power_domains");
  const Fields accelerators(keys::accelerators(), fields.value("accelerators"));
  pool.accelerator = accelerators.word<AcceleratorKind>("kind");
  pool.accelerators_per_node = accelerators.count("per_node");
  read_self_healing(accelerators.value("self_healing"), pool, errors);
  pool.nic_bytes_per_s = fields.optional_rate("nic");
  pool.market = fields.word<Market>("market");
  pool.replacement = fields.word<Replacement>("replacement");
  pool.provision = fields.distribution("provision", errors);
  read_repairs(fields, pool, errors);
  pool.price_per_node_hour = fields.optional_number("price_per_node_hour");
  pool.reserved_price_per_node_hour = fields.optional_number("reserved_price_per_node_hour");

  if (pool.max_nodes < pool.nodes + pool.spares) {
    errors.add(fields.blame("max_nodes"),
               {fmt::format("max_nodes is {}, but nodes and spares are {}", pool.max_nodes,
                            pool.nodes + pool.spares),
                fmt::format("at least {}", pool.nodes + pool.spares),
                {}});
  }
  if (pool.racks > pool.max_nodes) {
    errors.add(fields.blame("racks"),
               {fmt::format("{} racks for {} nodes", pool.racks, pool.max_nodes),
                fmt::format("at most {}", pool.max_nodes),
                {}});
  }
  if (pool.power_domains > pool.max_nodes) {
    errors.add(fields.blame("power_domains"),
               {fmt::format("{} power domains for {} nodes", pool.power_domains, pool.max_nodes),
                fmt::format("at most {}", pool.max_nodes),
                {}});
  }
  return pool;
}

/// Nodes are known by their names, so pools must not share one.
void check_spare_names(const LocatedValue& list, const ClusterSpec& cluster, ErrorList& errors) {
  for (const PoolSpec& pool : cluster.pools) {
    if (pool.spares == 0) continue;
    if (const auto other = index_by_name(cluster.pools, pool.name + "-spare")) {
      errors.add(*std::get<LocatedValue::List>(list.data)[*other].find("name"),
                 {fmt::format("its nodes would be called like the spares of pool {}",
                              in_quotes(pool.name)),
                  "another name",
                  {}});
    }
  }
}

void check_head_name(const LocatedValue& value, const HeadSpec& head, const ClusterSpec& cluster,
                     ErrorList& errors) {
  for (const PoolSpec& pool : cluster.pools) {
    if (node_slot(pool, head.name)) {
      errors.add(*value.find("name"), {fmt::format("{} is a node of pool {}", in_quotes(head.name),
                                                   in_quotes(pool.name)),
                                       "another name",
                                       {}});
    }
  }
}

HeadRestart read_restart(const LocatedValue& value, ErrorList& errors) {
  const Fields fields(keys::restart(), value);
  HeadRestart restart;
  restart.after = fields.distribution("after", errors);
  if (fields.has("limit")) restart.limit = fields.count("limit");
  restart.by = fields.has("by") ? fields.word<RestartBy>("by")
               : restart.limit  ? RestartBy::kSubmitter
                                : RestartBy::kOperator;
  if (restart.by == RestartBy::kOperator && restart.limit) {
    errors.warn(*fields.written("limit"),
                "has no effect: only a submitter counts, a person starts the run again every time; "
                "\"by\": \"submitter\"");
    restart.limit.reset();
  }
  return restart;
}

void read_pools(const LocatedValue& list, ClusterSpec& cluster, ErrorList& errors) {
  UniqueNames names("pool");
  std::uint64_t nodes = 0;
  for (const LocatedValue& element : std::get<LocatedValue::List>(list.data)) {
    cluster.pools.push_back(read_pool(element, errors));
    names.add(cluster.pools.back().name, *element.find("name"), errors);
    nodes += cluster.pools.back().max_nodes;
  }
  if (nodes > keys::kMostNodes) {
    errors.add(list, {fmt::format("the pools have {} nodes together", nodes),
                      fmt::format("at most {}", keys::kMostNodes),
                      {}});
  }
  check_spare_names(list, cluster, errors);
}

HealthCheckSpec read_health_check(const LocatedValue& value, ErrorList& errors) {
  const Fields fields(keys::health_check(), value);
  HealthCheckSpec check;
  check.when = fields.word<HealthCheckWhen>("when");
  check.every_us = fields.duration("every");
  if (check.when != HealthCheckWhen::kPeriodic && fields.has("every")) {
    errors.warn(*fields.written("every"), "has no effect without \"when\": \"periodic\"");
  }
  check.finds = {};
  for (const LocatedValue& element : fields.list("finds")) {
    const auto& names = policies::kDeviceNeedNames;
    const auto found = std::ranges::find(names, std::get<std::string>(element.data));
    check.finds[static_cast<std::size_t>(found - names.begin())] = true;
  }
  return check;
}

NodeObjectSpec read_node_object(const LocatedValue& value, ErrorList& errors) {
  constexpr std::int64_t kNodeMonitorUs = 5'000'000;  // cloud-controller-manager's default
  const Fields fields(keys::node_object(), value);
  NodeObjectSpec object;
  object.by = fields.word<NodeObjectRemover>("removed_by");
  object.after_us = fields.optional_duration("removed_after");
  if (object.by == NodeObjectRemover::kNobody && object.after_us) {
    errors.warn(*fields.written("removed_after"), "has no effect where nobody removes the objects");
    object.after_us.reset();
  }
  if (object.by == NodeObjectRemover::kCloud) {
    object.after_us = object.after_us.value_or(kNodeMonitorUs);
  }
  return object;
}

}  // namespace

void read_cluster(const LocatedValue& value, ClusterSpec& cluster, ErrorList& errors) {
  const Fields fields(keys::cluster(), value);
  read_pools(*fields.written("pools"), cluster, errors);

  UniqueNames heads("head");
  for (const LocatedValue& element : fields.list("heads")) {
    const Fields head(keys::head(), element);
    cluster.heads.push_back({.name = head.text("name"), .restart = {}});
    if (const LocatedValue* restart = head.written("restart")) {
      cluster.heads.back().restart = read_restart(*restart, errors);
    }
    heads.add(cluster.heads.back().name, *element.find("name"), errors);
    check_head_name(element, cluster.heads.back(), cluster, errors);
  }
  UniqueNames storages("storage");
  for (const LocatedValue& element : fields.list("storage")) {
    const Fields storage(keys::storage(), element);
    cluster.storage.push_back({.name = storage.text("name"),
                               .kind = storage.word<StorageKind>("kind"),
                               .read_bytes_per_s = storage.rate("read"),
                               .write_bytes_per_s = storage.rate("write")});
    storages.add(cluster.storage.back().name, *element.find("name"), errors);
  }
  const Fields heartbeat(keys::heartbeat(), fields.value("heartbeat"));
  cluster.heartbeat.every_us = heartbeat.duration("every");
  cluster.heartbeat.timeout_us = heartbeat.duration("timeout");
  cluster.heartbeat.misses = heartbeat.count("misses");
  const std::int64_t miss_us = cluster.heartbeat.every_us + cluster.heartbeat.timeout_us;
  if (miss_us > kHundredYearsUs / cluster.heartbeat.misses) {
    errors.add(*fields.written("heartbeat"),
               {fmt::format("a dead node would be noticed after {} times {}",
                            cluster.heartbeat.misses, format_duration(miss_us)),
                "at most 100 years together",
                {}});
  }
  cluster.health_check = read_health_check(fields.value("health_check"), errors);
  cluster.node_object = read_node_object(fields.value("node_object"), errors);
  if (const LocatedValue* crew = fields.written("repair_crew")) {
    cluster.repair_crew = fields.count("repair_crew");
    const auto repairs = [](const PoolSpec& pool) {
      return pool.repair || std::ranges::any_of(pool.device_repairs,
                                                [](const auto& law) { return law.has_value(); });
    };
    if (std::ranges::none_of(cluster.pools, repairs)) {
      errors.warn(*crew, "has no effect: no pool has \"repair\" or \"repairs\"");
    }
  }
  cluster.rack_uplink_bytes_per_s = fields.optional_rate("rack_uplink");
  cluster.workers_die_with_head = fields.boolean("workers_die_with_head");
  cluster.reclaim_leaked_us = fields.optional_duration("reclaim_leaked");
  cluster.fencing = fields.boolean("fencing");
}

}  // namespace aftershock::sim::scenario
