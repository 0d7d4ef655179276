#pragma once

#include <string>

namespace aftershock::sim::scenario {

/// A scenario with what has no default, and nothing else.
inline const std::string kSmallest = R"({"schema": 1, "name": "smallest",
 "cluster": {"pools": [{"name": "gpu", "nodes": 2}]},
 "jobs": [{"name": "llm", "workers": 9, "steps": 10, "step": "1s", "policy": {"name": "ray_train"}}]})";

}  // namespace aftershock::sim::scenario
