#include "reports/render/recording_trace.h"

#include <map>
#include <memory>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "reports/json/json_as_text.h"
#include "reports/render/format.h"
#include "reports/render/recording_spans.h"

namespace aftershock::reports {

namespace {

/// Tracks of one part of a lane; a span takes the first that is free.
struct PartTracks {
  std::vector<std::uint64_t> tracks;
  std::set<std::size_t> free;
};

struct OpenTraceSpan {
  PartTracks* part = nullptr;
  std::size_t depth = 0;
};

class RecordingTracer {
 public:
  explicit RecordingTracer(TraceWriter& writer) : writer_(writer) {}

  bool take(const Record& record) {
    switch (record.kind) {
      case LineKind::kBegin:
        return begin(record);
      case LineKind::kEnd:
        return end(record);
      case LineKind::kInstant:
      case LineKind::kDecision:
      case LineKind::kFault:
        return writer_.instant(event_of(record, nullptr));
      case LineKind::kCounter:
        return count(record);
      default:
        return true;
    }
  }

  /// Ends what is open.
  bool finish(std::int64_t last_us) {
    for (const auto& [id, open] : open_) {
      if (!writer_.end(last_us, open.part->tracks[open.depth])) {
        return false;
      }
    }
    return writer_.finish();
  }

 private:
  std::uint64_t lane_track(const std::string& lane) {
    const auto [found, is_new] = lanes_.try_emplace(lane, 0);
    if (is_new) {
      found->second = writer_.add_track(lane, 0);
    }
    return found->second;
  }

  std::size_t free_depth(PartTracks& part, const SpanWords& words, bool span) {
    if (part.tracks.empty() || (span && part.free.empty())) {
      const std::size_t depth = part.tracks.size();
      const std::string name(words.part);
      part.tracks.push_back(writer_.add_track(
          depth == 0 ? name : name + " " + std::to_string(depth + 1), lane_track(words.lane)));
      part.free.insert(depth);
    }
    return span ? *part.free.begin() : 0;
  }

  /// `open`: where the track that it takes is noted; null: an instant.
  TraceEvent event_of(const Record& record, OpenTraceSpan* open) {
    SpanWords words = words_.of(record);
    PartTracks& part = parts_[{words.lane, words.part}];
    const std::size_t depth = free_depth(part, words, open != nullptr);
    if (open != nullptr) {
      part.free.erase(depth);
      *open = {&part, depth};
    }
    TraceEvent event;
    event.t_us = record.t_us;
    event.track = part.tracks[depth];
    event.category = words.kind;
    event.name = words.part == "checkpoints" ? words.what + " " + words.number : words.what;
    event.notes = {
        {"fault", words.fault}, {"detail", words.detail}, {"line", std::to_string(record.line)}};
    if (words.fault_number) {
      event.flows.push_back(static_cast<std::uint64_t>(*words.fault_number) + 1);
    }
    return event;
  }

  bool begin(const Record& record) {
    OpenTraceSpan open;
    const TraceEvent event = event_of(record, &open);
    if (record.id) {
      open_[*record.id] = open;
    }
    return writer_.begin(event);
  }

  bool end(const Record& record) {
    const auto found = record.id ? open_.find(*record.id) : open_.end();
    if (found == open_.end()) {
      return true;
    }
    const OpenTraceSpan open = found->second;
    open_.erase(found);
    open.part->free.insert(open.depth);
    return writer_.end(record.t_us, open.part->tracks[open.depth]);
  }

  bool count(const Record& record) {
    const auto json = json_or_discarded(record.text);
    if (!json.is_object() || !json.contains("name") || !json["name"].is_string() ||
        !json.contains("value") || !json["value"].is_number_integer()) {
      return true;
    }
    const std::string lane = printable(record.on, true);
    const auto [found, is_new] =
        counters_.try_emplace({lane, printable(json["name"].get<std::string>(), true)}, 0);
    if (is_new) {
      found->second = writer_.add_counter(found->first.second, lane_track(lane));
    }
    return writer_.count(record.t_us, found->second, json["value"].get<std::int64_t>());
  }

  TraceWriter& writer_;
  RecordWords words_;
  std::map<std::string, std::uint64_t> lanes_;
  std::map<std::pair<std::string, std::string_view>, PartTracks> parts_;
  std::map<std::pair<std::string, std::string>, std::uint64_t> counters_;
  std::map<std::uint64_t, OpenTraceSpan> open_;
};

}  // namespace

ReadResult write_trace(const std::string& path, TraceWriter& writer) {
  RecordingTracer tracer(writer);
  ReadResult result =
      read_recording(path, [&](const Record& record) { return tracer.take(record); });
  if (result.readable() && result.state != ReadState::kStopped && !tracer.finish(result.t_us)) {
    result.state = ReadState::kStopped;
  }
  return result;
}

}  // namespace aftershock::reports
