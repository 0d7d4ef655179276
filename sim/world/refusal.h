#pragma once

#include "policies/api/commands.h"
#include "policies/api/events.h"
#include "sim/world/controlling.h"
#include "sim/world/experiments.h"

namespace aftershock::sim::world {

/// Tells the controller of a job or an experiment that a command was not carried out.
template <class Holder>
void refuse(World& world, Holder& holder, policies::CommandId command,
            policies::CommandError error) {
  notify(world, holder,
         policies::CommandResult{.command = command, .error = error, .definite = true});
}

}  // namespace aftershock::sim::world
