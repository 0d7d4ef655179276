#pragma once

// More of sim/precompiled.h, for the sources of this room, each of which reads all of the others:
// two thirds of the time that clang takes for one.

#include "sim/world/world.h"
