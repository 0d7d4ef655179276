#include "sim/chaos/shrink.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "sim/chaos/shrink_steps.h"

namespace aftershock::sim::chaos {
namespace {

using Json = nlohmann::ordered_json;

/// Tries what may be left, and keeps the smallest that still fails alike.
class Shrinker {
 public:
  Shrinker(Json scenario, Failure failure, const std::string& name, const ShrinkOptions& options)
      : result_{std::move(scenario), std::move(failure)}, name_(name), options_(options) {}

  Shrunk run() {
    bool smaller = true;
    while (smaller && !ended_) {
      smaller = false;
      smaller |= drop_blocks({"faults"});
      smaller |= drop_blocks({"jobs"});
      smaller |= drop_blocks({"experiments"});
      smaller |= drop_blocks({"cluster", "pools"});
      smaller |= try_all(fewer_nodes);
      smaller |= try_all(fewer_steps);
      smaller |= drop_keys();
      smaller |= try_all(rounder_times);
    }
    result_.whole = !ended_;
    return std::move(result_);
  }

 private:
  /// Whether the candidate fails alike; then it is what there is from now on.
  bool take(Json candidate) {
    if (ended_ || candidate == result_.scenario) {
      return false;
    }
    if (result_.runs >= options_.most_runs || (options_.go_on && !options_.go_on(result_.runs))) {
      ended_ = true;
      return false;
    }
    ++result_.runs;
    auto failure = failure_of(candidate, name_, options_.policies);
    if (!failure || !alike(*failure, result_.failure)) {
      return false;
    }
    result_.scenario = std::move(candidate);
    result_.failure = *std::move(failure);
    return true;
  }

  /// Takes blocks of a list's elements away, half of it first, then ever smaller ones.
  bool drop_blocks(const std::vector<std::string>& path) {
    bool smaller = false;
    const Json::json_pointer at = pointer_to(path);
    if (!result_.scenario.contains(at)) {
      return false;
    }
    std::size_t block = std::max<std::size_t>(result_.scenario.at(at).size() / 2, 1);
    while (!ended_) {
      for (std::size_t first = 0; first < result_.scenario.at(at).size() && !ended_;) {
        Json candidate = result_.scenario;
        Json& list = candidate.at(at);
        const std::size_t end = std::min(first + block, list.size());
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(first),
                   list.begin() + static_cast<std::ptrdiff_t>(end));
        if (take(std::move(candidate))) {
          smaller = true;  // the part behind is here now
        } else {
          first += block;
        }
      }
      if (block == 1) {
        break;
      }
      block /= 2;
    }
    return smaller;
  }

  /// Takes keys away, the deeper ones after those that hold them.
  bool drop_keys() {
    bool smaller = false;
    bool found = true;
    while (found && !ended_) {
      found = false;
      for (const Json::json_pointer& key : optional_keys(result_.scenario)) {
        if (!result_.scenario.contains(key)) {
          continue;  // went with one that held it
        }
        Json candidate = result_.scenario;
        candidate.at(key.parent_pointer()).erase(key.back());
        if (take(std::move(candidate))) {
          smaller = found = true;
        }
      }
    }
    return smaller;
  }

  /// Tries the candidates in order until one is taken, then those of what there is then.
  bool try_all(std::vector<Json> (*candidates)(const Json&)) {
    bool smaller = false;
    bool taken = true;
    while (taken && !ended_) {
      taken = false;
      for (Json& candidate : candidates(result_.scenario)) {
        if (take(std::move(candidate))) {
          taken = smaller = true;
          break;
        }
      }
    }
    return smaller;
  }

  Shrunk result_;
  const std::string& name_;
  const ShrinkOptions& options_;
  bool ended_ = false;
};

}  // namespace

Shrunk shrink(Json scenario, Failure failure, const std::string& name,
              const ShrinkOptions& options) {
  return Shrinker(std::move(scenario), std::move(failure), name, options).run();
}

}  // namespace aftershock::sim::chaos
