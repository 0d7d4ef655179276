#include "policies/external/library.h"
#include "policies/registry.h"

// The shipped policies as a shared object. For one of your own, give it another maker.
AFTERSHOCK_POLICY_LIBRARY("aftershock", aftershock::policies::make_policy)
