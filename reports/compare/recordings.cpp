#include "reports/compare/recordings.h"

#include <algorithm>
#include <map>

#include "reports/json/json_value.h"
#include "reports/ledger/bucket.h"
#include "reports/recording/header.h"
#include "reports/recording/reader.h"

namespace aftershock::reports {

namespace {

bool same_fault(const RecordedFault& a, const RecordedFault& b) {
  return a.t_us == b.t_us && a.kind == b.kind &&
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
  for (const char* what : {"ettr", "wall_us", "steps_done", "attempts"}) {
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

/// The summary without its line's other members.
JsonValue summary_of(const RecordedRun& run) { return parsed(run.summary); }

}  // namespace

std::variant<RecordedRun, std::string> read_run(const std::string& path) {
  RecordedRun run;
  run.path = path;
  std::uint32_t decisions = 0;
  const ReadResult result = read_recording(path, [&](const Record& record) {
    if (record.kind == LineKind::kHeader) {
      if (const auto header = parse_header(record.text)) {
        run.scenario = text_in(parsed(header->scenario_json), "name");
        run.policy = header->policy;
        run.seed = header->seed;
      }
    } else if (record.kind == LineKind::kFault) {
      const JsonValue told = parsed(record.text);
      run.faults.push_back({record.t_us, text_in(told, "id"), text_in(told, "kind"),
                            text_in(told, "target"), text_in(told, "on")});
    } else if (record.kind == LineKind::kDecision) {
      add_decision(run.decisions, decisions++, record.text);
    } else if (record.kind == LineKind::kSummary) {
      run.summary = part(parsed(record.text), "summary")
                        .dump(-1, ' ', false, JsonValue::error_handler_t::replace);
    }
    return true;
  });
  if (!result.readable()) {
    return result.message;
  }
  run.decisions.unfinished = result.message;
  run.hash = result.hash;
  run.last_us = result.t_us;
  return run;
}

FaultsMet compare_faults(const RecordedRun& a, const RecordedRun& b) {
  using Nth = std::pair<std::string_view, int>;
  const std::int64_t until_us = std::min(a.last_us, b.last_us);
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
    } else if (same_fault(*fault, *other->second)) {
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

std::vector<LedgerLine> compare_ledgers(const RecordedRun& a, const RecordedRun& b) {
  const JsonValue in_a = summary_of(a);
  const JsonValue in_b = summary_of(b);
  std::vector<LedgerLine> lines;
  add_all(lines, "job:", list_in(in_a, "jobs"), list_in(in_b, "jobs"));
  add_all(lines, "experiment:", list_in(in_a, "experiments"), list_in(in_b, "experiments"));
  return lines;
}

}  // namespace aftershock::reports
