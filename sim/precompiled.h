#pragma once

// More of policies/precompiled.h and reports/precompiled.h, for whatever simulates: nearly all of
// it reads the scenario, which takes a third of a compilation.

#include "reports/ledger/summary.h"
#include "sim/scenario/scenario.h"
