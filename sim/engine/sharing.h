#pragma once

#include "sim/engine/drive.h"

namespace aftershock::sim {

/// Goes on with the loop inside one SimGrid actor, which shares each resource among the transfers
/// on it: max-min fair, in proportion to weight, each within its bound. Returns when the world is
/// over. To be called once a process.
void drive_sharing(Playable& world);

}  // namespace aftershock::sim
