#include "sim/faults/fault_record.h"

#include <fmt/format.h>

#include "sim/scenario/faults/fault_catalogue.h"
#include "sim/scenario/text/node_names.h"

namespace aftershock::sim::faults {

std::string fault_id(const scenario::Scenario& scenario, const FaultRecord& fault) {
  const scenario::FaultSpec& spec = scenario.faults[fault.spec];
  std::string id = spec.id;
  // All occurrences of a source share its name, so each has its number, and followers one more.
  if (spec.source || spec.every_attempt) {
    id += fmt::format("#{}", follower(fault.nth, 0));
  }
  if (const std::uint64_t more = fault.nth >> 32U; more > 0) {
    id += fmt::format(".{}", more);
  }
  return id;
}

std::string domain_place(const scenario::PoolSpec& pool, const FaultRecord& fault) {
  const std::string_view kind = fault.loses_power ? "power_domain"
                                : fault.at_switch ? "switch"
                                                  : "rack";
  return fmt::format("{}:{}/{}", kind, pool.name, *fault.domain);
}

bool cuts_one_node(const scenario::Scenario& scenario, const FaultRecord& fault) {
  const scenario::FaultSpec& spec = scenario.faults[fault.spec];
  if (!spec.source || !scenario::of_network(spec.effects[fault.effect].effect.kind)) {
    return false;
  }
  if (spec.source->occurrences) {
    if (!fault.listed) {
      return false;
    }
    const auto& listed = (*spec.source->occurrences)[*fault.listed].target;
    return listed && listed->kind == scenario::TargetKind::kNode;
  }
  return spec.target.kind == scenario::TargetKind::kPool &&
         spec.source->per == scenario::RatePer::kNode;
}

std::string fault_place(const scenario::Scenario& scenario, const FaultRecord& fault) {
  const scenario::FaultSpec& spec = scenario.faults[fault.spec];
  const scenario::FaultEffect& effect = spec.effects[fault.effect].effect;
  if (fault.head) {
    return fmt::format("head:{}", scenario.cluster.heads[*fault.head].name);
  }
  // Many nodes were struck at once: none of them alone is the place.
  if (fault.domain) {
    return domain_place(scenario.cluster.pools[*fault.pool], fault);
  }
  if (fault.pool && cuts_one_node(scenario, fault)) {
    return fmt::format("node:{}",
                       scenario::node_name(scenario.cluster.pools[*fault.pool], fault.node));
  }
  switch (scenario::entry_of(effect.kind).traits.shown) {
    case scenario::ShownPlace::kRank:
      if (fault.job) {
        return fmt::format("job:{}/rank:{}", scenario.jobs[*fault.job].name, fault.rank);
      }
      if (fault.experiment) {
        return fmt::format("experiment:{}/trial:{}", scenario.experiments[*fault.experiment].name,
                           fault.trial);
      }
      break;
    case scenario::ShownPlace::kAccelerator:
      if (fault.pool && fault.accelerator) {
        return fmt::format("accelerator:{}/{}",
                           scenario::node_name(scenario.cluster.pools[*fault.pool], fault.node),
                           *fault.accelerator);
      }
      break;
    case scenario::ShownPlace::kNode:
      if (fault.pool && fault.nodes > 0) {
        return fmt::format("node:{}",
                           scenario::node_name(scenario.cluster.pools[*fault.pool], fault.node));
      }
      break;
    case scenario::ShownPlace::kTarget:
      break;
  }
  // A fault that found nobody has not fired (scenario.md decision 3): like one without a place of
  // its own it is shown by what the scenario says.
  return spec.target.text;
}

std::string fault_words(const scenario::Scenario& scenario, const FaultRecord& fault) {
  const scenario::FaultEffect& effect = scenario.faults[fault.spec].effects[fault.effect].effect;
  std::string words(scenario::name_of(effect.kind));
  if (!effect.label.empty() && effect.label != words) {
    words += fmt::format(" ({})", effect.label);
  } else if (!effect.code.empty()) {
    words += fmt::format(" ({})", effect.code);
  }
  return fmt::format("{} {}", words, fault_place(scenario, fault));
}

}  // namespace aftershock::sim::faults
