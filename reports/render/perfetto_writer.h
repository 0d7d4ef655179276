#pragma once

#include <string>

#include "reports/render/proto.h"
#include "reports/render/trace_writer.h"

namespace aftershock::reports {

/// A trace that ui.perfetto.dev and trace_processor open (protobuf, see
/// perfetto/trace/trace_packet.proto).
class PerfettoWriter final : public TraceWriter {
 public:
  explicit PerfettoWriter(ByteSink sink) : sink_(std::move(sink)) {}

  std::uint64_t add_track(std::string_view name, std::uint64_t parent) override;
  std::uint64_t add_counter(std::string_view name, std::uint64_t parent) override;
  bool begin(const TraceEvent& event) override;
  bool end(std::int64_t t_us, std::uint64_t track) override;
  bool instant(const TraceEvent& event) override;
  bool count(std::int64_t t_us, std::uint64_t track, std::int64_t value) override;
  bool count(std::int64_t t_us, std::uint64_t track, double value) override;
  bool finish() override { return sink_(piece_); }

 private:
  std::uint64_t put_track(std::string_view name, std::uint64_t parent, bool counter);
  void start_event(std::uint64_t type, std::uint64_t track);
  void describe(const TraceEvent& event);
  bool put_event(std::int64_t t_us);
  void put_packet();

  ByteSink sink_;
  std::uint64_t last_track_ = 0;
  bool has_begun_ = false;
  Proto event_;
  Proto part_;
  Proto packet_;
  Proto whole_;
  std::string piece_;
};

}  // namespace aftershock::reports
