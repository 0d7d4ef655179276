#include "gui/export/perfetto.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gui/export/causes.h"
#include "gui/export/depths.h"
#include "gui/export/proto.h"
#include "gui/export/words.h"
#include "gui/trace/find.h"

namespace aftershock::gui {

namespace {

/// Perfetto's times are in nanoseconds.
constexpr std::int64_t kNs = 1000;
constexpr std::int64_t kLatest_us = std::int64_t{1} << 52U;

// Fields and values of Perfetto's messages.
namespace trace_field {
constexpr std::uint32_t kPacket = 1;
}
namespace packet_field {
constexpr std::uint32_t kTimestamp = 8;
constexpr std::uint32_t kSequence = 10;
constexpr std::uint32_t kTrackEvent = 11;
constexpr std::uint32_t kFlags = 13;
constexpr std::uint32_t kTrack = 60;
}  // namespace packet_field
namespace track_field {
constexpr std::uint32_t kUuid = 1;
constexpr std::uint32_t kName = 2;
constexpr std::uint32_t kParent = 5;
constexpr std::uint32_t kCounter = 8;
}  // namespace track_field
namespace event_field {
constexpr std::uint32_t kAnnotation = 4;
constexpr std::uint32_t kType = 9;
constexpr std::uint32_t kTrack = 11;
constexpr std::uint32_t kCategory = 22;
constexpr std::uint32_t kName = 23;
constexpr std::uint32_t kValue = 30;
constexpr std::uint32_t kDouble = 44;
constexpr std::uint32_t kFlow = 47;
constexpr std::uint32_t kFlowEnd = 48;
}  // namespace event_field
namespace annotation_field {
constexpr std::uint32_t kText = 6;
constexpr std::uint32_t kName = 10;
}  // namespace annotation_field

enum class EventType : std::uint8_t { kBegin = 1, kEnd = 2, kInstant = 3, kCounter = 4 };

std::uint64_t ns_of(std::int64_t t_us) {
  return static_cast<std::uint64_t>(std::clamp<std::int64_t>(t_us, 0, kLatest_us) * kNs);
}

class Writer {
 public:
  Writer(const Scene& scene, const DecisionTitles& titles, const Choice& choice,
         const ByteSink& sink)
      : scene_(scene),
        trace_(scene.trace()),
        titles_(titles),
        choice_(choice),
        sink_(sink),
        causes_(trace_, choice.lanes) {}

  bool write() {
    for (const std::uint32_t lane : choice_.lanes) {
      if (!write_lane(lane)) {
        return false;
      }
    }
    for (const std::uint32_t counter : choice_.counters) {
      if (!write_counter(counter)) {
        return false;
      }
    }
    return sink_(piece_);
  }

 private:
  bool write_lane(std::uint32_t lane) {
    const Lane& of = trace_.lanes[lane];
    const LaneSpans spans = of.columns.spans();
    Depths depths;
    std::vector<std::uint64_t> tracks;
    return for_chosen_spans(trace_, choice_, lane, [&](std::uint32_t span) {
      const std::int64_t begin_us = spans.begin_us[span];
      const bool is_open = spans.end_us[span] == kOpen;
      const std::int64_t end_us =
          is_open ? std::max(trace_.last_us, begin_us) : std::max(begin_us, spans.end_us[span]);
      // An instant is within whatever is there.
      const bool is_instant = !is_open && end_us == begin_us;
      const std::size_t depth = is_instant ? 0 : depths.place(begin_us, is_open ? kOpen : end_us);
      while (tracks.size() <= depth) {
        const std::string name(name_of(of.sub));
        tracks.push_back(
            add_track(tracks.empty() ? name : name + " " + std::to_string(tracks.size() + 1),
                      entity_track(of.entity)));
      }
      begin_event(is_instant ? EventType::kInstant : EventType::kBegin, tracks[depth]);
      describe(lane, span, is_open);
      put_event(begin_us);
      if (!is_instant) {
        begin_event(EventType::kEnd, tracks[depth]);
        put_event(end_us);
      }
      return flush(kPiece);
    });
  }

  bool write_counter(std::uint32_t index) {
    const Counter& counter = scene_.counter(index);
    const Curve* curve = scene_.curve(index);
    const std::string name = curve != nullptr
                                 ? curve->name + (curve->unit.empty() ? "" : " ") + curve->unit
                                 : exported_text(trace_.texts[counter.name]);
    Proto is_counter;
    const std::uint64_t track = add_track(name, entity_track(counter.entity), &is_counter);
    double one = 1;
    for (int i = 0; curve != nullptr && i < curve->decimals; ++i) {
      one *= 10;
    }
    auto at = static_cast<std::size_t>(
        std::ranges::upper_bound(counter.t_us, choice_.range.begin_us) - counter.t_us.begin());
    for (at -= at > 0 ? 1U : 0U; at < counter.t_us.size(); ++at) {
      if (counter.t_us[at] >= choice_.range.end_us) {
        break;
      }
      begin_event(EventType::kCounter, track);
      if (one > 1) {
        event_.real(event_field::kDouble, static_cast<double>(counter.value[at]) / one);
      } else {
        event_.number(event_field::kValue, static_cast<std::uint64_t>(counter.value[at]));
      }
      put_event(std::max(counter.t_us[at], choice_.range.begin_us));
      if (!flush(kPiece)) {
        return false;
      }
    }
    return true;
  }

