#include "policies/volcano/config.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "policies/parts/config_values.h"
#include "policies/parts/settings.h"
#include "policies/volcano/job.h"

namespace aftershock::policies::volcano {
namespace {

using nlohmann::json;

// In the order of Happening and Action.
constexpr std::array<std::string_view, 6> kEventWords{"PodFailed", "PodEvicted",    "PodPending",
                                                      "Unknown",   "TaskCompleted", "*"};
constexpr std::array<std::string_view, 8> kActionWords{
    "SyncJob",    "AbortJob",         "RestartJob",   "RestartTask",
    "RestartPod", "RestartPartition", "TerminateJob", "CompleteJob"};
constexpr std::uint32_t kDefaultRetries = 3;

void read_event(const std::string& pointer, const json& value, Answer& answer,
                std::vector<ConfigIssue>& errors) {
  const json holder = {{"event", value}};
  std::size_t word = 0;
  std::vector<ConfigIssue> wrong;
  Settings(holder, "", wrong).word("event", kEventWords, word);
  for (ConfigIssue& issue : wrong) {
    issue.pointer = pointer;
    errors.push_back(std::move(issue));
  }
  answer.events.push_back(static_cast<Happening>(word));
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

std::vector<Answer> read_policies(Settings& of, std::vector<ConfigIssue>& errors) {
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
    Settings settings((*list)[i], pointer, errors);
    Answer& answer = answers.emplace_back();
    if (const json* event = settings.member("event")) {
      read_event(settings.pointer_of("event"), *event, answer, errors);
    }
    if (const json* events = settings.member("events"); events != nullptr && events->is_array()) {
      for (const json& event : *events) {
        read_event(settings.pointer_of("events"), event, answer, errors);
      }
    } else if (events != nullptr) {
      settings.refuse("events", "an array");
    }
    read_exit_code(settings, answer);
    std::size_t word = 0;
    settings.word("action", kActionWords, word);
    answer.action = static_cast<Action>(word);
    settings.seconds("timeout", answer.timeout_us);
    if (answer.events.empty() == !answer.exit_code.has_value()) {
      errors.push_back(
          {pointer, "it has neither events nor an exitCode, or both", "one of the two", {}});
    }
    settings.finish("a field of a policy");
  }
  return answers;
}

void read_tasks(Settings& of, ConfigReading& reading) {
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
                      reading.errors);
    Task& task = reading.config.tasks.emplace_back();
    if (const json* name = settings.member("name")) {
      read_text(settings.pointer_of("name"), *name, task.name, reading.errors);
    }
    settings.count("replicas", 1, task.replicas);
    Settings partition = settings.object("partitionPolicy");
    partition.count("partitionSize", 1, task.partition_size);
    partition.without_effect({"totalPartitions", "minPartitions", "networkTopology"},
                             "pods are counted by partitionSize", reading.warnings);
    partition.finish("a field of partitionPolicy");
    task.policies = read_policies(settings, reading.errors);
    settings.without_effect({"minAvailable", "maxRetry", "template", "dependsOn", "topologyPolicy"},
                            "the job's own are read", reading.warnings);
    settings.finish("a field of a task");
  }
}

}  // namespace

ConfigReading read_config(const PolicyRequest& request) {
  ConfigReading reading;
  Config& config = reading.config;
  Settings settings(*request.config, "/config", reading.errors);
  settings.count("maxRetry", 0, config.max_retry);
  config.max_retry = config.max_retry == 0 ? kDefaultRetries : config.max_retry;
  settings.count("minAvailable", 1, config.min_available);
  settings.count("ranksPerPod", 1, config.ranks_per_pod);
  settings.seconds("tolerationSeconds", config.toleration_us);
  config.policies = read_policies(settings, reading.errors);
  read_tasks(settings, reading);
  settings.without_effect({"queue", "schedulerName", "priorityClassName", "plugins", "volumes",
                           "ttlSecondsAfterFinished", "minSuccess"},
                          "it is the queue's, or about what is left when the job has ended",
                          reading.warnings);
  settings.finish("a field of a Volcano job");
  return reading;
}

std::vector<Parameter> parameters() {
  return {
      {"maxRetry", "integer", "", "3", "one restart fewer than this is made; 0 is 3", ""},
      {"minAvailable", "integer", "", "all", "pods that must succeed, and that must be there", ""},
      {"policies", "array", "", "[]",
       "{event or events (PodFailed, PodEvicted, PodPending, Unknown, "
       "TaskCompleted, *) or "
       "exitCode, action (SyncJob, AbortJob, RestartJob, RestartTask, "
       "RestartPod, "
       "RestartPartition, TerminateJob, CompleteJob), timeout in seconds}",
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
