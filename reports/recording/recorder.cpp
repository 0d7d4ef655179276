#include "reports/recording/recorder.h"

#include <array>
#include <utility>

#include "reports/recording/json_text.h"

namespace aftershock::reports {

namespace {

constexpr std::array<std::string_view, 6> kKindNames{"begin",    "end",   "instant",
                                                     "decision", "fault", "counter"};

std::string_view name_of(RecordKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

RecordHash hash_of(std::int64_t t_us, RecordKind kind, Entity on) {
  RecordHash hash;
  hash.add(static_cast<std::uint64_t>(t_us));
  hash.add(static_cast<std::uint64_t>(kind) | static_cast<std::uint64_t>(on.kind) << 8U |
           static_cast<std::uint64_t>(on.sub) << 32U);
  hash.add(on.index);
  return hash;
}

RecordHash hash_of(std::int64_t t_us, RecordKind kind, Entity on, Word what,
                   std::initializer_list<Recorder::Value> values) {
  RecordHash hash = hash_of(t_us, kind, on);
  hash.add(what.hash() + values.size());
  for (const Recorder::Value& value : values) {
    hash.add(value.key.hash());
    if (value.text.empty()) {
      hash.add(static_cast<std::uint64_t>(value.number));
    } else {
      RollingHash text;
      text.add(value.text);
      hash.add(text.value());
    }
  }
  return hash;
}

}  // namespace

Recorder::Recorder(LineSink* sink, const EntityNames* names) : sink_(sink), names_(names) {}

SpanId Recorder::begin(std::int64_t t_us, Entity on, Word what,
                       std::initializer_list<Value> values) {
  count(hash_of(t_us, RecordKind::kBegin, on, what, values));
  const SpanId id = next_span_++;
  if (writing()) {
    start_line(t_us, name_of(RecordKind::kBegin));
    line_ += ',';
    const std::size_t members_from = line_.size();
    append_on(on);
    line_ += ",\"id\":";
    append_unsigned(line_, id);
    append_word("what", what);
    append_values(values);
    open_.emplace_hint(open_.end(), id, OpenSpan{t_us, line_.substr(members_from)});
    finish_record(t_us);
  }
  return id;
}

void Recorder::end(std::int64_t t_us, SpanId span) {
  RecordHash hash = hash_of(t_us, RecordKind::kEnd, {});
  hash.add(span);
  count(hash);
  if (writing()) {
    open_.erase(span);
    start_line(t_us, name_of(RecordKind::kEnd));
    line_ += ",\"id\":";
    append_unsigned(line_, span);
    finish_record(t_us);
  }
}

void Recorder::instant(std::int64_t t_us, Entity on, Word what,
                       std::initializer_list<Value> values) {
  count(hash_of(t_us, RecordKind::kInstant, on, what, values));
  if (writing()) {
    start_line(t_us, name_of(RecordKind::kInstant));
    line_ += ',';
    append_on(on);
    append_word("what", what);
    append_values(values);
    finish_record(t_us);
  }
}

void Recorder::counter(std::int64_t t_us, Entity on, Word name, std::int64_t value) {
  RecordHash hash = hash_of(t_us, RecordKind::kCounter, on);
  hash.add(name.hash());
  hash.add(static_cast<std::uint64_t>(value));
  count(hash);
  if (writing()) {
    start_line(t_us, name_of(RecordKind::kCounter));
    line_ += ',';
    append_on(on);
    append_word("name", name);
    line_ += ",\"value\":";
    append_integer(line_, value);
    finish_record(t_us);
  }
}

void Recorder::custom(std::int64_t t_us, RecordKind kind, Entity on,
                      std::span<const std::uint64_t> words, std::string_view body) {
  RecordHash hash = hash_of(t_us, kind, on);
  hash.add(words.size());
  for (const std::uint64_t word : words) {
    hash.add(word);
  }
  count(hash);
  if (writing()) {
    start_line(t_us, name_of(kind));
    line_ += ',';
    append_on(on);
    if (!body.empty()) {
      line_ += ',';
      line_ += body;
    }
    finish_record(t_us);
  }
}

void Recorder::ledger(std::int64_t t_us, Entity job, std::string_view body) {
  if (writing()) {
    start_line(t_us, "ledger");
    line_ += ',';
    append_on(job);
    if (!body.empty()) {
      line_ += ',';
      line_ += body;
    }
    line_ += '}';
    sink_->line(line_);
  }
}

void Recorder::summary(std::int64_t t_us, std::string_view json_object) {
  if (writing()) {
    start_line(t_us, "summary");
    line_ += ",\"summary\":";
    line_ += json_object;
    line_ += '}';
    sink_->line(line_);
  }
}

void Recorder::end_of_run(std::int64_t t_us) {
  if (writing()) {
    start_line(t_us, "end_of_run");
    line_ += ",\"hash\":\"";
    line_ += hex16(hash());
    line_ += "\",\"records\":";
    append_integer(line_, records_);
    line_ += '}';
    sink_->line(line_);
  }
}

void Recorder::count(const RecordHash& hash) {
  ++records_;
  hash_.add(hash.value());
}

void Recorder::start_line(std::int64_t t_us, std::string_view kind) {
  line_ = "{\"t\":";
  append_integer(line_, t_us);
  line_ += ",\"r\":\"";
  line_ += kind;
  line_ += '"';
}

void Recorder::append_on(Entity on) {
  line_ += "\"on\":";
  name_.clear();
  if (names_ != nullptr) {
    names_->append_name(name_, on);
  }
  append_json_string(line_, name_);
}

void Recorder::append_word(std::string_view key, Word word) {
  line_ += ",\"";
  line_ += key;
  line_ += "\":\"";
  line_ += word.text();
  line_ += '"';
}

void Recorder::append_values(std::initializer_list<Value> values) {
  for (const Value& value : values) {
    line_ += ",\"";
    line_ += value.key.text();
    line_ += "\":";
    if (value.text.empty()) {
      append_integer(line_, value.number);
    } else {
      append_json_string(line_, value.text);
    }
  }
}

void Recorder::finish_record(std::int64_t t_us) {
  line_ += '}';
  sink_->line(line_);
  if (++records_since_snapshot_ == kRecordsPerSnapshot) {
    write_snapshot(t_us);
  }
}

void Recorder::write_snapshot(std::int64_t t_us) {
  records_since_snapshot_ = 0;
  sink_->boundary();
  start_line(t_us, "snapshot");
  line_ += ",\"records\":";
  append_integer(line_, records_);
  line_ += ",\"open\":[";
  bool first = true;
  for (const auto& [id, span] : open_) {
    line_ += std::exchange(first, false) ? "{\"begin\":" : ",{\"begin\":";
    append_integer(line_, span.begin_us);
    line_ += ',';
    line_ += span.line_members;
    line_ += '}';
  }
  line_ += "]}";
  sink_->line(line_);
}

}  // namespace aftershock::reports
