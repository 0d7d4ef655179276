#include "reports/compare/recordings.h"

#include <algorithm>
#include <map>

#include "reports/json/json_as_text.h"
#include "reports/json/json_value.h"
#include "reports/ledger/bucket.h"
#include "reports/recording/header.h"
#include "reports/recording/reader.h"

namespace aftershock::reports {

namespace {

bool same_fault(const RecordedFault& a, const RecordedFault& b, bool real) {
  return (real || a.t_us == b.t_us) && a.kind == b.kind &&
         (a.target == b.target || (!a.on.empty() && a.on == b.on));
}

std::optional<double> number_in(const JsonValue& object, const std::string& key) {
  const JsonValue& value = part(object, key.c_str());
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

void add_line(std::vector<LedgerLine>& lines, const std::string& of, const std::string& what,
              std::optional<double> a, std::optional<double> b) {
  if (a.value_or(0) != 0 || b.value_or(0) != 0) {
    lines.push_back({of, what, a, b});
  }
}

void add_part(std::vector<LedgerLine>& lines, const std::string& of, const JsonValue& a,
              const JsonValue& b) {
  for (const char* what :
       {"useful_share", "useful_us", "ettr", "wall_us", "steps_done", "attempts"}) {
    add_line(lines, of, what, number_in(a, what), number_in(b, what));
  }
  const JsonValue& lost_a = part(a, "lost");
  const JsonValue& lost_b = part(b, "lost");
  add_line(lines, of, "lost_us", number_in(lost_a, "us"), number_in(lost_b, "us"));
  const JsonValue& ledger_a = part(a, "ledger_us");
  const JsonValue& ledger_b = part(b, "ledger_us");
  for (const std::string_view bucket : kBucketNames) {
    const std::string name(bucket);
    add_line(lines, of, name + "_us", number_in(ledger_a, name), number_in(ledger_b, name));
  }
}

void add_all(std::vector<LedgerLine>& lines, const char* prefix, const JsonValue& a,
             const JsonValue& b) {
  for (const JsonValue& in_a : a) {
    for (const JsonValue& in_b : b) {
      if (text_in(in_a, "name") == text_in(in_b, "name")) {
        add_part(lines, prefix + text_in(in_a, "name"), in_a, in_b);
        break;
      }
    }
  }
}

/// Adds the leaves below a value; an empty object or array is a leaf.
void add_leaves(std::map<std::string, std::string>& out, const std::string& pointer,
                const JsonValue& value) {
  const auto below = [&](std::string name, const JsonValue& each) {
    for (std::size_t at = 0; (at = name.find_first_of("~/", at)) != name.npos; at += 2) {
      name.replace(at, 1, name[at] == '~' ? "~0" : "~1");
    }
    add_leaves(out, pointer + "/" + name, each);
  };
  if (value.is_object() && !value.empty()) {
    for (const auto& [name, each] : value.items()) {
      below(name, each);
    }
  } else if (value.is_array() && !value.empty()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      below(std::to_string(i), value[i]);
    }
  } else if (!value.is_null()) {
    out[pointer] = text_from_json(value);
  }
}

/// The summary without its line's other members.
JsonValue summary_of(const RecordedRun& run) { return parsed(run.summary); }

}  // namespace

void RecordedRunBuilder::add(const Record& record) {
  if (record.kind == LineKind::kHeader) {
    if (auto header = parse_header(record.text)) {
      run_.scenario = text_in(parsed(header->scenario_json), "name");
      run_.policy = header->policy;
      run_.seed = header->seed;
      run_.backend = header->live ? header->live->backend : "";
      run_.speed = header->live ? header->live->speed : 1;
      run_.text = std::move(header->scenario_json);
    }
  } else if (record.kind == LineKind::kFault) {
    const JsonValue told = parsed(record.text);
    run_.faults.push_back({record.t_us, text_in(told, "id"), text_in(told, "kind"),
                           text_in(told, "target"), text_in(told, "on")});
  } else if (record.kind == LineKind::kDecision) {
    add_decision(run_.decisions, decisions_++, record.text);
  } else if (record.kind == LineKind::kSummary) {
    run_.summary = text_from_json(part(parsed(record.text), "summary"));
  } else if (record.kind == LineKind::kBegin) {
    add_span(record);
  }
}

void RecordedRunBuilder::add_span(const Record& span) {
  if (!span.on.starts_with("job:")) {
    return;
  }
  if (span.what == "attempt") {
    end_attempt();
    in_attempt_ = true;
  } else if (in_attempt_) {
    had_nodes_ = had_nodes_.value_or(false) || span.what != "waiting_for_capacity";
  }
}

void RecordedRunBuilder::end_attempt() {
  run_.unplaced += had_nodes_.value_or(true) ? 0 : 1;
  had_nodes_.reset();
}

RecordedRun RecordedRunBuilder::finish(const ReadResult& result, const std::string& path) {
  end_attempt();
  run_.path = path;
  run_.decisions.unfinished = result.message;
  run_.hash = result.hash;
  run_.last_us = result.t_us;
  return std::move(run_);
}

std::variant<RecordedRun, std::string> read_run(const std::string& path) {
  RecordedRunBuilder builder;
  const ReadResult result = read_recording(path, [&builder](const Record& record) {
    builder.add(record);
    return true;
  });
  if (!result.readable()) {
    return result.message;
  }
  return builder.finish(result, path);
}

FaultsMet compare_faults(const RecordedRun& a, const RecordedRun& b) {
  using Nth = std::pair<std::string_view, int>;
  // Real processes come to a step or a phase at other times each time that they run.
  const bool real = !a.backend.empty() || !b.backend.empty();
  const std::int64_t until_us =
      real ? std::max(a.last_us, b.last_us) : std::min(a.last_us, b.last_us);
  const auto by_id = [](const RecordedRun& run) {
    std::map<std::string_view, int> met;
    std::map<Nth, const RecordedFault*> faults;
    for (const RecordedFault& fault : run.faults) {
      faults[{fault.id, met[fault.id]++}] = &fault;
    }
    return faults;
  };
  const auto in_a = by_id(a);
  const auto in_b = by_id(b);
  FaultsMet met;
  const RecordedFault* first = nullptr;
  const auto differs = [&](std::int64_t& count, const RecordedFault* fault) {
    ++count;
    first = first == nullptr || fault->t_us < first->t_us ? fault : first;
  };
  for (const auto& [nth, fault] : in_a) {
    const auto other = in_b.find(nth);
    const bool late = fault->t_us > until_us;
    if (other == in_b.end()) {
      late ? void() : differs(met.only_a, fault);
    } else if (same_fault(*fault, *other->second, real)) {
      ++met.same;
    } else if (!late || other->second->t_us <= until_us) {
      differs(met.changed, fault->t_us <= other->second->t_us ? fault : other->second);
    }
  }
  for (const auto& [nth, fault] : in_b) {
    if (!in_a.contains(nth) && fault->t_us <= until_us) {
      differs(met.only_b, fault);
    }
  }
  met.first = first == nullptr ? "" : first->id;
  return met;
}

bool is_same_run(const RecordedRun& a, const RecordedRun& b) {
  return !a.hash.empty() && a.hash == b.hash;
}

std::optional<Divergence> first_divergence(const RecordedRun& a, const RecordedRun& b) {
  std::optional<Divergence> found;
  if (compare_faults(a, b).is_same()) {
    found = first_by_fault(a.decisions.steps, b.decisions.steps);
  }
  return found ? found : first_difference(a.decisions.steps, b.decisions.steps);
}

std::vector<OtherSetting> other_settings(const RecordedRun& a, const RecordedRun& b) {
  const auto leaves = [](const RecordedRun& run) {
    JsonValue scenario = parsed(run.text);
    if (scenario.is_object()) {
      for (const char* word : {"$schema", "schema", "name", "question", "notes"}) {
        scenario.erase(word);
      }
    }
    std::map<std::string, std::string> out;
    add_leaves(out, "", scenario);
    return out;
  };
  const auto in_a = leaves(a);
  const auto in_b = leaves(b);
  std::map<std::string, OtherSetting> all;
  for (const auto& [pointer, value] : in_a) {
    all[pointer] = {pointer, value, std::nullopt};
  }
  for (const auto& [pointer, value] : in_b) {
    OtherSetting& setting = all[pointer];
    setting.pointer = pointer;
    setting.b = value;
  }
  std::vector<OtherSetting> out;
  for (auto& [pointer, setting] : all) {
    if (setting.a != setting.b) {
      out.push_back(std::move(setting));
    }
  }
  return out;
}

std::vector<LedgerLine> compare_ledgers(const RecordedRun& a, const RecordedRun& b) {
  const JsonValue in_a = summary_of(a);
  const JsonValue in_b = summary_of(b);
  std::vector<LedgerLine> lines;
  add_all(lines, "job:", list_in(in_a, "jobs"), list_in(in_b, "jobs"));
  add_all(lines, "experiment:", list_in(in_a, "experiments"), list_in(in_b, "experiments"));
  return lines;
}

}  // namespace aftershock::reports
