#pragma once

#include <string>
#include <string_view>

#include "sim/control/policy_host.h"

// Retry budgets that have no limit, in the words about a job which only starts again and again.
namespace aftershock::sim::world {

/// " (without limit: max_failures)": those of the host's policy; empty where all have one.
std::string without_limit_words(const control::PolicyHost& host);

/// Whether words about a run name that budget so.
bool names_without_limit(std::string_view words, std::string_view budget);

}  // namespace aftershock::sim::world
