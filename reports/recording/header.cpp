#include "reports/recording/header.h"

#include <fmt/format.h>

#include "aftershock_version.h"
#include "base/assert.h"
#include "reports/json/json_writer.h"
#include "reports/ledger/bucket.h"
#include "reports/recording/hash.h"

namespace aftershock::reports {

namespace {

template <typename Item, typename WriteItem>
void write_list(JsonWriter& json, std::string_view key, const std::vector<Item>& items,
                const WriteItem& write_item) {
  json.key(key);
  json.open_array();
  for (const Item& item : items) {
    json.open_object();
    write_item(json, item);
    json.close_object();
  }
  json.close_array();
}

void write_job(JsonWriter& json, const HeaderJob& job) {
  json.member("name", job.name);
  json.member("policy", job.policy);
  json.member("workers", job.workers);
  json.member("accelerators", job.accelerators);
  json.member("pool", job.pool);
  json.member("steps", job.steps);
  json.member("step_us", job.step_us);
}

void write_experiment(JsonWriter& json, const HeaderExperiment& experiment) {
  json.member("name", experiment.name);
  json.member("policy", experiment.policy);
  json.member("pool", experiment.pool);
  json.member("trials", experiment.trials);
  json.member("accelerators_e4", experiment.accelerators_e4);
  json.member("steps", experiment.steps);
}

void write_entities(JsonWriter& json, const HeaderEntities& entities) {
  json.member("kind", entities.kind);
  if (!entities.pool.empty()) {
    json.member("pool", entities.pool);
  }
  json.member("first", entities.first);
  json.member("count", entities.count);
  json.member("name", entities.name);
  if (entities.racks != 0) {
    json.member("racks", entities.racks);
  }
  if (entities.accelerators != 0) {
    json.member("accelerators", entities.accelerators);
    json.member("accelerator_kind", entities.accelerator_kind);
  }
}

void write_rule(JsonWriter& json, const HeaderRule& rule) {
  json.member("id", rule.id);
  json.member("sentence", rule.sentence);
  json.member("source", rule.source);
}

void write_policy(JsonWriter& json, const HeaderPolicy& policy) {
  json.member("name", policy.name);
  write_list(json, "rules", policy.rules, write_rule);
  json.member("states", policy.states);
  json.member("budgets", policy.budgets);
}

void write_live(JsonWriter& json, const HeaderLive& live) {
  json.key("live");
  json.open_object();
  json.member("backend", live.backend);
  write_list(json, "versions", live.versions, [](JsonWriter& to, const auto& version) {
    to.member("of", version.first);
    to.member("is", version.second);
  });
  json.member("isolation", live.isolation);
  json.member("clock", live.clock);
  json.member("addresses", live.addresses);
  json.member("speed", live.speed);
  json.close_object();
}

}  // namespace

RecordingHeader new_header() {
  RecordingHeader header;
  header.version = kVersion;
  header.commit = kCommit;
  header.buckets.assign(kBucketNames.begin(), kBucketNames.end());
  return header;
}

std::string text_digest(std::string_view text) {
  RollingHash hash;
  hash.add(text);
  return fmt::format("{:016x}", hash.value());
}

std::string header_line(const RecordingHeader& header) {
  AFTERSHOCK_ASSERT(header.scenario_json.starts_with('{'));
  JsonWriter json;
  json.open_object();
  json.member("r", "header");
  json.member("schema", header.schema);
  json.member("version", header.version);
  json.member("commit", header.commit);
  json.key("scenario");
  json.raw(header.scenario_json);
  json.member("digest", header.digest);
  json.member("seed", header.seed);
  json.member("policy", header.policy);
  json.member("start", header.start);
  write_list(json, "jobs", header.jobs, write_job);
  if (!header.experiments.empty()) {
    write_list(json, "experiments", header.experiments, write_experiment);
  }
  write_list(json, "entities", header.entities, write_entities);
  write_list(json, "policies", header.policies, write_policy);
  json.member("buckets", header.buckets);
  if (header.live) {
    write_live(json, *header.live);
  }
  json.close_object();
  return std::string(json.text());
}

}  // namespace aftershock::reports
