#include "reports/recording/header.h"

#include <span>
#include <utility>

#include "aftershock_version.h"
#include "reports/ledger/bucket.h"
#include "reports/recording/hash.h"
#include "reports/recording/json_text.h"

namespace aftershock::reports {

namespace {

/// Appends the members of one object, with their commas.
class ObjectText {
 public:
  explicit ObjectText(std::string& out) : out_(out) { out_ += '{'; }
  ~ObjectText() { out_ += '}'; }
  ObjectText(const ObjectText&) = delete;
  ObjectText& operator=(const ObjectText&) = delete;

  std::string& key(std::string_view name) {
    if (!std::exchange(first_, false)) {
      out_ += ',';
    }
    append_json_string(out_, name);
    out_ += ':';
    return out_;
  }
  void text(std::string_view name, std::string_view value) { append_json_string(key(name), value); }
  void number(std::string_view name, std::int64_t value) { append_integer(key(name), value); }

 private:
  std::string& out_;
  bool first_ = true;
};

template <typename Item, typename AppendItem>
void append_list(std::string& out, const std::vector<Item>& items, const AppendItem& append_item) {
  out += '[';
  for (bool first = true; const Item& item : items) {
    if (!std::exchange(first, false)) {
      out += ',';
    }
    append_item(out, item);
  }
  out += ']';
}

void append_strings(std::string& out, const std::vector<std::string>& texts) {
  append_list(out, texts,
              [](std::string& to, const std::string& text) { append_json_string(to, text); });
}

void append_job(std::string& out, const HeaderJob& job) {
  ObjectText object(out);
  object.text("name", job.name);
  object.text("policy", job.policy);
  object.number("workers", job.workers);
  object.number("accelerators", job.accelerators);
  object.text("pool", job.pool);
  if (job.steps) {
    object.number("steps", *job.steps);
  } else {
    object.key("steps") += "null";
  }
  object.number("step_us", job.step_us);
}

void append_entities(std::string& out, const HeaderEntities& entities) {
  ObjectText object(out);
  object.text("kind", entities.kind);
  if (!entities.pool.empty()) {
    object.text("pool", entities.pool);
  }
  object.number("first", entities.first);
  object.number("count", entities.count);
  object.text("name", entities.name);
  if (entities.racks != 0) {
    object.number("racks", entities.racks);
  }
  if (entities.accelerators != 0) {
    object.number("accelerators", entities.accelerators);
    object.text("accelerator_kind", entities.accelerator_kind);
  }
}

void append_rule(std::string& out, const HeaderRule& rule) {
  ObjectText object(out);
  object.text("id", rule.id);
  object.text("sentence", rule.sentence);
  object.text("source", rule.source);
}

void append_policy(std::string& out, const HeaderPolicy& policy) {
  ObjectText object(out);
  object.text("name", policy.name);
  append_list(object.key("rules"), policy.rules, append_rule);
  append_strings(object.key("states"), policy.states);
  append_strings(object.key("budgets"), policy.budgets);
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
  return hex16(hash.value());
}

std::string header_line(const RecordingHeader& header) {
  std::string line;
  {
    ObjectText object(line);
    object.text("r", "header");
    object.number("schema", header.schema);
    object.text("version", header.version);
    object.text("commit", header.commit);
    object.key("scenario") += header.scenario_json;
    object.text("digest", header.digest);
    append_unsigned(object.key("seed"), header.seed);
    object.text("policy", header.policy);
    object.text("start", header.start);
    append_list(object.key("jobs"), header.jobs, append_job);
    append_list(object.key("entities"), header.entities, append_entities);
    append_list(object.key("policies"), header.policies, append_policy);
    append_strings(object.key("buckets"), header.buckets);
  }
  return line;
}

}  // namespace aftershock::reports
