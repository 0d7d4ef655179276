#pragma once

#include <cstdint>

#include "sim/world/world.h"

namespace aftershock::sim {

/// The faults that random processes and plans send into a world: when the next one comes, and which
/// unit it strikes. A view of the world for the length of a call.
class Arrivals {
 public:
  explicit Arrivals(World& world) : world_(world) {}

  /// Plans the first occurrence of a fault with a source.
  void begin(std::uint32_t spec);
  /// An occurrence that was planned, and one that another brought with it.
  void arrive(const Entry& entry);
  void follow(const Entry& entry);
  /// Draws anew what is to come, in the world's branch. Plans and sources with a memory stay.
  void branch();
  /// The job begins or ceases to train: sources whose time is that go on or stand still.
  void turn(const Job& job, bool trains);
  /// Nodes may have come up, gone down, been taken or given back.
  void expose();
  /// Sets whom the occurrence strikes, of a target that is the fault's or within it, where its
  /// source says that, or where it strikes more than one node. False, and nothing is set, where the
  /// target alone says it.
  bool resolve(const FaultSpec& spec, const Target& target, FaultRecord& fault);

 private:
  void plan(std::uint32_t spec, std::uint64_t nth);
  void plan(SourceClock& clock, std::uint64_t nth);
  void push(const SourceClock& clock);
  void turn(SourceClock& clock, std::int64_t units);
  void plan_followers(std::uint32_t spec, std::uint64_t nth);
  [[nodiscard]] SourceClock* clock_of(std::uint32_t spec);
  [[nodiscard]] std::int64_t gap_us(std::uint32_t spec, std::uint64_t nth) const;
  [[nodiscard]] std::int64_t units_at_risk(std::uint32_t spec) const;
  [[nodiscard]] std::uint32_t nth_exposed(const FaultSpec& spec, std::uint32_t nth) const;
  [[nodiscard]] std::uint32_t draw_unit_of(const FaultSpec& spec, const FaultRecord& fault) const;
  [[nodiscard]] bool works_on_target(const Job& job, std::uint32_t spec_index);
  void set_node(const FaultSpec& spec, FaultRecord& fault, std::uint32_t unit);
  void set_domain(const FaultSpec& spec, FaultRecord& fault, std::uint32_t domain, TargetKind kind);
  void resolve_in_training(const FaultSpec& spec, FaultRecord& fault);

  World& world_;
};

}  // namespace aftershock::sim
