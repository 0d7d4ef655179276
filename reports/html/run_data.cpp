#include "reports/html/run_data.h"

#include <algorithm>
#include <numeric>

#include <simdjson.h>

#include "reports/recording/line_reader.h"

namespace aftershock::reports {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kStepsShown = 150;

// A recording may come from anywhere: what is missing or of another type reads as nothing.

std::string text_at(dom::element object, std::string_view key) {
  std::string_view text;
  return object[key].get_string().get(text) == simdjson::SUCCESS ? std::string(text)
                                                                 : std::string();
}

std::optional<std::int64_t> whole_at(dom::element object, std::string_view key) {
  std::int64_t number = 0;
  return object[key].get_int64().get(number) == simdjson::SUCCESS ? std::optional(number)
                                                                  : std::nullopt;
}

bool flag_at(dom::element object, std::string_view key, bool otherwise) {
  bool flag = otherwise;
  return object[key].get_bool().get(flag) == simdjson::SUCCESS ? flag : otherwise;
}

template <class Take>
void each_at(dom::element object, std::string_view key, const Take& take) {
  dom::array array;
  if (object[key].get_array().get(array) == simdjson::SUCCESS) {
    for (const dom::element element : array) {
      take(element);
    }
  }
}

/// What a policy is told that is no sign of a fault.
bool is_sign(std::string_view event) {
  static constexpr std::array<std::string_view, 13> kOrdinary{
      "attempt_running",    "capacity_changed",
      "checkpoint_durable", "checkpoint_reported",
      "command_result",     "controller_started",
      "job_done",           "job_submitted",
      "persisted",          "timer",
      "trial_result",       "workers_finished",
      "workers_stopped"};
  return std::ranges::find(kOrdinary, event) == kOrdinary.end();
}

template <class Value>
void add_once(std::vector<Value>& to, const Value& value) {
  if (std::ranges::find(to, value) == to.end()) {
    to.push_back(value);
  }
}

/// Phases of jobs by the bucket that their time is in; other spans are in none.
std::optional<Bucket> bucket_of_phase(std::string_view phase) {
  if (phase == "training") {
    return Bucket::kProductive;
  }
  if (phase == "checkpointing") {
    return Bucket::kCheckpointBlocking;
  }
  const auto found = std::ranges::find(kBucketNames, phase);
  return found == kBucketNames.end()
             ? std::nullopt
             : std::optional(static_cast<Bucket>(found - kBucketNames.begin()));
}

/// Takes the records of one recording in.
class Gatherer {
 public:
  explicit Gatherer(std::string path) { data_.path = std::move(path); }

  void add(const Record& record);
  RunData finish(const ReadResult& read);

 private:
  struct OpenPhase {
    std::size_t part = 0;
    Bucket bucket = Bucket::kProductive;
    std::int64_t since_us = 0;
  };

  void header(std::string_view text);
  void begin(const Record& record);
  void end(const Record& record);
  void instant(const Record& record, dom::element json);
  void counter(const Record& record, dom::element json);
  void fault(const Record& record, dom::element json);
  void decision(const Record& record, dom::element json);
  void step(const Record& record, dom::element json, dom::element step, FaultStory* fault);
  BudgetMove move(const Record& record, dom::element json, PartStory* part);
  void ledger(const Record& record, dom::element json);
  void summary(dom::element json);
  void part_summary(dom::element json, const std::string& on);

  PartStory* part_on(std::string_view on);
  FaultStory* fault_named(const std::string& id);
  std::uint32_t rule_named(const std::string& id);

