#include <algorithm>
#include <array>

#include "sim/hosts/hosts.h"

namespace aftershock::sim::hosts {
namespace {

constexpr std::string_view kNotYet = "no host has been written";

constexpr Family without(std::string_view name, std::string_view why) {
  return {.name = name, .package = {}, .environment = {}, .profile = {}, .without = why};
}

constexpr std::array kFamilies{
    Family{.name = "ray_train",
           .package = "ray",
           .environment = "ray",
           .profile = "2026-11",
           .without = {}},
    Family{.name = "ray_tune",
           .package = "ray",
           .environment = "ray",
           .profile = "2026-05",
           .without = {}},
    Family{.name = "nvrx",
           .package = "nvidia-resiliency-ext",
           .environment = "torch",
           .profile = "2026-08",
           .without = {}},
    Family{.name = "torchrun",
           .package = "torch",
           .environment = "torch",
           .profile = "2026-08",
           .without = {}},
    Family{.name = "job",
           .package = "kubernetes",
           .environment = "kubernetes",
           .language = Language::kGo,
           .profile = "2026-08",
           .without = {}},
    Family{.name = "jobset",
           .package = "jobset",
           .environment = "kubernetes",
           .language = Language::kGo,
           .profile = "2026-08",
           .without = {}},
    Family{.name = "trainjob",
           .package = "trainer",
           .environment = "kubernetes",
           .language = Language::kGo,
           .profile = {},
           .without = {}},
    Family{.name = "rayjob",
           .package = "kuberay",
           .environment = "kubernetes",
           .language = Language::kGo,
           .profile = {},
           .without = {}},
    Family{.name = "volcano",
           .package = "volcano",
           .environment = "kubernetes",
           .language = Language::kGo,
           .profile = "2026-08",
           .without = {}},
    without("ray_train_v1", "Ray Train V1 recovers inside Ray Tune's trials, without a controller"),
    without("kubeflow", kNotYet),
    without("mindcluster", "its controller reads the clock directly and keeps globals"),
    without("modelarts", "the service runs at its vendor; only its guides are public"),
};

}  // namespace

std::span<const Family> families() { return kFamilies; }

const Family* find_family(std::string_view name) {
  const auto* const found = std::ranges::find(kFamilies, name, &Family::name);
  return found == kFamilies.end() ? nullptr : &*found;
}

const Family* find_host(std::string_view name) {
  const Family* found = find_family(name);
  return found == nullptr || found->package.empty() ? nullptr : found;
}

}  // namespace aftershock::sim::hosts
