#include "reports/html/run_gatherer.h"

#include <tuple>

#include "reports/ledger/bucket.h"
#include "reports/recording/line_reader.h"

namespace aftershock::reports {
namespace {

namespace dom = simdjson::dom;

}  // namespace

void RunGatherer::add(const Record& record) {
  data_.end_us = std::max(data_.end_us, record.t_us);
  switch (record.kind) {
    case LineKind::kHeader:
      return header(record.text);
    case LineKind::kEnd:
      return end(record);
    case LineKind::kBegin:
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
    case LineKind::kBegin:
      return begin(record, json);
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

void RunGatherer::header(std::string_view text) {
  const auto header = parse_header(text);
  if (!header) {
    return;
  }
  data_.version =
      header->version + (header->commit.empty() ? "" : " (" + header->commit.substr(0, 12) + ")");
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

PartStory* RunGatherer::part_on(std::string_view on) {
  // A trial's time is its experiment's.
  const auto found = parts_.find(on.substr(0, on.find('/')));
  return found == parts_.end() ? nullptr : &data_.parts[found->second];
}

FaultStory* RunGatherer::fault_named(const std::string& id) {
  const auto found = faults_.find(id);
  return found == faults_.end() ? nullptr : &data_.faults[found->second];
}

std::uint32_t RunGatherer::rule_named(const std::string& id) {
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

FaultStory* RunGatherer::fault_numbered(std::int64_t number) {
  const auto found = numbers_.find(number);
  return found == numbers_.end() ? nullptr : &data_.faults[found->second];
}

void RunGatherer::begin(const Record& record, dom::element json) {
  const bool is_attempt = record.what == "attempt";
  const auto bucket = bucket_of_span(record.what);
  PartStory* part = (bucket || is_attempt) && record.id ? part_on(record.on) : nullptr;
  if (part == nullptr) {
    return;
  }
  if (is_attempt) {
    ++part->attempts;
    return;
  }
  const std::int64_t cause = whole_at(json, "cause").value_or(-1);
  phases_[*record.id] = {static_cast<std::size_t>(part - data_.parts.data()), *bucket, record.t_us,
                         cause};
  if (bucket == Bucket::kProductive) {
    interrupted_by_.erase(std::string(record.on));
  } else if (cause >= 0) {
    interrupted_by_.try_emplace(std::string(record.on), cause);
  }
  // Steps stand still until workers train again.
  if (bucket == Bucket::kProductive && !part->progress.empty()) {
    part->progress.add(record.t_us, part->progress.last().value);
  } else if (bucket == Bucket::kProductive && record.on.find('/') == record.on.npos) {
    part->progress.add(record.t_us, 0);
  }
}

void RunGatherer::end(const Record& record) {
  if (const auto phase = phases_.find(record.id.value_or(0)); phase != phases_.end()) {
    end_phase(phase->second, record.t_us);
    phases_.erase(phase);
  }
}

void RunGatherer::instant(const Record& record, dom::element json) {
  if (record.what == "rolled_back") {
    rolled_back(record, json);
  }
}

void RunGatherer::rolled_back(const Record& record, dom::element json) {
  PartStory* part = part_on(record.on);
  if (part == nullptr) {
    return;
  }
  const std::int64_t lost_us = whole_at(json, "lost_us").value_or(0);
  part->ledger_us[index_of(Bucket::kProductive)] -= lost_us;
  part->ledger_us[index_of(Bucket::kRolledBack)] += lost_us;
  part->lost_us += lost_us;
  if (part->step_us > 0) {
    part->lost_steps += whole_at(json, "from_us").value_or(0) / part->step_us -
                        whole_at(json, "to_us").value_or(0) / part->step_us;
  }
  // A roll-back is put down to what ended the attempt.
  const auto by = interrupted_by_.find(record.on);
  if (FaultStory* fault = by == interrupted_by_.end() ? nullptr : fault_numbered(by->second)) {
    fault->cost_us += lost_us;
    fault->lost_us += lost_us;
  }
  if (part->step_us > 0 && !part->progress.empty()) {
    const double was = part->progress.last().value;
    part->progress.add(record.t_us, was);
    part->progress.add(record.t_us,
                       std::max(0.0, was - static_cast<double>(lost_us / part->step_us)));
  }
}

void RunGatherer::counter(const Record& record, dom::element json) {
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

}  // namespace aftershock::reports