  RunData data_;
  dom::parser parser_;
  std::map<std::string, std::size_t, std::less<>> parts_;
  std::map<std::string, std::size_t> faults_;  ///< the last of each id
  std::map<std::string, std::uint32_t> rules_;
  std::map<std::string, std::pair<std::string, std::string>> rule_words_;
  std::map<std::uint64_t, OpenPhase> phases_;
};

void Gatherer::add(const Record& record) {
  data_.end_us = std::max(data_.end_us, record.t_us);
  switch (record.kind) {
    case LineKind::kHeader:
      return header(record.text);
    case LineKind::kBegin:
      return begin(record);
    case LineKind::kEnd:
      return end(record);
    case LineKind::kInstant:
    case LineKind::kCounter:
    case LineKind::kFault:
    case LineKind::kDecision:
    case LineKind::kLedger:
    case LineKind::kSummary:
      break;
    default:
      return;
  }
  static_assert(kLinePadding >= simdjson::SIMDJSON_PADDING);
  dom::element json;
  if (parser_.parse(record.text.data(), record.text.size(), false).get(json) != simdjson::SUCCESS) {
    return;
  }
  switch (record.kind) {
    case LineKind::kInstant:
      return instant(record, json);
    case LineKind::kCounter:
      return counter(record, json);
    case LineKind::kFault:
      return fault(record, json);
    case LineKind::kDecision:
      return decision(record, json);
    case LineKind::kLedger:
      return ledger(record, json);
    default: {
      dom::element run;
      if (json["summary"].get(run) == simdjson::SUCCESS) {
        summary(run);
      }
    }
  }
}

void Gatherer::header(std::string_view text) {
  const auto header = parse_header(text);
  if (!header) {
    return;
  }
  data_.version = header->version + (header->commit.empty() ? "" : " (" + header->commit + ")");
  data_.seed = header->seed;
  const auto add_part = [this](const char* kind, const std::string& name) -> PartStory& {
    PartStory& part = data_.parts.emplace_back();
    part.on = std::string(kind) + ":" + name;
    part.name = name;
    parts_.emplace(part.on, data_.parts.size() - 1);
    return part;
  };
  for (const HeaderJob& job : header->jobs) {
    PartStory& part = add_part("job", job.name);
    part.policy = job.policy;
    part.steps = job.steps;
    part.step_us = job.step_us;
  }
  for (const HeaderExperiment& experiment : header->experiments) {
    add_part("experiment", experiment.name).policy = experiment.policy;
  }
  for (const HeaderPolicy& policy : header->policies) {
    for (const HeaderRule& rule : policy.rules) {
      rule_words_[rule.id] = {rule.sentence, rule.source};
    }
  }
  dom::parser parser;
  dom::element scenario;
  if (parser.parse(header->scenario_json).get(scenario) == simdjson::SUCCESS) {
    data_.scenario = text_at(scenario, "name");
    data_.question = text_at(scenario, "question");
  }
}

PartStory* Gatherer::part_on(std::string_view on) {
  // A trial's time is its experiment's.
  const auto found = parts_.find(on.substr(0, on.find('/')));
  return found == parts_.end() ? nullptr : &data_.parts[found->second];
}

FaultStory* Gatherer::fault_named(const std::string& id) {
  const auto found = faults_.find(id);
  return found == faults_.end() ? nullptr : &data_.faults[found->second];
}

std::uint32_t Gatherer::rule_named(const std::string& id) {
  const auto [found, is_new] = rules_.emplace(id, static_cast<std::uint32_t>(data_.rules.size()));
  if (is_new) {
    RuleStory& rule = data_.rules.emplace_back();
    rule.id = id;
    if (const auto words = rule_words_.find(id); words != rule_words_.end()) {
      std::tie(rule.sentence, rule.source) = words->second;
    }
  }
  return found->second;
}

void Gatherer::begin(const Record& record) {
  const auto bucket = bucket_of_phase(record.what);
  PartStory* part = bucket && record.id ? part_on(record.on) : nullptr;
  if (part == nullptr) {
    return;
  }
  phases_[*record.id] = {static_cast<std::size_t>(part - data_.parts.data()), *bucket, record.t_us};
  // Steps stand still until workers train again.
  if (bucket == Bucket::kProductive && !part->progress.empty()) {
    part->progress.add(record.t_us, part->progress.last().value);
  } else if (bucket == Bucket::kProductive && record.on.find('/') == record.on.npos) {
    part->progress.add(record.t_us, 0);
  }
}

void Gatherer::end(const Record& record) {
  if (const auto phase = phases_.find(record.id.value_or(0)); phase != phases_.end()) {
    const OpenPhase& open = phase->second;
    data_.parts[open.part].ledger_us[index_of(open.bucket)] += record.t_us - open.since_us;
    phases_.erase(phase);
  }
}

void Gatherer::instant(const Record& record, dom::element json) {
  PartStory* part = record.what == "rolled_back" ? part_on(record.on) : nullptr;
  if (part == nullptr) {
    return;
  }
  const std::int64_t lost_us = whole_at(json, "lost_us").value_or(0);
  part->ledger_us[index_of(Bucket::kProductive)] -= lost_us;
  part->ledger_us[index_of(Bucket::kRolledBack)] += lost_us;
  if (part->step_us > 0 && !part->progress.empty()) {
    const double was = part->progress.last().value;
    part->progress.add(record.t_us, was);
    part->progress.add(record.t_us,
                       std::max(0.0, was - static_cast<double>(lost_us / part->step_us)));
  }
}

void Gatherer::counter(const Record& record, dom::element json) {
  const std::string name = text_at(json, "name");
  const auto value = whole_at(json, "value");
  if (!value) {
    return;
  }
  if (name == "nodes_up") {
    const std::string pool(record.on.substr(record.on.find(':') + 1));
    auto& pools = data_.nodes_up;
    auto found = std::ranges::find(pools, pool, &std::pair<std::string, CurveBuilder>::first);
    if (found == pools.end()) {
      found = pools.emplace(pools.end(), pool, CurveBuilder{});
    }
    found->second.add(record.t_us, static_cast<double>(*value));
    return;
  }
  PartStory* part = part_on(record.on);
  if (part == nullptr || record.on.find('/') != record.on.npos) {
    return;
  }
  if (name == "steps") {
    part->progress.add(record.t_us, static_cast<double>(*value));
  } else if (name == "committed_steps") {
    part->committed.add(record.t_us, static_cast<double>(*value));
  }
}

void Gatherer::fault(const Record& record, dom::element json) {
  FaultStory fault;
  fault.t_us = record.t_us;
  fault.id = text_at(json, "id");
  fault.kind = text_at(json, "kind");
  fault.target = text_at(json, "target");
  fault.masked = text_at(json, "outcome") == "masked";
  // "accelerator_fault (xid:94)" tells more than its kind.
  if (const std::string what = text_at(json, "what"); !what.empty()) {
    fault.kind = what;
  }
  faults_[fault.id] = data_.faults.size();
  data_.faults.push_back(std::move(fault));
}

void Gatherer::decision(const Record& record, dom::element json) {
  const std::string id = text_at(json, "fault");
  FaultStory* fault = id.empty() ? nullptr : fault_named(id);
  if (fault != nullptr) {
    each_at(json, "saw", [&](dom::element event) {
      const std::string type = text_at(event, "type");
      if (is_sign(type)) {
        add_once(fault->seen, type);
        fault->detected_us = fault->detected_us.value_or(record.t_us);
      }
    });
  }
  each_at(json, "steps", [&](dom::element each) { step(record, json, each, fault); });
}

BudgetMove Gatherer::move(const Record& record, dom::element json, PartStory* part) {
  BudgetMove move;
  move.t_us = record.t_us;
  move.budget = text_at(json, "budget");
  move.cause = text_at(json, "cause");
  move.used = whole_at(json, "used").value_or(0);
  move.limit = whole_at(json, "limit");
  move.charged = flag_at(json, "charged", true);
  if (part != nullptr) {
    auto budget = std::ranges::find(part->budgets, move.budget, &BudgetStory::name);
    if (budget == part->budgets.end()) {
      budget = part->budgets.emplace(part->budgets.end());
      budget->name = move.budget;
      budget->used.add(0, 0);
    }
    budget->used.add(record.t_us, static_cast<double>(move.used));
    budget->now = move.used;
    budget->limit = move.limit;
    budget->exhausted = budget->exhausted || flag_at(json, "exhausted", false);
  }
  return move;
}

void Gatherer::step(const Record& record, dom::element json, dom::element step, FaultStory* fault) {
  StepStory story;
  story.rule = rule_named(text_at(step, "rule"));
  RuleStory& rule = data_.rules[story.rule];
  ++rule.used;
  PartStory* part = part_on(record.on);
  each_at(step, "budgets", [&](dom::element each) {
    story.moves.push_back(move(record, each, part));
    story.moves.back().rule = rule.id;
    rule.charges += story.moves.back().charged ? 1 : 0;
  });
  if (fault != nullptr) {
    add_once(fault->rules, story.rule);
    fault->moves.insert(fault->moves.end(), story.moves.begin(), story.moves.end());
  }
  if (fault == nullptr && story.moves.empty()) {
    return;
  }
  story.t_us = record.t_us;
  story.on = record.on;
  story.fault = text_at(json, "fault");
  story.from = text_at(step, "from");
  story.to = text_at(step, "to");
  each_at(step, "commands", [&](dom::element command) {
    story.commands += (story.commands.empty() ? "" : ", ") + text_at(command, "type");
  });
  if (data_.first_steps.size() < kStepsShown) {
    data_.first_steps.push_back(std::move(story));
    return;
  }
  data_.last_steps.push_back(std::move(story));
  if (data_.last_steps.size() > kStepsShown) {
    data_.last_steps.pop_front();
    ++data_.steps_between;
  }
}

void Gatherer::ledger(const Record& record, dom::element json) {
  PartStory* part = part_on(record.on);
  dom::element totals;
  if (part != nullptr && json["us"].get(totals) == simdjson::SUCCESS) {
    for (std::size_t i = 0; i < kBucketCount; ++i) {
      part->ledger_us[i] = whole_at(totals, kBucketNames[i]).value_or(0);
    }
    part->wall_us = whole_at(json, "wall_us").value_or(0);
  }
  each_at(json, "faults", [&](dom::element each) {
    FaultStory* fault = fault_named(text_at(each, "fault"));
    dom::object us;
    if (fault == nullptr || each["us"].get_object().get(us) != simdjson::SUCCESS) {
      return;
    }
    for (const dom::key_value_pair bucket : us) {
      std::int64_t amount_us = 0;
      if (bucket.value.get_int64().get(amount_us) == simdjson::SUCCESS) {
        fault->cost_us += amount_us;
        fault->lost_us += bucket.key == name_of(Bucket::kRolledBack) ? amount_us : 0;
      }
    }
  });
}

void Gatherer::part_summary(dom::element json, const std::string& on) {
  PartStory* part = part_on(on);
  if (part == nullptr) {
    return;
  }
  part->ended = true;
  part->outcome = text_at(json, "outcome");
  part->reason = text_at(json, "reason");
  part->vendor_state = text_at(json, "vendor_state");
  part->wall_us = whole_at(json, "wall_us").value_or(part->wall_us);
  part->steps_done = whole_at(json, "steps_done");
  part->attempts = whole_at(json, "attempts").value_or(0);
  dom::element lost;
  if (json["lost"].get(lost) == simdjson::SUCCESS) {
    part->lost_steps = whole_at(lost, "steps").value_or(0);
    part->lost_us = whole_at(lost, "us").value_or(0);
  }
  each_at(json, "recoveries", [this](dom::element recovery) {
    FaultStory* fault = fault_named(text_at(recovery, "fault"));
    if (fault == nullptr) {
      return;
    }
    fault->detected_us = whole_at(recovery, "detected_us");
    each_at(recovery, "rules", [&](dom::element rule) {
      std::string_view id;
      if (rule.get_string().get(id) == simdjson::SUCCESS) {
        add_once(fault->rules, rule_named(std::string(id)));
      }
    });
  });
  dom::object budgets;
  if (json["budgets"].get_object().get(budgets) != simdjson::SUCCESS) {
    return;
  }
  for (const dom::key_value_pair each : budgets) {
    const std::string name(each.key);
    if (std::ranges::find(part->budgets, name, &BudgetStory::name) == part->budgets.end()) {
      BudgetStory& budget = part->budgets.emplace_back();
      budget.name = name;
      budget.limit = whole_at(each.value, "limit");
      budget.used.add(0, 0);
    }
  }
}

void Gatherer::summary(dom::element json) {
  data_.verdict = text_at(json, "verdict");
  data_.verdict_reason = text_at(json, "verdict_reason");
  each_at(json, "jobs",
          [this](dom::element job) { part_summary(job, "job:" + text_at(job, "name")); });
  each_at(json, "experiments", [this](dom::element experiment) {
    part_summary(experiment, "experiment:" + text_at(experiment, "name"));
  });
  each_at(json, "expect", [this](dom::element expect) {
    data_.expectations.emplace_back(text_at(expect, "at"), flag_at(expect, "ok", false));
  });
  each_at(json, "warnings", [this](dom::element warning) {
    std::string_view text;
    if (warning.get_string().get(text) == simdjson::SUCCESS) {
      data_.warnings.emplace_back(text);
    }
  });
  dom::element invariants;
  if (json["invariants"].get(invariants) == simdjson::SUCCESS) {
    each_at(invariants, "violated", [this](dom::element) { ++data_.violations; });
  }
}

RunData Gatherer::finish(const ReadResult& read) {
  data_.read = read;
  for (const auto& [id, open] : phases_) {
    PartStory& part = data_.parts[open.part];
    if (!part.ended) {
      part.ledger_us[index_of(open.bucket)] += data_.end_us - open.since_us;
    }
  }
  for (PartStory& part : data_.parts) {
    if (!part.ended && part.wall_us == 0) {
      part.wall_us = std::reduce(part.ledger_us.begin(), part.ledger_us.end());
    }
  }
  return std::move(data_);
}

std::variant<RunData, std::string> finished(Gatherer& gatherer, const ReadResult& read) {
  if (!read.readable()) {
    return read.message;
  }
  return gatherer.finish(read);
}

}  // namespace

std::variant<RunData, std::string> read_run(const std::string& path) {
  Gatherer gatherer(path);
  const ReadResult read = read_recording(path, [&gatherer](const Record& record) {
    gatherer.add(record);
    return true;
  });
  return finished(gatherer, read);
}

std::variant<RunData, std::string> read_run(std::unique_ptr<RawBytes> bytes,
                                            const std::string& name) {
  Gatherer gatherer(name);
  const ReadResult read = read_recording(std::move(bytes), name, [&gatherer](const Record& record) {
    gatherer.add(record);
    return true;
  });
  return finished(gatherer, read);
}

std::optional<double> ettr_of(const PartStory& part) {
  const std::int64_t all_us =
      std::reduce(part.ledger_us.begin(), part.ledger_us.end(), std::int64_t{0});
  if (all_us <= 0) {
    return std::nullopt;
  }
  return static_cast<double>(part.ledger_us[index_of(Bucket::kProductive)]) /
         static_cast<double>(all_us);
}

}  // namespace aftershock::reports
