#include "reports/render/chrome_writer.h"

#include <utility>

#include "base/assert.h"

namespace aftershock::reports {

std::uint64_t ChromeWriter::keep(std::string_view name, std::uint64_t parent) {
  AFTERSHOCK_ASSERT(parent <= tracks_.size());
  const std::uint64_t number = tracks_.size() + 1;
  tracks_.push_back({parent == 0 ? number : tracks_[parent - 1].process, std::string(name)});
  return number;
}

std::uint64_t ChromeWriter::add_track(std::string_view name, std::uint64_t parent) {
  const std::uint64_t track = keep(name, parent);
  start("M", track);
  line_.member("name", std::string_view(parent == 0 ? "process_name" : "thread_name"));
  line_.key("args");
  line_.open_object();
  line_.member("name", name);
  line_.close_object();
  put_line();
  return track;
}

// A counter has no track of its own, but a name within its process.
std::uint64_t ChromeWriter::add_counter(std::string_view name, std::uint64_t parent) {
  return keep(name, parent);
}

void ChromeWriter::start(std::string_view phase, std::uint64_t track) {
  AFTERSHOCK_ASSERT(track > 0 && track <= tracks_.size());
  line_.clear();
  line_.open_object();
  line_.member("ph", phase);
  line_.member("pid", tracks_[track - 1].process);
  line_.member("tid", track);
}

bool ChromeWriter::put(const TraceEvent& event, std::string_view phase) {
  start(phase, event.track);
  line_.member("ts", event.t_us);
  if (phase == "i") {
    line_.member("s", "t");
  }
  line_.member("cat", event.category);
  line_.member("name", event.name);
  line_.key("args");
  line_.open_object();
  for (const auto& [name, text] : event.notes) {
    if (!text.empty()) {
      line_.member(name, text);
    }
  }
  line_.close_object();
  bool taken = put_line();
  for (const std::uint64_t flow : event.flows) {
    const bool first = flows_.try_emplace(flow, true).second;
    taken = put_flow(event, flow, first ? "s" : "t") && taken;
  }
  return event.flow_end ? put_flow(event, *event.flow_end, "f") && taken : taken;
}

bool ChromeWriter::put_flow(const TraceEvent& event, std::uint64_t flow, std::string_view phase) {
  start(phase, event.track);
  line_.member("ts", event.t_us);
  line_.member("id", flow);
  line_.member("cat", "fault");
  line_.member("name", "led to");
  if (phase == "f") {
    line_.member("bp", "e");
  }
  return put_line();
}

bool ChromeWriter::end(std::int64_t t_us, std::uint64_t track) {
  start("E", track);
  line_.member("ts", t_us);
  return put_line();
}

bool ChromeWriter::count(std::int64_t t_us, std::uint64_t track, std::int64_t value) {
  return put_count(t_us, track, value);
}

bool ChromeWriter::count(std::int64_t t_us, std::uint64_t track, double value) {
  return put_count(t_us, track, value);
}

template <class Number>
bool ChromeWriter::put_count(std::int64_t t_us, std::uint64_t track, Number value) {
  start("C", track);
  line_.member("ts", t_us);
  line_.member("name", tracks_[track - 1].name);
  line_.key("args");
  line_.open_object();
  line_.member("value", value);
  line_.close_object();
  return put_line();
}

bool ChromeWriter::put_line() {
  line_.close_object();
  piece_ += std::exchange(has_begun_, true) ? ",\n" : "{\"traceEvents\":[\n";
  piece_ += line_.text();
  if (piece_.size() < kTracePiece) {
    return true;
  }
  const bool taken = sink_(piece_);
  piece_.clear();
  return taken;
}

bool ChromeWriter::finish() {
  piece_ += has_begun_ ? "\n" : "{\"traceEvents\":[\n";
  piece_ += "],\"displayTimeUnit\":\"ms\"}\n";
  return sink_(piece_);
}

}  // namespace aftershock::reports
