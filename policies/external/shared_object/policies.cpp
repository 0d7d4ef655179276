#include <nlohmann/json.hpp>

#include "policies/external/library.h"
#include "policies/registry.h"

// The shipped policies as a shared object. One of your own has another maker, as mine.cpp has.
AFTERSHOCK_POLICY_LIBRARY("aftershock", aftershock::policies::make_policy)
