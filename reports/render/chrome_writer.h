#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/json/json_writer.h"
#include "reports/render/trace_writer.h"

namespace aftershock::reports {

/// A trace in Chrome's JSON, which chrome://tracing, Perfetto and Speedscope open: a track without
/// a parent is a process, one below it a thread of that.
class ChromeWriter final : public TraceWriter {
 public:
  explicit ChromeWriter(ByteSink sink) : sink_(std::move(sink)) {}

  std::uint64_t add_track(std::string_view name, std::uint64_t parent) override;
  std::uint64_t add_counter(std::string_view name, std::uint64_t parent) override;
  bool begin(const TraceEvent& event) override { return put(event, "B"); }
  bool end(std::int64_t t_us, std::uint64_t track) override;
  bool instant(const TraceEvent& event) override { return put(event, "i"); }
  bool count(std::int64_t t_us, std::uint64_t track, std::int64_t value) override;
  bool count(std::int64_t t_us, std::uint64_t track, double value) override;
  bool finish() override;

 private:
  struct Track {
    std::uint64_t process = 0;
    std::string name;
  };

  std::uint64_t keep(std::string_view name, std::uint64_t parent);
  void start(std::string_view phase, std::uint64_t track);
  bool put(const TraceEvent& event, std::string_view phase);
  template <class Number>
  bool put_count(std::int64_t t_us, std::uint64_t track, Number value);
  bool put_flow(const TraceEvent& event, std::uint64_t flow, std::string_view phase);
  bool put_line();

  ByteSink sink_;
  std::vector<Track> tracks_;
  std::map<std::uint64_t, bool> flows_;  ///< that have begun
  JsonWriter line_;
  std::string piece_;
  bool has_begun_ = false;
};

}  // namespace aftershock::reports
