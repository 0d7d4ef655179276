#include <simdjson.h>

#include "reports/recording/header.h"

namespace aftershock::reports {

namespace {

namespace ondemand = simdjson::ondemand;

bool read(ondemand::value value, std::string& to) {
  std::string_view text;
  if (value.get_string().get(text) != simdjson::SUCCESS) {
    return false;
  }
  to = text;
  return true;
}

bool read(ondemand::value value, std::int64_t& to) {
  return value.get_int64().get(to) == simdjson::SUCCESS;
}

bool read(ondemand::value value, std::uint64_t& to) {
  return value.get_uint64().get(to) == simdjson::SUCCESS;
}

bool read(ondemand::value value, std::optional<std::int64_t>& to) {
  bool none = false;
  if (value.is_null().get(none) != simdjson::SUCCESS) {
    return false;
  }
  to.reset();
  return none || read(value, to.emplace());
}

bool read(ondemand::value value, HeaderJob& job);
bool read(ondemand::value value, HeaderExperiment& experiment);
bool read(ondemand::value value, HeaderEntities& entities);
bool read(ondemand::value value, HeaderRule& rule);
bool read(ondemand::value value, HeaderPolicy& policy);
bool read(ondemand::value value, std::pair<std::string, std::string>& version);

/// `member(key, value)` says whether it could use the value; true for a key that it does not know.
template <typename Member>
bool read_object(ondemand::value value, const Member& member) {
  ondemand::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) {
    return false;
  }
  for (auto entry : object) {
    ondemand::field field;
    std::string_view key;
    if (std::move(entry).get(field) != simdjson::SUCCESS ||
        field.unescaped_key().get(key) != simdjson::SUCCESS || !member(key, field.value())) {
      return false;
    }
  }
  return true;
}

template <typename Item>
bool read_list(ondemand::value value, std::vector<Item>& to) {
  ondemand::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS) {
    return false;
  }
  for (auto entry : array) {
    ondemand::value item;
    if (std::move(entry).get(item) != simdjson::SUCCESS || !read(item, to.emplace_back())) {
      return false;
    }
  }
  return true;
}

bool read(ondemand::value value, HeaderJob& job) {
  return read_object(value, [&job](std::string_view key, ondemand::value member) {
    return key == "name"           ? read(member, job.name)
           : key == "policy"       ? read(member, job.policy)
           : key == "workers"      ? read(member, job.workers)
           : key == "accelerators" ? read(member, job.accelerators)
           : key == "pool"         ? read(member, job.pool)
           : key == "steps"        ? read(member, job.steps)
           : key == "step_us"      ? read(member, job.step_us)
                                   : true;
  });
}

bool read(ondemand::value value, HeaderExperiment& experiment) {
  return read_object(value, [&experiment](std::string_view key, ondemand::value member) {
    return key == "name"              ? read(member, experiment.name)
           : key == "policy"          ? read(member, experiment.policy)
           : key == "pool"            ? read(member, experiment.pool)
           : key == "trials"          ? read(member, experiment.trials)
           : key == "accelerators_e4" ? read(member, experiment.accelerators_e4)
           : key == "steps"           ? read(member, experiment.steps)
                                      : true;
  });
}

bool read(ondemand::value value, HeaderEntities& entities) {
  return read_object(value, [&entities](std::string_view key, ondemand::value member) {
    return key == "kind"               ? read(member, entities.kind)
           : key == "pool"             ? read(member, entities.pool)
           : key == "first"            ? read(member, entities.first)
           : key == "count"            ? read(member, entities.count)
           : key == "name"             ? read(member, entities.name)
           : key == "racks"            ? read(member, entities.racks)
           : key == "accelerators"     ? read(member, entities.accelerators)
           : key == "accelerator_kind" ? read(member, entities.accelerator_kind)
                                       : true;
  });
}

bool read(ondemand::value value, HeaderRule& rule) {
  return read_object(value, [&rule](std::string_view key, ondemand::value member) {
    return key == "id"         ? read(member, rule.id)
           : key == "sentence" ? read(member, rule.sentence)
           : key == "source"   ? read(member, rule.source)
                               : true;
  });
}

bool read(ondemand::value value, HeaderPolicy& policy) {
  return read_object(value, [&policy](std::string_view key, ondemand::value member) {
    return key == "name"      ? read(member, policy.name)
           : key == "rules"   ? read_list(member, policy.rules)
           : key == "states"  ? read_list(member, policy.states)
           : key == "budgets" ? read_list(member, policy.budgets)
                              : true;
  });
}

bool read(ondemand::value value, std::pair<std::string, std::string>& version) {
  return read_object(value, [&version](std::string_view key, ondemand::value member) {
    return key == "of"   ? read(member, version.first)
           : key == "is" ? read(member, version.second)
                         : true;
  });
}

bool read(ondemand::value value, std::optional<HeaderLive>& to) {
  HeaderLive& live = to.emplace();
  return read_object(value, [&live](std::string_view key, ondemand::value member) {
    return key == "backend"     ? read(member, live.backend)
           : key == "versions"  ? read_list(member, live.versions)
           : key == "isolation" ? read(member, live.isolation)
           : key == "clock"     ? read(member, live.clock)
           : key == "addresses" ? read(member, live.addresses)
           : key == "speed"     ? read(member, live.speed) && live.speed > 0
                                : true;
  });
}

bool read_scenario(ondemand::value value, std::string& to) {
  ondemand::object object;
  std::string_view text;
  if (value.get_object().get(object) != simdjson::SUCCESS ||
      object.raw_json().get(text) != simdjson::SUCCESS) {
    return false;
  }
  to = text;
  return true;
}

bool read_member(std::string_view key, ondemand::value member, RecordingHeader& header,
                 bool& is_header) {
  if (key == "r") {
    std::string kind;
    is_header = read(member, kind) && kind == "header";
    return is_header;
  }
  return key == "schema"        ? read(member, header.schema)
         : key == "version"     ? read(member, header.version)
         : key == "commit"      ? read(member, header.commit)
         : key == "scenario"    ? read_scenario(member, header.scenario_json)
         : key == "digest"      ? read(member, header.digest)
         : key == "seed"        ? read(member, header.seed)
         : key == "policy"      ? read(member, header.policy)
         : key == "start"       ? read(member, header.start)
         : key == "jobs"        ? read_list(member, header.jobs)
         : key == "experiments" ? read_list(member, header.experiments)
         : key == "entities"    ? read_list(member, header.entities)
         : key == "policies"    ? read_list(member, header.policies)
         : key == "buckets"     ? read_list(member, header.buckets)
         : key == "live"        ? read(member, header.live)
                                : true;
}

}  // namespace

std::optional<RecordingHeader> parse_header(std::string_view line) {
  const simdjson::padded_string padded(line);
  ondemand::parser parser;
  ondemand::document document;
  ondemand::value root;
  RecordingHeader header;
  header.schema = 0;
  bool is_header = false;
  const bool read_whole = parser.iterate(padded).get(document) == simdjson::SUCCESS &&
                          document.get_value().get(root) == simdjson::SUCCESS &&
                          read_object(root, [&](std::string_view key, ondemand::value member) {
                            return read_member(key, member, header, is_header);
                          });
  if (!read_whole || !is_header) {
    return std::nullopt;
  }
  return header;
}

}  // namespace aftershock::reports
