#pragma once

#include "sim/engine/drive.h"

namespace aftershock::sim::engine {

/// Loads what `drive_sharing` needs, the first time: before a process that may come to need it is
/// forked, or each such process would. Throws MissingModule with what is missing.
void load_sharing();

/// Goes on with the loop inside one SimGrid actor, which shares each resource among the transfers
/// on it: max-min fair, in proportion to weight, each within its bound. Returns when the world is
/// over. To be called once a process. Throws as `load_sharing` does.
void drive_sharing(Playable& world);

}  // namespace aftershock::sim::engine
