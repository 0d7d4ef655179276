#include "reports/recording/recorder.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/assert.h"

namespace aftershock::reports {

namespace {

constexpr std::array<std::string_view, 6> kKindNames{"begin",    "end",   "instant",
                                                     "decision", "fault", "counter"};

std::string_view name_of(RecordKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

}  // namespace

Recorder::Recorder(LineSink* sink, const EntityNames* names) : sink_(sink), names_(names) {
  AFTERSHOCK_ASSERT(sink == nullptr || names != nullptr);
}

void Recorder::write_begin(std::int64_t t_us, SpanId id, Entity on, Word what,
                           std::initializer_list<Value> values) {
  start_line(t_us, name_of(RecordKind::kBegin));
  const std::size_t members_from = line_.size() + 1;  // behind the comma
  write_on(on);
  line_.member("id", id);
  line_.key("what");
  line_.word(what.text());
  write_values(values);
  spare_.assign(line_.text().substr(members_from));
  open_.push_back({id, t_us, std::exchange(spare_, {})});
  finish_record(t_us);
}

void Recorder::write_end(std::int64_t t_us, SpanId span) {
  const auto open = std::ranges::lower_bound(open_, span, {}, &OpenSpan::id);
  AFTERSHOCK_ASSERT(open != open_.end() && open->id == span);
  spare_ = std::move(open->line_members);
  open_.erase(open);
  start_line(t_us, name_of(RecordKind::kEnd));
  line_.member("id", span);
  finish_record(t_us);
}

void Recorder::write_instant(std::int64_t t_us, Entity on, Word what,
                             std::initializer_list<Value> values) {
  start_line(t_us, name_of(RecordKind::kInstant));
  write_on(on);
  line_.key("what");
  line_.word(what.text());
  write_values(values);
  finish_record(t_us);
}

void Recorder::write_counter(std::int64_t t_us, Entity on, Word name, std::int64_t value) {
  start_line(t_us, name_of(RecordKind::kCounter));
  write_on(on);
  line_.key("name");
  line_.word(name.text());
  line_.member("value", value);
  finish_record(t_us);
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
    write_on(on);
    line_.members(body);
    finish_record(t_us);
  }
}

void Recorder::holds(std::int64_t t_us, Entity on, std::span<const std::uint32_t> nodes) {
  if (!writing()) {
    return;
  }
  std::string text;
  for (std::size_t first = 0; first < nodes.size();) {
    std::size_t last = first;
    while (last + 1 < nodes.size() && nodes[last + 1] == nodes[last] + 1) {
      ++last;
    }
    text += text.empty() ? "" : ",";
    text += last == first ? fmt::format("{}", nodes[first])
                          : fmt::format("{}-{}", nodes[first], nodes[last]);
    first = last + 1;
  }
  start_line(t_us, "holds");
  write_on(on);
  line_.member("nodes", text);
  finish_line();
}

void Recorder::ledger(std::int64_t t_us, Entity job, std::string_view body) {
  if (writing()) {
    start_line(t_us, "ledger");
    write_on(job);
    line_.members(body);
    finish_line();
  }
}

void Recorder::summary(std::int64_t t_us, std::string_view json_object) {
  AFTERSHOCK_ASSERT(json_object.starts_with('{'));
  if (writing()) {
    start_line(t_us, "summary");
    line_.key("summary");
    line_.raw(json_object);
    finish_line();
  }
}

void Recorder::end_of_run(std::int64_t t_us) {
  if (writing()) {
    start_line(t_us, "end_of_run");
    line_.member("hash", fmt::format("{:016x}", hash()));
    line_.member("records", records_);
    sink_->checked_line(line_);
  }
}

void Recorder::start_line(std::int64_t t_us, std::string_view kind) {
  line_.clear();
  line_.open_object();
  if (t_us != t_us_) {
    AFTERSHOCK_ASSERT(t_us > t_us_);
    t_us_ = t_us;
    t_text_.clear();
    t_text_.value(t_us);
  }
  line_.key("t");
  line_.raw(t_text_.text());
  line_.key("r");
  line_.word(kind);
}

void Recorder::write_on(Entity on) {
  if (on != on_) {
    on_ = on;
    name_.clear();
    names_->append_name(name_, on);
    on_text_.clear();
    on_text_.value(name_);
  }
  line_.key("on");
  line_.raw(on_text_.text());
}

void Recorder::write_values(std::initializer_list<Value> values) {
  for (const Value& value : values) {
    line_.key(value.key.text());
    if (value.text.empty()) {
      line_.value(value.number);
    } else {
      line_.value(value.text);
    }
  }
}

void Recorder::finish_line() {
  line_.close_object();
  sink_->line(line_.text());
}

void Recorder::finish_record(std::int64_t t_us) {
  finish_line();
  if (++records_since_snapshot_ == kRecordsPerSnapshot) {
    write_snapshot(t_us);
  }
}

void Recorder::write_snapshot(std::int64_t t_us) {
  records_since_snapshot_ = 0;
  sink_->boundary();
  start_line(t_us, "snapshot");
  line_.member("records", records_);
  line_.key("open");
  line_.open_array();
  for (const OpenSpan& span : open_) {
    line_.open_object();
    line_.member("begin", span.begin_us);
    line_.members(span.line_members);
    line_.close_object();
  }
  line_.close_array();
  sink_->checked_line(line_);
}

}  // namespace aftershock::reports
