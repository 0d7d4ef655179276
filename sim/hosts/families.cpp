#include <algorithm>
#include <array>

#include "sim/hosts/hosts.h"

namespace aftershock::sim::hosts {
namespace {

constexpr std::string_view kNotYet = "no host has been written";

constexpr std::array kFamilies{
    Family{.name = "ray_train", .package = "ray", .profile = "2026-11", .without = {}},
    Family{.name = "ray_tune", .package = {}, .profile = {}, .without = kNotYet},
    Family{.name = "torchrun", .package = {}, .profile = {}, .without = kNotYet},
    Family{.name = "nvrx", .package = {}, .profile = {}, .without = kNotYet},
    Family{.name = "job", .package = {}, .profile = {}, .without = kNotYet},
    Family{.name = "jobset", .package = {}, .profile = {}, .without = kNotYet},
    Family{.name = "volcano", .package = {}, .profile = {}, .without = kNotYet},
    Family{.name = "ray_train_v1",
           .package = {},
           .profile = {},
           .without = "Ray Train V1 recovers inside Ray Tune's trials, without a controller"},
    Family{.name = "kubeflow",
           .package = {},
           .profile = {},
           .without = "its reconciler wants an API server"},
    Family{.name = "mindcluster",
           .package = {},
           .profile = {},
           .without = "its controller reads the clock directly and keeps globals"},
    Family{.name = "modelarts",
           .package = {},
           .profile = {},
           .without = "the service runs at its vendor; only its guides are public"},
};

}  // namespace

std::span<const Family> families() { return kFamilies; }

const Family* find_host(std::string_view name) {
  const auto* const found = std::ranges::find(kFamilies, name, &Family::name);
  return found != kFamilies.end() && !found->package.empty() ? found : nullptr;
}

}  // namespace aftershock::sim::hosts
