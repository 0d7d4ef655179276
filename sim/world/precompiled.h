#pragma once

// More of sim/precompiled.h, for the sources of this room: nearly each reads the world, which takes
// a third of the time that clang needs for one.

#include "sim/world/world.h"
