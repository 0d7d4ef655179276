#include "policies/volcano/config.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/parts/config_values.h"
#include "policies/parts/decimal_seconds.h"
#include "policies/parts/manifest.h"
#include "policies/parts/pod_template.h"
#include "policies/parts/settings.h"
#include "policies/volcano/job.h"

namespace aftershock::policies::volcano {
namespace {

using nlohmann::json;

// In the order of Happening and Action.
constexpr std::array<std::string_view, 8> kEventWords{
    "PodFailed",     "PodEvicted", "PodPending", "Unknown",
    "TaskCompleted", "TaskFailed", "JobUpdated", "*"};
constexpr std::array<std::string_view, 8> kActionWords{
    "ResumeJob",  "AbortJob",         "RestartJob",   "RestartTask",
    "RestartPod", "RestartPartition", "TerminateJob", "CompleteJob"};
constexpr std::uint32_t kDefaultRetries = 3;

void read_event(const std::string& pointer, const json& value, Answer& answer, Findings& findings) {
  std::vector<ConfigIssue>& errors = findings.errors;
  const json holder = {{"event", value}};
  std::size_t word = 0;
  std::vector<ConfigIssue> wrong;
  Settings(holder, "", wrong).word("event", kEventWords, word);
  for (ConfigIssue& issue : wrong) {
    issue.pointer = pointer;
    errors.push_back(std::move(issue));
  }
  answer.events.push_back(static_cast<Happening>(word));
  if (answer.events.back() == Happening::kTaskFailed ||
      answer.events.back() == Happening::kJobUpdated) {
    warn_no_effect(pointer,
                   "it comes about where a kubelet restarts containers, or somebody edits the job",
                   findings);
  }
}

void read_exit_code(Settings& settings, Answer& answer) {
  const json* value = settings.member("exitCode");
  if (value == nullptr) {
    return;
  }
  const auto code = integer_value(*value);
  if (!code || *code == 0 || *code < 0 || *code > 255) {
    settings.refuse("exitCode", "a code from 1 to 255: 0 does not mean an error");
  } else {
    answer.exit_code = static_cast<std::int32_t>(*code);
  }
}

/// A duration as Go writes it, which is what kubectl prints, or seconds.
void read_timeout(Settings& settings, Answer& answer, std::vector<ConfigIssue>& errors) {
  const json* value = settings.member("timeout");
  if (value == nullptr || value->is_null()) {
    return;
  }
  if (value->is_string()) {
    answer.timeout_us = microseconds_from_go_duration(value->get<std::string>());
    if (!answer.timeout_us) {
      settings.refuse("timeout", R"(a duration such as "10m0s" or "1h30m", or seconds)");
    }
    return;
  }
  DurationUs seconds = 0;
  read_seconds_value(settings.pointer_of("timeout"), *value, seconds, errors);
  answer.timeout_us = seconds;
}

/// The webhook refuses a policy of events or of a code that one before it has, and any beside one
/// of all events (validatePolicies, pkg/webhooks/admission/jobs/validate/util.go:66).
void refuse_again(const std::vector<Answer>& answers, const std::string& pointer,
                  std::vector<ConfigIssue>& errors) {
  const Answer& last = answers.back();
  std::vector<Happening> before;
  for (const Answer& answer : answers) {
    if (&answer != &last) {
      before.insert(before.end(), answer.events.begin(), answer.events.end());
    }
  }
  const auto known = [&before](Happening event) {
    return std::ranges::find(before, event) != before.end();
  };
  const auto same_code = [&last](const Answer& answer) {
    return &answer != &last && last.exit_code && answer.exit_code == last.exit_code;
  };
  if (std::ranges::any_of(last.events, known)) {
    errors.push_back({pointer, "another policy has the same event", "one policy an event", {}});
  } else if (std::ranges::any_of(answers, same_code)) {
    errors.push_back({pointer, "another policy has the same exitCode", "one policy a code", {}});
  }
  before.insert(before.end(), last.events.begin(), last.events.end());
  const bool others =
      std::ranges::any_of(before, [](Happening event) { return event != Happening::kAny; });
  if (others && known(Happening::kAny)) {
    errors.push_back({pointer, "* is beside other events", "* alone, or each event by name", {}});
  }
}

std::vector<Answer> read_policies(Settings& of, Findings& findings) {
  std::vector<ConfigIssue>& errors = findings.errors;
  std::vector<Answer> answers;
  const json* list = of.member("policies");
  if (list == nullptr) {
    return answers;
  }
  if (!list->is_array()) {
    of.refuse("policies", "an array");
    return answers;
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    const std::string pointer = pointer_to(of.pointer_of("policies"), std::to_string(i));
    Settings settings((*list)[i], pointer, findings.errors);
    Answer& answer = answers.emplace_back();
    if (const json* event = settings.member("event")) {
      read_event(settings.pointer_of("event"), *event, answer, findings);
    }
    if (const json* events = settings.member("events"); events != nullptr && events->is_array()) {
      for (const json& event : *events) {
        read_event(settings.pointer_of("events"), event, answer, findings);
      }
    } else if (events != nullptr) {
      settings.refuse("events", "an array");
    }
    read_exit_code(settings, answer);
    std::size_t word = 0;
    if (settings.member("action") == nullptr) {
      errors.push_back({pointer, "it has no action", "what answers it, such as RestartJob", {}});
    } else {
      settings.word("action", kActionWords, word);
    }
    answer.action = static_cast<Action>(word);
    read_timeout(settings, answer, errors);
    if (answer.events.empty() == !answer.exit_code.has_value()) {
      errors.push_back(
          {pointer, "it has neither events nor an exitCode, or both", "one of the two", {}});
    }
    settings.finish("a field of a policy");
    if (!answer.timeout_us && answer.events == std::vector{Happening::kPodPending}) {
      warn_no_effect(pointer, "PodPending is answered when its timeout is over, and never without",
                     findings);
    }
    refuse_again(answers, pointer, errors);
  }
  return answers;
}

/// RestartPartition restarts the partition of a pod, and nothing where its task has none.
void warn_of_partitions(const std::string& pointer, const std::vector<Answer>& policies,
                        bool has_partitions, Findings& findings) {
  for (std::size_t i = 0; i < policies.size() && !has_partitions; ++i) {
    if (policies[i].action == Action::kRestartPartition) {
      warn_no_effect(pointer_to(pointer, std::to_string(i)),
                     "RestartPartition restarts nothing without a partitionPolicy", findings);
    }
  }
}

void read_template(Settings& task, Config& config, Findings& findings) {
  if (const json* pod = task.member("template")) {
    const PodTemplate read =
        read_pod_template(task.pointer_of("template"), *pod, ContainerRestarts::kRefused, findings);
    config.toleration_us = read.toleration_us.value_or(config.toleration_us);
    config.grace_us = read.grace_us.value_or(config.grace_us);
  }
}

/// The pods of a task are those of its partitions, and the least of them those of the least
/// partitions (validatePartitionPolicy, pkg/webhooks/admission/jobs/validate/admit_job.go:311).
void read_partitions(Settings& settings, Task& task, Findings& findings) {
  if (const json* policy = settings.member("partitionPolicy");
      policy == nullptr || policy->is_null()) {
    return;
  }
  Settings partition = settings.object("partitionPolicy");
  std::optional<std::uint32_t> total;
  std::optional<std::uint32_t> least;
  if (!partition.has("partitionSize")) {
    findings.errors.push_back({settings.pointer_of("partitionPolicy"),
                               "it has no partitionSize",
                               "the number of pods of a partition",
                               {}});
  }
  partition.count("partitionSize", 1, task.partition_size);
  partition.count("totalPartitions", 1, total);
  partition.count("minPartitions", 0, least);
  partition.without_effect({"networkTopology"}, "it is about where pods are placed",
                           findings.warnings);
  partition.finish("a field of partitionPolicy");
  const std::uint64_t size = task.partition_size;
  if (size > 0 && total && *total * size != task.replicas) {
    findings.errors.push_back({partition.pointer_of("totalPartitions"),
                               std::to_string(*total) + " partitions of " + std::to_string(size) +
                                   " pods contradict " + std::to_string(task.replicas) +
                                   " replicas",
                               "as many pods as the task has",
                               {}});
  } else if (size > 0 && task.replicas % size != 0) {
    findings.errors.push_back({partition.pointer_of("partitionSize"),
                               std::to_string(task.replicas) + " replicas are not whole partitions",
                               "a number that divides the task's replicas",
                               {}});
  }
  if (size > 0 && least.value_or(0) * size > task.replicas) {
    findings.errors.push_back({partition.pointer_of("minPartitions"),
                               std::to_string(*least) + " partitions of " + std::to_string(size) +
                                   " pods are more than " + std::to_string(task.replicas) +
                                   " replicas",
                               "at most as many as the task has",
                               {}});
  } else if (size > 0 && least.value_or(0) > 0 && task.min_available &&
             *least * size != *task.min_available) {
    settings.refuse("minAvailable",
                    "minPartitions times partitionSize, which is " + std::to_string(*least * size));
  }
}

/// The name of a task, which no other has; the first without one is default0 (mutate_job.go:197).
void read_name(Settings& settings, std::vector<Task>& tasks, Findings& findings) {
  Task& task = tasks.back();
  task.name = "default" + std::to_string(tasks.size() - 1);
  if (const json* name = settings.member("name")) {
    read_text(settings.pointer_of("name"), *name, task.name, findings.errors);
  }
  const auto same = [&task](const Task& other) {
    return &other != &task && other.name == task.name;
  };
  if (std::ranges::any_of(tasks, same)) {
    findings.errors.push_back({settings.pointer_of("name"),
                               "another task has the name \"" + task.name + '"',
                               "one task a name",
                               {}});
  }
}

void read_tasks(Settings& of, ConfigReading& reading, Findings& findings) {
  const json* list = of.member("tasks");
  if (list == nullptr) {
    return;
  }
  if (!list->is_array()) {
    of.refuse("tasks", "an array");
    return;
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    Settings settings((*list)[i], pointer_to(of.pointer_of("tasks"), std::to_string(i)),
                      findings.errors);
    Task& task = reading.config.tasks.emplace_back();
    read_name(settings, reading.config.tasks, findings);
    settings.count("replicas", 1, task.replicas);
    settings.count("minAvailable", 0, task.min_available);
    if (task.min_available.value_or(0) > task.replicas) {
      settings.refuse("minAvailable", "at most the task's replicas");
    }
    read_partitions(settings, task, findings);
    task.policies = read_policies(settings, findings);
    warn_of_partitions(settings.pointer_of("policies"), task.policies, task.partition_size > 0,
                       findings);
    read_template(settings, reading.config, findings);
    settings.without_effect({"maxRetry", "topologyPolicy"}, "the job's own are read",
                            findings.warnings);
    settings.not_modelled({"dependsOn"}, "all tasks start at once, also after a restart", findings);
    settings.finish("a field of a task");
  }
}

/// Without one of its own, or with 0, it is that of all tasks (mutate_job.go:169).
void settle_min_available(Settings& settings, Config& config) {
  std::uint64_t all = 0;
  std::uint64_t least = 0;
  for (const Task& task : config.tasks) {
    all += task.replicas;
    least += task.min_available.value_or(task.replicas);
  }
  if (all > INT32_MAX) {
    settings.refuse("tasks", "at most " + std::to_string(INT32_MAX) + " replicas of all tasks");
  } else if (config.min_available.value_or(0) > all && all > 0) {
    settings.refuse("minAvailable", "at most the replicas of all tasks");
  } else if (config.min_available.value_or(0) == 0) {
    config.min_available.reset();
    if (least > 0 && least < all) {
      config.min_available = static_cast<std::uint32_t>(least);
    }
  }
}

/// The pods of all tasks; without tasks, as many as must be there.
std::optional<SaidPods> pods_of(const Config& config, const std::string& spec) {
  SaidPods pods{.ranks_each = config.ranks_per_pod, .pointer = pointer_to(spec, "tasks")};
  for (const Task& task : config.tasks) {
    pods.pods += task.replicas;
  }
  if (config.min_available) {
    pods.least = {*config.min_available, pointer_to(spec, "minAvailable")};
  }
  return pods.pods > 0 || pods.least.pods > 0 ? std::optional(std::move(pods)) : std::nullopt;
}

}  // namespace

ConfigReading read_config(const PolicyRequest& request) {
  ConfigReading reading;
  Config& config = reading.config;
  Findings findings;
  constexpr std::array<std::string_view, 2> kOurs{"ranksPerPod", "tolerationSeconds"};
  const ManifestSpec manifest = manifest_spec(*request.config, kManifests, kOurs, findings);
  Settings settings(*manifest.spec, manifest.pointer, findings.errors);
  std::vector<ConfigIssue> said;  // `settings` tells that it is not an object
  Settings beside(*request.config, "/config", findings.pasted ? findings.errors : said);
  Settings& ours = findings.pasted ? beside : settings;
  ours.count("ranksPerPod", 1, config.ranks_per_pod);
  ours.seconds("tolerationSeconds", config.toleration_us);
  settings.count("maxRetry", 0, config.max_retry);
  config.max_retry = config.max_retry == 0 ? kDefaultRetries : config.max_retry;
  settings.count("minAvailable", 0, config.min_available);
  config.policies = read_policies(settings, findings);
  read_tasks(settings, reading, findings);
  settle_min_available(settings, config);
  warn_of_partitions(
      settings.pointer_of("policies"), config.policies,
      std::ranges::any_of(config.tasks, [](const Task& task) { return task.partition_size > 0; }),
      findings);
  settings.without_effect({"queue", "schedulerName", "priorityClassName", "plugins", "volumes",
                           "ttlSecondsAfterFinished", "networkTopology", "runningEstimate"},
                          "it is the queue's, or about what is left when the job has ended",
                          findings.warnings);
  settings.not_modelled({"minSuccess"}, "the job succeeds when minAvailable pods have", findings);
  settings.finish("a field of a Volcano job");
  reading.errors = std::move(findings.errors);
  reading.warnings = std::move(findings.warnings);
  reading.pods = pods_of(config, manifest.pointer);
  return reading;
}

std::vector<Parameter> parameters() {
  return {
      {"maxRetry", "integer", "", "3", "one restart fewer than this is made; 0 is 3", ""},
      {"minAvailable", "integer", "", "all", "pods that must succeed, and that must be there", ""},
      {"policies", "array", "", "[]",
       "{event or events (PodFailed, PodEvicted, PodPending, Unknown, "
       "TaskCompleted, TaskFailed, JobUpdated, *) or "
       "exitCode, action (AbortJob, RestartJob, RestartTask, "
       "RestartPod, "
       "RestartPartition, TerminateJob, CompleteJob, ResumeJob), timeout: a duration or seconds "
       "that "
       "the action waits}",
       ""},
      {"tasks", "array", "", "one of all pods",
       "{name, replicas, policies, partitionPolicy: {partitionSize}}: a task's "
       "policies come "
       "before the job's",
       ""},
      {"ranksPerPod", "integer", "", "the pool's accelerators per node",
       "ours: what a pod's template says; filled in from the scenario", ""},
      {"tolerationSeconds", "number", "s", "300",
       "how long a pod stays on a node that cannot be reached", ""},
  };
}

MakeResult make(const PolicyRequest& request) {
  return make_configured<VolcanoJob>("volcano", kProfiles, read_config, request);
}

}  // namespace aftershock::policies::volcano