  /// Above the tracks of one entity.
  std::uint64_t entity_track(std::uint32_t entity) {
    const auto [found, is_new] = entities_.try_emplace(entity, 0);
    if (is_new) {
      found->second = add_track(exported_text(trace_.entities[entity]), 0);
    }
    return found->second;
  }

  std::uint64_t add_track(std::string_view name, std::uint64_t parent,
                          const Proto* counter = nullptr) {
    Proto track;
    track.number(track_field::kUuid, ++last_track_);
    track.text(track_field::kName, name);
    if (parent != 0) {
      track.number(track_field::kParent, parent);
    }
    if (counter != nullptr) {
      track.message(track_field::kCounter, *counter);
    }
    packet_.clear();
    packet_.message(packet_field::kTrack, track);
    put_packet();
    return last_track_;
  }

  void begin_event(EventType type, std::uint64_t track) {
    event_.clear();
    event_.number(event_field::kType, static_cast<std::uint64_t>(type));
    event_.number(event_field::kTrack, track);
  }

  void annotate(std::string_view name, const std::string& text) {
    if (!text.empty()) {
      part_.clear();
      part_.text(annotation_field::kName, name);
      part_.text(annotation_field::kText, text);
      event_.message(event_field::kAnnotation, part_);
    }
  }

  void describe(std::uint32_t lane, std::uint32_t span, bool is_open) {
    const Lane& of = trace_.lanes[lane];
    event_.text(event_field::kCategory, name_of(of.columns.spans().kind[span]));
    const std::string number = exported_number(trace_, lane, span);
    const std::string what = exported_what(trace_, lane, span);
    event_.text(event_field::kName, of.sub == SubLane::kCheckpoints ? what + " " + number : what);
    annotate("fault", exported_text(trace_.texts[causes_.fault_id_of(lane, span)]));
    annotate("detail", exported_detail(trace_, titles_, lane, span));
    if (const std::uint32_t line = of.columns.lines()[span]; line != 0) {
      annotate("line", std::to_string(line));
    }
    if (is_open) {
      annotate("ended", "no: until the last record");
    }
    if (of.sub == SubLane::kFaults) {
      const auto [first, last] = effects_of(trace_, of.columns.numbers()[span]);
      for (std::size_t i = first; i < last; ++i) {
        if (is_chosen(trace_.effects[i])) {
          event_.fixed64(event_field::kFlow, i + 1);
        }
      }
    }
    if (const auto effect = causes_.effect_of(lane, span); effect && fault_is_chosen(*effect)) {
      event_.fixed64(event_field::kFlowEnd, *effect + std::uint64_t{1});
    }
  }

  [[nodiscard]] bool is_chosen(const Effect& effect) const {
    return std::ranges::binary_search(choice_.lanes, effect.lane) &&
           choice_.takes(trace_.lanes[effect.lane].columns.spans(), effect.span);
  }

  /// Whether the fault behind it is written, too.
  [[nodiscard]] bool fault_is_chosen(std::uint32_t effect) const {
    const Fault& fault = trace_.faults[trace_.effects[effect].fault];
    const std::uint32_t lane =
        fault.entity < trace_.lane_of.size()
            ? trace_.lane_of[fault.entity][static_cast<std::size_t>(SubLane::kFaults)]
            : kNone;
    return std::ranges::binary_search(choice_.lanes, lane) &&
           fault.t_us >= choice_.range.begin_us && fault.t_us < choice_.range.end_us;
  }

  void put_event(std::int64_t t_us) {
    packet_.clear();
    packet_.number(packet_field::kTimestamp, ns_of(t_us));
    packet_.message(packet_field::kTrackEvent, event_);
    put_packet();
  }

  void put_packet() {
    constexpr std::uint64_t kStateCleared = 1;
    packet_.number(packet_field::kSequence, 1);
    if (!std::exchange(has_begun_, true)) {
      packet_.number(packet_field::kFlags, kStateCleared);
    }
    whole_.clear();
    whole_.message(trace_field::kPacket, packet_);
    piece_ += whole_.bytes();
  }

  bool flush(std::size_t from_bytes) {
    if (piece_.size() < from_bytes) {
      return true;
    }
    const bool taken = sink_(piece_);
    piece_.clear();
    return taken;
  }

  const Scene& scene_;
  const Trace& trace_;
  const DecisionTitles& titles_;
  const Choice& choice_;
  const ByteSink& sink_;
  Causes causes_;
  std::map<std::uint32_t, std::uint64_t> entities_;
  std::uint64_t last_track_ = 0;
  bool has_begun_ = false;
  Proto event_;
  Proto part_;
  Proto packet_;
  Proto whole_;
  std::string piece_;
};

}  // namespace

bool write_perfetto(const Scene& scene, const DecisionTitles& titles, const Choice& choice,
                    const ByteSink& sink) {
  return Writer(scene, titles, choice, sink).write();
}

}  // namespace aftershock::gui
