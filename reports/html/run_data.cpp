#include "reports/html/run_data.h"

#include <numeric>
#include <utility>

#include "reports/html/run_gatherer.h"

namespace aftershock::reports {
namespace {

namespace dom = simdjson::dom;

/// `read` takes a function of records, and says how the recording ended.
template <class Read>
std::variant<RunData, std::string> gathered(const std::string& name, ReadFor wanted,
                                            const Read& read) {
  RunGatherer gatherer(name);
  RecordedRunBuilder builder;
  const ReadResult result = read([&](const Record& record) {
    gatherer.add(record);
    if (wanted == ReadFor::kComparison) {
      builder.add(record);
    }
    return true;
  });
  if (!result.readable()) {
    return result.message;
  }
  RunData data = gatherer.finish(result);
  if (wanted == ReadFor::kComparison) {
    data.recorded = builder.finish(result, name);
  }
  return data;
}

}  // namespace

void RunGatherer::ledger(const Record& record, dom::element json) {
  PartStory* part = part_on(record.on);
  dom::element totals;
  if (part != nullptr && json["us"].get(totals) == simdjson::SUCCESS) {
    for (std::size_t i = 0; i < kBucketCount; ++i) {
      part->ledger_us[i] = whole_at(totals, kBucketNames[i]).value_or(0);
    }
    part->wall_us = whole_at(json, "wall_us").value_or(0);
  }
  // The account is the last word: what was counted along the way gives way to it.
  if (!std::exchange(accounted_, true)) {
    for (FaultStory& fault : data_.faults) {
      fault.cost_us = fault.lost_us = 0;
    }
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

void RunGatherer::part_summary(dom::element json, const std::string& on) {
  PartStory* part = part_on(on);
  if (part == nullptr) {
    return;
  }
  part->ended = true;
  part->outcome = text_at(json, "outcome");
  part->reason = text_at(json, "reason");
  part->vendor_state = text_at(json, "vendor_state");
  part->wall_us = whole_at(json, "wall_us").value_or(part->wall_us);
  part->at_end = end_state_named(text_at(json, "at_end"));
  part->useful_us = whole_at(json, "useful_us");
  part->useful_of_us = whole_at(json, "useful_of_us").value_or(0);
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
      budget.by_agent = flag_at(each.value, "by_agent", false);
      budget.used.add(0, 0);
    }
  }
}

void RunGatherer::summary(dom::element json) {
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
  each_at(json, "never_struck", [this](dom::element fault) {
    data_.never_struck.emplace_back(text_at(fault, "fault"), text_at(fault, "why"));
  });
  dom::element invariants;
  if (json["invariants"].get(invariants) == simdjson::SUCCESS) {
    each_at(invariants, "violated", [this](dom::element) { ++data_.violations; });
  }
}

void RunGatherer::end_phase(const OpenPhase& open, std::int64_t t_us) {
  data_.parts[open.part].ledger_us[index_of(open.bucket)] += t_us - open.since_us;
  if (FaultStory* fault = fault_numbered(open.cause)) {
    fault->cost_us += t_us - open.since_us;
  }
}

RunData RunGatherer::finish(const ReadResult& read) {
  data_.read = read;
  for (const auto& [id, open] : phases_) {
    if (!data_.parts[open.part].ended) {
      end_phase(open, data_.end_us);
    }
  }
  for (PartStory& part : data_.parts) {
    if (!part.ended && part.wall_us == 0) {
      part.wall_us = std::reduce(part.ledger_us.begin(), part.ledger_us.end());
    }
  }
  return std::move(data_);
}

std::variant<RunData, std::string> read_run_data(const std::string& path, ReadFor wanted) {
  return gathered(path, wanted, [&path](const auto& take) { return read_recording(path, take); });
}

std::variant<RunData, std::string> read_run_data(std::unique_ptr<RawBytes> bytes,
                                                 const std::string& name, ReadFor wanted) {
  return gathered(name, wanted,
                  [&](const auto& take) { return read_recording(std::move(bytes), name, take); });
}

std::optional<double> useful_share_of(const PartStory& part) {
  return part.useful_us && part.useful_of_us > 0
             ? std::optional(static_cast<double>(*part.useful_us) /
                             static_cast<double>(part.useful_of_us))
             : std::nullopt;
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
