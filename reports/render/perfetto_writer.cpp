#include "reports/render/perfetto_writer.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace aftershock::reports {

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
namespace event_type {
constexpr std::uint64_t kBegin = 1;
constexpr std::uint64_t kEnd = 2;
constexpr std::uint64_t kInstant = 3;
constexpr std::uint64_t kCounter = 4;
}  // namespace event_type

std::uint64_t ns_of(std::int64_t t_us) {
  return static_cast<std::uint64_t>(std::clamp<std::int64_t>(t_us, 0, kLatest_us) * kNs);
}

}  // namespace

std::uint64_t PerfettoWriter::add_track(std::string_view name, std::uint64_t parent) {
  return put_track(name, parent, false);
}

std::uint64_t PerfettoWriter::add_counter(std::string_view name, std::uint64_t parent) {
  return put_track(name, parent, true);
}

std::uint64_t PerfettoWriter::put_track(std::string_view name, std::uint64_t parent, bool counter) {
  AFTERSHOCK_ASSERT(parent <= last_track_);
  Proto track;
  track.number(track_field::kUuid, ++last_track_);
  track.text(track_field::kName, name);
  if (parent != 0) {
    track.number(track_field::kParent, parent);
  }
  if (counter) {
    track.message(track_field::kCounter, Proto{});
  }
  packet_.clear();
  packet_.message(packet_field::kTrack, track);
  put_packet();
  return last_track_;
}

bool PerfettoWriter::begin(const TraceEvent& event) {
  start_event(event_type::kBegin, event.track);
  describe(event);
  return put_event(event.t_us);
}

bool PerfettoWriter::end(std::int64_t t_us, std::uint64_t track) {
  start_event(event_type::kEnd, track);
  return put_event(t_us);
}

bool PerfettoWriter::instant(const TraceEvent& event) {
  start_event(event_type::kInstant, event.track);
  describe(event);
  return put_event(event.t_us);
}

bool PerfettoWriter::count(std::int64_t t_us, std::uint64_t track, std::int64_t value) {
  start_event(event_type::kCounter, track);
  event_.number(event_field::kValue, static_cast<std::uint64_t>(value));
  return put_event(t_us);
}

bool PerfettoWriter::count(std::int64_t t_us, std::uint64_t track, double value) {
  start_event(event_type::kCounter, track);
  event_.real(event_field::kDouble, value);
  return put_event(t_us);
}

void PerfettoWriter::start_event(std::uint64_t type, std::uint64_t track) {
  AFTERSHOCK_ASSERT(track > 0 && track <= last_track_);
  event_.clear();
  event_.number(event_field::kType, type);
  event_.number(event_field::kTrack, track);
}

void PerfettoWriter::describe(const TraceEvent& event) {
  event_.text(event_field::kCategory, event.category);
  event_.text(event_field::kName, event.name);
  for (const auto& [name, text] : event.notes) {
    if (!text.empty()) {
      part_.clear();
      part_.text(annotation_field::kName, name);
      part_.text(annotation_field::kText, text);
      event_.message(event_field::kAnnotation, part_);
    }
  }
  for (const std::uint64_t flow : event.flows) {
    event_.fixed64(event_field::kFlow, flow);
  }
  if (event.flow_end) {
    event_.fixed64(event_field::kFlowEnd, *event.flow_end);
  }
}

bool PerfettoWriter::put_event(std::int64_t t_us) {
  packet_.clear();
  packet_.number(packet_field::kTimestamp, ns_of(t_us));
  packet_.message(packet_field::kTrackEvent, event_);
  put_packet();
  if (piece_.size() < kTracePiece) {
    return true;
  }
  const bool taken = sink_(piece_);
  piece_.clear();
  return taken;
}

void PerfettoWriter::put_packet() {
  constexpr std::uint64_t kStateCleared = 1;
  packet_.number(packet_field::kSequence, 1);
  if (!std::exchange(has_begun_, true)) {
    packet_.number(packet_field::kFlags, kStateCleared);
  }
  whole_.clear();
  whole_.message(trace_field::kPacket, packet_);
  piece_ += whole_.bytes();
}

}  // namespace aftershock::reports
