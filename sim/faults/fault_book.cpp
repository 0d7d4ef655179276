#include "sim/faults/fault_book.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/assert.h"
#include "policies/api/json.h"
#include "sim/chance/draws.h"
#include "sim/faults/source.h"
#include "sim/scenario/faults/fault_catalogue.h"

namespace aftershock::sim::faults {

namespace {

using reports::Entity;
using reports::EntityKind;

std::string json_text(std::string_view text) {
  std::string out;
  policies::append_json_string(out, text);
  return out;
}

// The thing that a viewer shows the fault at: the largest that was struck as a whole.
Entity struck(const FaultRecord& fault) {
  // Recordings have no entity for a power domain, so that its pool stands for it; `nodes` is 0
  // where the pool itself is struck.
  if (fault.domain && !fault.loses_power) {
    return {EntityKind::kRack, *fault.pool, *fault.domain};
  }
  if (fault.pool && (fault.nodes == 0 || fault.domain)) {
    return {EntityKind::kPool, *fault.pool};
  }
  if (fault.head) {
    return {EntityKind::kHead, *fault.head};
  }
  if (fault.storage) {
    return {EntityKind::kStorage, *fault.storage};
  }
  if (fault.pool) {
    return {EntityKind::kNode, *fault.pool, fault.node};
  }
  if (fault.job) {
    return {EntityKind::kJob, *fault.job};
  }
  return fault.experiment ? Entity{EntityKind::kTrial, *fault.experiment, fault.trial}
                          : Entity{EntityKind::kRun};
}

}  // namespace

FaultBook::FaultBook(const scenario::Scenario& scenario, std::vector<FaultRecord>* strikes,
                     std::map<std::uint32_t, std::int64_t> trigger_offsets_us)
    : strikes_(strikes),
      spent_(scenario.faults.size()),
      step_strikes_(scenario.faults.size()),
      probes_(scenario.faults.size()),
      trigger_offsets_us_(std::move(trigger_offsets_us)),
      has_triggers_(std::ranges::any_of(scenario.faults, [](const scenario::FaultSpec& fault) {
        return fault.when.has_value();
      })) {}

std::uint32_t FaultBook::open(const FaultRecord& fault) {
  AFTERSHOCK_ASSERT(fault.spec < spent_.size());
  if (strikes_ != nullptr) {
    strikes_->push_back(fault);
  }
  return open_again(fault);
}

std::uint32_t FaultBook::open_again(const FaultRecord& fault) {
  records_.push_back(fault);
  return static_cast<std::uint32_t>(records_.size() - 1);
}

void FaultBook::fire(core::RunCore& core, std::uint32_t number) {
  AFTERSHOCK_ASSERT(number < records_.size());
  records_[number].fired = true;
  record(core, number);
}

void FaultBook::mask(core::RunCore& core, std::uint32_t number, bool counts) {
  // Numbers are places in the list, so only the newest can be taken back.
  AFTERSHOCK_ASSERT(number + 1 == records_.size() && !records_[number].fired);
  record(core, number);
  masked_[static_cast<std::size_t>(effect_of(core.scenario(), records_[number]).kind)] +=
      counts ? 1 : 0;
  if (!records_[number].holds) {
    records_.pop_back();  // nothing will ever refer to it
  }
}

std::optional<std::int64_t> FaultBook::trigger_offset_us(std::uint32_t spec,
                                                         const scenario::PhaseTrigger& trigger) {
  if (!trigger.offset_ppm) {
    return trigger.offset_us;
  }
  const auto known = trigger_offsets_us_.find(spec);
  if (known == trigger_offsets_us_.end()) {
    // This run measures the phase for a later one: to strike would change what it measures.
    spend(spec);
    return std::nullopt;
  }
  return known->second;
}

void FaultBook::record(core::RunCore& core, std::uint32_t number) const {
  const FaultRecord& fault = records_[number];
  const scenario::FaultEffect& effect = effect_of(core.scenario(), fault);
  // The hash covers numbers, never the text: a run that writes nothing has the same one.
  const std::uint64_t words[] = {number,     fault.spec, fault.effect,
                                 fault.node, fault.rank, fault.fired ? 1U : 0U};
  std::string body;
  if (core.recorder().writing()) {
    body = fmt::format(R"("number":{},"id":{},"kind":"{}","what":{},"target":{},"outcome":"{}")",
                       number, json_text(fault_id(core.scenario(), fault)),
                       scenario::name_of(effect.kind), json_text(effect.label),
                       json_text(fault_place(core.scenario(), fault)),
                       fault.fired ? "fired" : "masked");
  }
  core.recorder().custom(core.now_us(), reports::RecordKind::kFault, struck(fault), words, body);
}

const scenario::FaultEffect& effect_of(const scenario::Scenario& scenario,
                                       const FaultRecord& fault) {
  AFTERSHOCK_ASSERT(fault.spec < scenario.faults.size());
  AFTERSHOCK_ASSERT(fault.effect < scenario.faults[fault.spec].effects.size());
  return scenario.faults[fault.spec].effects[fault.effect].effect;
}

std::optional<std::int64_t> draw_lasts(const scenario::Scenario& scenario,
                                       const FaultRecord& fault) {
  if (const scenario::Occurrence* listed = occurrence_of(scenario, fault);
      listed != nullptr && listed->lasts_us) {
    return listed->lasts_us;
  }
  const scenario::FaultEffect& effect = effect_of(scenario, fault);
  const chance::RandomDraw draw(fault_key(scenario, fault.spec, fault.branch), fault.nth,
                                chance::Purpose::kLasts);
  if (effect.lasts) {
    return chance::draw_us(*effect.lasts, draw);
  }
  if (!effect.until_repaired || !fault.pool) {
    return std::nullopt;
  }
  const scenario::PoolSpec& pool = scenario.cluster.pools[*fault.pool];
  // A device's repair has a law by what its fault asks for, such as a reset or a replacement
  // (modelarts.md 5.4, 7.1).
  const auto& law = fault.accelerator && scenario::of_device(effect.kind)
                        ? pool.device_repairs[static_cast<std::size_t>(effect.needs)]
                        : pool.repair;
  return law ? std::optional(chance::draw_us(*law, draw)) : std::nullopt;
}

std::optional<std::int64_t> draw_lasts_together(const scenario::Scenario& scenario,
                                                const FaultRecord& fault) {
  // A repair is drawn for each machine of a domain, as they come back one by one.
  return fault.domain && !effect_of(scenario, fault).lasts ? std::nullopt
                                                           : draw_lasts(scenario, fault);
}

}  // namespace aftershock::sim::faults
