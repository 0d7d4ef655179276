#pragma once

#include <memory>
#include <string>

#include "policies/api/config.h"
#include "policies/api/policy.h"

namespace aftershock::sim::cli {

/// The policy that "NAME[@PROFILE]" on a command line asks for.
policies::PolicyRequest request_of(const std::string& title);

/// A shipped policy; none, with a word on standard error, where there is no such one.
std::unique_ptr<policies::Policy> make_or_complain(const policies::PolicyRequest& request);

}  // namespace aftershock::sim::cli
