#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/registry.h"
#include "sim/scenario/faults/place_names.h"
#include "sim/scenario/keys/keys.h"
#include "sim/scenario/read/by_name_or_only.h"
#include "sim/scenario/read/check_run.h"
#include "sim/scenario/read/read_collectives.h"
#include "sim/scenario/read/sections.h"
#include "sim/scenario/shape/check.h"
#include "sim/scenario/shape/fields.h"
#include "sim/scenario/text/lookup.h"

namespace aftershock::sim::scenario {
namespace {

/// Sets the lengths that are written in `value`; the others stay.
void read_phases(const LocatedValue& value, PhaseLengths& lengths, ErrorList& errors) {
  using Member = std::pair<std::string_view, Distribution PhaseLengths::*>;
  constexpr std::array<Member, 6> kMembers{{{"launching", &PhaseLengths::launching},
                                            {"rendezvous", &PhaseLengths::rendezvous},
                                            {"restoring", &PhaseLengths::restoring},
                                            {"warming_up", &PhaseLengths::warming_up},
                                            {"tearing_down", &PhaseLengths::tearing_down},
                                            {"finalizing", &PhaseLengths::finalizing}}};
  const Fields fields(keys::phases(), value);
  for (const auto& [key, member] : kMembers) {
    if (fields.has(key)) lengths.*member = fields.distribution(key, errors);
  }
}

CheckpointSpec read_checkpoint(const LocatedValue& value) {
  enum class Upload : std::uint8_t { kBlocking, kAsync };
  const Fields fields(keys::checkpoint(), value);
  CheckpointSpec checkpoint;
  checkpoint.every_us = fields.optional_duration("every");
  checkpoint.every_steps = fields.optional_integer("every_steps");
  checkpoint.bytes = fields.size("bytes");
  checkpoint.blocking_us = fields.duration("blocking");
  checkpoint.async_upload = fields.word<Upload>("upload") == Upload::kAsync;
  if (fields.has("keep")) checkpoint.keep = fields.count("keep");
  checkpoint.download = fields.word<Download>("download");
  checkpoint.overlapping = fields.boolean("overlapping");
  if (fields.has("scores")) {
    constexpr double kMillion = 1e6;
    for (const LocatedValue& score : fields.list("scores")) {
      checkpoint.scores_e6.push_back(
          static_cast<std::int32_t>(std::lround(*any_number(score) * kMillion)));
    }
  }
  checkpoint.at_end = fields.boolean("at_end");
  return checkpoint;
}

/// The storage as pyarrow understands the path: guides, persistent storage.
void check_storage_path(const Fields& run, RunSpec& spec, ErrorList& errors) {
  const auto protocol = spec.storage_path.find("://");
  const LocatedValue* written = run.written("filesystem");
  if (written != nullptr) {
    const Fields filesystem(keys::filesystem(), *written);
    spec.filesystem = filesystem.text("class");
    if (filesystem.has("endpoint_override") && filesystem.has("endpoint_url")) {
      errors.add(*filesystem.written("endpoint_url"),
                 {"the endpoint is given in both spellings",
                  "endpoint_override for pyarrow's, endpoint_url for fsspec's",
                  {}});
    }
    if (protocol != std::string::npos) {
      errors.add(
          run.blame("storage_path"),
          {fmt::format("{} begins with a protocol beside a filesystem of its own",
                       in_quotes(spec.storage_path)),
           fmt::format("the path alone: {}", in_quotes(spec.storage_path.substr(protocol + 3))),
           {}});
    }
    return;
  }
  const auto query = spec.storage_path.find('?');
  if (query == std::string::npos || protocol == std::string::npos) return;
  const std::string parameter = spec.storage_path.substr(query + 1);
  const std::string name = parameter.substr(0, parameter.find('='));
  if (name == "endpoint_url") {
    errors.add(run.blame("storage_path"),
               {"a path's query takes pyarrow's spelling", "endpoint_override=URL", {}});
  }
}

void read_run(const Fields& fields, const ClusterSpec& cluster, JobSpec& job, ErrorList& errors) {
  const Fields run(keys::run(), fields.value("run"));
  job.run.storage = by_name_or_only(run, "storage", cluster.storage, errors);
  job.run.storage_path = run.text("storage_path");
  job.run.name = run.text("name");
  job.run.sync_artifacts = run.boolean("sync_artifacts");
  job.run.sync_period_us = run.duration("sync_period");
  if (run.has("sync_period") && !job.run.sync_artifacts) {
    errors.warn(*run.written("sync_period"), "has no effect without sync_artifacts: true");
  }
  check_storage_path(run, job.run, errors);
  check_run(run, job.run, cluster, errors);

  if (!job.checkpoint || job.run.storage || run.has("storage")) return;
  if (job.checkpoint->bytes == 0 && !job.checkpoint->async_upload) return;
  const bool none = cluster.storage.empty();
  errors.add(*fields.written("checkpoint"),
             {none ? "checkpoints go to a storage, and the cluster has none"
                   : "checkpoints go to a storage, and the cluster has several",
              none ? "one in /cluster/storage" : "its name in the job's run.storage",
              {}});
}

ScriptSpec read_script(const LocatedValue& value) {
  const Fields fields(keys::script(), value);
  ScriptSpec script{.saves = fields.boolean("saves"),
                    .resumes = fields.boolean("resumes"),
                    .reentrant = fields.boolean("reentrant"),
                    .falls_back = fields.boolean("falls_back"),
                    .returns_on_notice = fields.text("on_notice") == "returns",
                    .steps_per_attempt = fields.text("steps_per") == "attempt",
                    .setup_us = fields.duration("setup")};
  if (fields.has("active")) {
    for (const LocatedValue& phase : fields.list("active")) {
      const auto name = std::ranges::find(kPhaseNames, std::get<std::string>(phase.data));
      script.active.push_back(static_cast<Phase>(name - kPhaseNames.begin()));
    }
  }
  return script;
}

PodSpec read_pods(const LocatedValue& value) {
  const Fields fields(keys::pods(), value);
  return {.image_bytes = fields.size("image"),
          .registry_bytes_per_s = fields.optional_rate("registry"),
          .each_us = fields.duration("each"),
          .rank_table_us = fields.duration("rank_table")};
}

/// A checkpoint that takes for ever is a mistake in a unit.
void check_transfer(const LocatedValue& written, const ClusterSpec& cluster, const JobSpec& job,
                    ErrorList& errors) {
  if (!job.checkpoint || !job.run.storage) return;
  const StorageSpec& storage = cluster.storage[*job.run.storage];
  std::int64_t bytes_per_s = std::min(storage.read_bytes_per_s, storage.write_bytes_per_s);
  for (const auto& bound :
       {cluster.pools[job.pool].nic_bytes_per_s, cluster.rack_uplink_bytes_per_s}) {
    bytes_per_s = std::min(bytes_per_s, bound.value_or(bytes_per_s));
  }
  constexpr std::int64_t kMicrosPerSecond = 1'000'000;
  if (job.checkpoint->bytes / bytes_per_s < kHundredYearsUs / kMicrosPerSecond) return;
  const LocatedValue* bytes = written.find("checkpoint")->find("bytes");
  errors.add(*bytes, {fmt::format("{} bytes take more than 100 years at {} bytes a second",
                                  job.checkpoint->bytes, bytes_per_s),
                      "a smaller checkpoint, or a faster storage and network",
                      {}});
}

void read_detection(const Fields& fields, JobSpec& job, ErrorList& errors) {
  const LocatedValue& timeout = fields.value("collective_timeout");
  const auto* text = timeout.get_if<std::string>();
  if (text != nullptr && *text != "none") {
    job.collective_timeout_us = fields.duration("collective_timeout");
  }
  if (const LocatedValue* hang = fields.written("hang_detection")) {
    job.hang_after_us = Fields(keys::hang_detection(), *hang).duration("after");
  }
  if (const LocatedValue* detection = fields.written("detection")) {
    job.fixed_detection_us = Fields(keys::detection(), *detection).duration("fixed");
    if (job.hang_after_us) {
      errors.warn(*fields.written("hang_detection"), "has no effect beside fixed detection");
    }
  }
}

/// The size below which the job does not start: an elastic one has two.
std::uint32_t least_workers(const JobSpec& job) {
  const auto& config = *job.policy.config;
  const auto size = config.find("num_workers");
  if (job.policy.name != "ray_train" || size == config.end() || !size->is_array() ||
      size->empty() || !size->front().is_number_integer()) {
    return job.workers;
  }
  const auto least = size->front().get<std::int64_t>();
  return least <= 0 || least > job.workers ? job.workers : static_cast<std::uint32_t>(least);
}

/// How many workers share a pod is the pool's to say, where the policy's configuration does not.
void fill_in_pods(const PoolSpec& pool, PolicySpec& policy) {
  const auto shipped = policies::shipped_policies();
  const auto found = std::ranges::find(shipped, policy.name, &policies::PolicyEntry::name);
  if (found != shipped.end() && !found->ranks_per_pod.empty() && policy.config->is_object() &&
      !policy.config->contains(found->ranks_per_pod)) {
    (*policy.config)[std::string(found->ranks_per_pod)] = pool.accelerators_per_node;
  }
}

void check_workers(const Fields& fields, const PoolSpec& pool, const JobSpec& job,
                   ErrorList& errors) {
  const std::uint32_t per_node = pool.accelerators_per_node;
  const std::uint32_t workers = least_workers(job);
  const std::uint32_t needed = (workers - 1) / per_node + 1;
  if (needed > pool.max_nodes) {
    errors.warn(
        *fields.written("workers"),
        fmt::format("{} workers need {} nodes of pool {}, which never has more than {}: the "
                    "most is {}, {} a node",
                    workers, needed, in_quotes(pool.name), pool.max_nodes,
                    std::uint64_t{pool.max_nodes} * per_node, per_node));
  } else if (needed > pool.nodes + pool.spares && pool.replacement == Replacement::kNone) {
    errors.warn(*fields.written("workers"),
                fmt::format("needs {} nodes, and pool {} starts with {} and gets no others", needed,
                            in_quotes(pool.name), pool.nodes + pool.spares));
  }
}

/// A rule that no placement can ever keep is a mistake, as is one for a size that changes.
void check_spread(const Fields& fields, const PoolSpec& pool, const JobSpec& job,
                  ErrorList& errors) {
  if (!job.spread) return;
  const Fields spread(keys::spread(), *fields.written("spread"));
  const std::uint64_t domains = domains_of(pool, job.spread->over);
  const std::uint32_t needed = (job.workers - 1) / pool.accelerators_per_node + 1;
  if (domains * job.spread->most < needed) {
    errors.add(*spread.written("most"),
               {fmt::format("{} nodes do not fit into {} of pool {} with {} in each", needed,
                            domains, in_quotes(pool.name), job.spread->most),
                fmt::format("at least {}", (needed + domains - 1) / domains),
                {}});
  }
  if (least_workers(job) < job.workers) {
    errors.add(*fields.written("spread"),
               {"an elastic job takes what nodes there are", "a fixed number of workers", {}});
  }
}

void check_length(const Fields& fields, const Scenario& scenario, const JobSpec& job,
                  ErrorList& errors) {
  if (!job.steps) {
    if (!scenario.until_us) {
      errors.add(fields.object(), {"trains without an end: neither the job has steps nor the "
                                   "scenario an end",
                                   "\"steps\" here or \"until\" in the scenario",
                                   {}});
    }
    return;
  }
  if (*job.steps > std::numeric_limits<std::int64_t>::max() / job.step_us) {
    errors.add(*fields.written("steps"),
               {fmt::format("{} steps of {} overflow", *job.steps, format_duration(job.step_us)),
                "steps that take at most 100 years",
                {}});
  } else if (!scenario.until_us && *job.steps * job.step_us > kHundredYearsUs) {
    errors.add(
        *fields.written("steps"),
        {fmt::format("{} steps take {}", *job.steps, format_duration(*job.steps * job.step_us)),
         "steps that take at most 100 years, or \"until\" in the scenario",
         {}});
  }
}

ControlPlaneSpec read_control_plane(const LocatedValue& value, ErrorList& errors) {
  const Fields fields(keys::control_plane(), value);
  const ControlPlaneSpec spec{.managed = fields.text("on") == "managed",
                              .loses_state = fields.text("state") == "lost"};
  if (spec.managed && fields.has("state")) {
    errors.add(*fields.written("state"),
               {"a managed control plane is never lost", "\"on\": \"head\" beside it", {}});
  }
  return spec;
}

JobSpec read_job(const LocatedValue& value, const Scenario& scenario, ErrorList& errors) {
  const Fields fields(keys::job(), value);
  const ClusterSpec& cluster = scenario.cluster;
  JobSpec job;
  job.name = fields.text("name");
  job.workers = fields.count("workers");
  job.steps = fields.optional_integer("steps");
  job.step_us = fields.duration("step");
  job.priority = static_cast<std::int32_t>(fields.integer("priority"));
  job.submit_us = fields.duration("submit");
  if (const LocatedValue* head = fields.written("head")) {
    const auto index = index_by_name(cluster.heads, fields.text("head"));
    if (!index) errors.add(*head, no_such("head", cluster.heads, fields.text("head")));
    job.head = index.value_or(0);
  }
  job.script = read_script(fields.value("script"));
  if (const LocatedValue* initial = fields.written("initial_checkpoint")) {
    const Fields checkpoint(keys::initial_checkpoint(), *initial);
    job.initial_steps = checkpoint.integer("steps");
    if (job.steps && !job.script.steps_per_attempt && job.initial_steps >= *job.steps) {
      errors.add(*checkpoint.written("steps"),
                 {fmt::format("the job has only {} steps", *job.steps), "fewer steps", {}});
    }
  }
  if (const auto* written = fields.written("spread")) {
    const Fields spread(keys::spread(), *written);
    job.spread = {.over = spread.word<SpreadOver>("over"), .most = spread.count("most")};
  }
  if (const auto* checkpoint = fields.written("checkpoint")) {
    job.checkpoint = read_checkpoint(*checkpoint);
  }
  read_phases(fields.value("phases"), job.phases, errors);
  job.restart_phases = job.phases;
  read_phases(fields.value("restart_phases"), job.restart_phases, errors);
  read_detection(fields, job, errors);
  const Fields volumes(keys::volumes(), fields.value("volumes"));
  job.volumes = {.unmount_us = volumes.duration("unmount"),
                 .per_pod_us = volumes.duration("per_pod")};
  job.pods = read_pods(fields.value("pods"));
  job.control_plane = read_control_plane(fields.value("control_plane"), errors);
  read_run(fields, cluster, job, errors);
  for (const LocatedMember& member : std::get<LocatedValue::Members>(fields.value("env").data)) {
    job.env.emplace(member.key, std::get<std::string>(member.value.data));
  }
  job.policy = read_policy(*fields.written("policy"));

  if (const auto pool = by_name_or_only(fields, "pool", cluster.pools, errors)) {
    job.pool = *pool;
    fill_in_pods(cluster.pools[*pool], job.policy);
    read_collectives(fields, cluster, job, errors);
    check_workers(fields, cluster.pools[*pool], job, errors);
    check_spread(fields, cluster.pools[*pool], job, errors);
    check_transfer(value, cluster, job, errors);
  } else if (!fields.has("pool")) {
    errors.add(fields.object(), {"missing key \"pool\": the cluster has several",
                                 no_such("pool", cluster.pools, "").expected,
                                 {}});
  }
  check_length(fields, scenario, job, errors);
  if (scenario.until_us && job.submit_us >= *scenario.until_us) {
    errors.warn(fields.blame("submit"), "is never submitted: the simulation ends before");
  }
  check_policy(value, job, scenario, errors);
  return job;
}

}  // namespace

void read_jobs(const LocatedValue& list, Scenario& scenario, ErrorList& errors) {
  UniqueNames names("job");
  for (const LocatedValue& element : std::get<LocatedValue::List>(list.data)) {
    scenario.jobs.push_back(read_job(element, scenario, errors));
    names.add(scenario.jobs.back().name, *element.find("name"), errors);
  }
  check_run_names(list, scenario.jobs, errors);
}

}  // namespace aftershock::sim::scenario
