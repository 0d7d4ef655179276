#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "reports/json/json_writer.h"
#include "reports/recording/hash.h"
#include "reports/recording/sink.h"
#include "reports/recording/word.h"

namespace aftershock::reports {

/// The kind of thing that a record is about. Names are made only when something is written.
enum class EntityKind : std::uint8_t {
  kRun,
  kHead,
  kPool,
  kRack,
  kNode,
  kAccelerator,
  kJob,
  kStorage,
  kExperiment,
  kTrial
};

/// One thing of the world, by its number among those of its kind.
struct Entity {
  EntityKind kind = EntityKind::kRun;
  std::uint32_t index = 0;
  std::uint32_t sub = 0;  ///< accelerator within its node, trial within its experiment

  friend bool operator==(const Entity&, const Entity&) = default;
};

/// Turns entities into the names that a scenario uses, e.g. "node:gpu-3".
class EntityNames {
 public:
  virtual ~EntityNames() = default;
  /// Appends KIND:NAME, as targets in a scenario are written, unescaped.
  virtual void append_name(std::string& out, Entity entity) const = 0;
};

/// The kind of a record; the words are in recorder.cpp.
enum class RecordKind : std::uint8_t { kBegin, kEnd, kInstant, kDecision, kFault, kCounter };

/// A reader may start at a snapshot; one is written after so many records.
inline constexpr std::int64_t kRecordsPerSnapshot = 4096;

/// The number of a span in its run, from 1.
using SpanId = std::uint64_t;

/// Takes a run's records in (time, sequence) order, folds each into the rolling hash, and writes
/// it as a line of JSON where there is a sink (design.md 6). Without one nothing is formatted.
/// Values of a span or instant go into hash and line alike, so the hash says as much as the file.
class Recorder {
 public:
  /// Without a `sink`, which takes no `names`, there is the hash alone. Both outlive the recorder's
  /// use.
  Recorder(LineSink* sink, const EntityNames* names);

  /// One member of a span or instant.
  struct Value {
    Word key;
    std::int64_t number = 0;
    std::string_view text = {};  ///< written instead of the number where not empty
  };

  /// Opens a span. `cause` and the values are written in the order given.
  SpanId begin(std::int64_t t_us, Entity on, Word what, std::initializer_list<Value> values = {}) {
    count(hash_of(t_us, RecordKind::kBegin, on, what, values));
    const SpanId id = next_span_++;
    if (writing()) {
      write_begin(t_us, id, on, what, values);
    }
    return id;
  }
  void end(std::int64_t t_us, SpanId span) {
    AFTERSHOCK_ASSERT(span > 0 && span < next_span_);
    RecordHash hash = hash_of(t_us, RecordKind::kEnd, {});
    hash.add(span);
    count(hash);
    if (writing()) {
      write_end(t_us, span);
    }
  }
  /// Something that takes no time.
  void instant(std::int64_t t_us, Entity on, Word what, std::initializer_list<Value> values = {}) {
    count(hash_of(t_us, RecordKind::kInstant, on, what, values));
    if (writing()) {
      write_instant(t_us, on, what, values);
    }
  }
  /// A number that stays until the next one of that name.
  void counter(std::int64_t t_us, Entity on, Word name, std::int64_t value) {
    RecordHash hash = hash_of(t_us, RecordKind::kCounter, on);
    hash.add(name.hash());
    hash.add(static_cast<std::uint64_t>(value));
    count(hash);
    if (writing()) {
      write_counter(t_us, on, name, value);
    }
  }

  /// A record whose body the caller writes: `words` go into the hash, `body` (the members of a
  /// JSON object without braces, or empty) into the line. Call `writing()` first and leave `body`
  /// empty when it is false.
  void custom(std::int64_t t_us, RecordKind kind, Entity on, std::span<const std::uint64_t> words,
              std::string_view body);

  /// The nodes of its pool that a job or trial holds from now on, by their numbers, in the order of
  /// its slots. It follows from scenario and seed, and is for readers: neither counted nor hashed.
  void holds(std::int64_t t_us, Entity on, std::span<const std::uint32_t> nodes);

  /// The records that close a file: what they say follows from the run's records, so they are
  /// neither counted nor hashed. First one ledger a job (`body` as in `custom`), then the summary
  /// (a JSON object), last the end, without which a file is partial.
  void ledger(std::int64_t t_us, Entity job, std::string_view body);
  void summary(std::int64_t t_us, std::string_view json_object);
  void end_of_run(std::int64_t t_us);

  /// Whether there is a sink.
  [[nodiscard]] bool writing() const { return sink_ != nullptr; }
  /// The rolling hash over the records so far, and how many they are.
  [[nodiscard]] std::uint64_t hash() const { return hash_.value(); }
  [[nodiscard]] std::int64_t records() const { return records_; }

 private:
  struct OpenSpan {
    SpanId id = 0;
    std::int64_t begin_us = 0;
    std::string line_members;  ///< the members that a snapshot repeats
  };

  // The hash is made where the record is, so that the compiler sees what of it is constant: it is
  // all that most runs make of a record.
  static RecordHash hash_of(std::int64_t t_us, RecordKind kind, Entity on) {
    RecordHash hash;
    hash.add(static_cast<std::uint64_t>(t_us));
    hash.add(static_cast<std::uint64_t>(kind) | static_cast<std::uint64_t>(on.kind) << 8U |
             static_cast<std::uint64_t>(on.sub) << 32U);
    hash.add(on.index);
    return hash;
  }
  static RecordHash hash_of(std::int64_t t_us, RecordKind kind, Entity on, Word what,
                            std::initializer_list<Value> values) {
    RecordHash hash = hash_of(t_us, kind, on);
    hash.add(what.hash() + values.size());
    for (const Value& value : values) {
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
  /// Takes the record that `hash` is of into the rolling hash.
  void count(const RecordHash& hash) {
    ++records_;
    hash_.add(hash.value());
  }

  void write_begin(std::int64_t t_us, SpanId id, Entity on, Word what,
                   std::initializer_list<Value> values);
  void write_end(std::int64_t t_us, SpanId span);
  void write_instant(std::int64_t t_us, Entity on, Word what, std::initializer_list<Value> values);
  void write_counter(std::int64_t t_us, Entity on, Word name, std::int64_t value);
  /// Starts `line_` with the members that all records share.
  void start_line(std::int64_t t_us, std::string_view kind);
  void write_on(Entity on);
  void write_values(std::initializer_list<Value> values);
  /// Closes `line_` and writes it.
  void finish_line();
  /// The same for a record of the run, and a snapshot where one is due.
  void finish_record(std::int64_t t_us);
  void write_snapshot(std::int64_t t_us);

  LineSink* sink_;
  const EntityNames* names_;
  RollingHash hash_;
  std::int64_t records_ = 0;
  std::int64_t records_since_snapshot_ = 0;
  SpanId next_span_ = 1;
  std::vector<OpenSpan> open_;  ///< by id; empty without a sink
  std::string spare_;           ///< storage of a span that has ended, for the next
  JsonWriter line_;
  std::string name_;
  // Most lines are of the microsecond and about the entity of the line before.
  JsonWriter t_text_;
  std::int64_t t_us_ = -1;  ///< of which `t_text_` is
  JsonWriter on_text_;
  std::optional<Entity> on_;  ///< of which `on_text_` is
};

}  // namespace aftershock::reports
