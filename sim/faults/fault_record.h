#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/scenario/scenario.h"

namespace aftershock::sim::faults {

/// One occurrence of a fault; its index in the world is its number everywhere else.
struct FaultRecord {
  std::uint32_t spec = 0;
  std::uint32_t effect = 0;
  std::uint64_t nth = 0;
  std::optional<std::uint32_t> listed;  ///< index into its source's occurrences, where it has some
  std::uint64_t branch = 0;  ///< of the world that it struck, and of all that is drawn about it
  std::int64_t t_us = 0;
  std::optional<std::uint32_t> pool;
  std::uint32_t node = 0;
  std::uint32_t nodes = 1;  ///< that are struck together, from `node` on: more than one of a rack
  std::optional<std::uint32_t> domain;  ///< rack or power domain that these are
  bool loses_power = false;             ///< a power domain, and not a rack
  bool at_switch = false;               ///< the rack's switch, and not the rack
  std::optional<std::uint32_t> unit;    ///< of its source, where that is known when it comes
  std::optional<std::uint32_t> accelerator;
  std::optional<std::uint32_t> job;
  std::optional<std::uint32_t> head;
  std::optional<std::uint32_t> storage;
  std::uint32_t rank = 0;
  std::optional<std::uint32_t> experiment;
  std::uint32_t trial = 0;
  std::optional<std::uint32_t> trial_of_step;  ///< the trial whose step it waited for
  std::optional<scenario::Phase> phase;        ///< of the first job, when it struck
  bool escalated = false;                      ///< a storm of corrected errors: one of them was not
  bool fired = false;
  bool holds = false;  ///< masked, and it keeps a node down that was down already
  bool detected = false;
  bool caused_restart = false;
};

/// The number of the `more`th that followed from the nth occurrence, counted from 1.
constexpr std::uint64_t follower(std::uint64_t nth, std::uint32_t more) {
  return (nth & 0xffffffffU) | (std::uint64_t{more} << 32U);
}

/// "rack:gpu/2", "power_domain:gpu/2" or "switch:gpu/2", of one that strikes such a domain.
std::string domain_place(const scenario::PoolSpec& pool, const FaultRecord& fault);

/// The scenario's id of the fault; occurrences of a repeating source are numbered: id#7, and what
/// follows from one again: id#7.2.
std::string fault_id(const scenario::Scenario& scenario, const FaultRecord& fault);

/// Whether it cuts one node off where its kind would cut off all of its target: an occurrence of a
/// process per node, or a listed one that names a node.
bool cuts_one_node(const scenario::Scenario& scenario, const FaultRecord& fault);

/// The place that it hit, as a target of the scenario language: node:gpu-3, job:llm/rank:17.
std::string fault_place(const scenario::Scenario& scenario, const FaultRecord& fault);

/// The fault in words: kind, label or code, place.
std::string fault_words(const scenario::Scenario& scenario, const FaultRecord& fault);

}  // namespace aftershock::sim::faults
