#include "sim/machines/pod_objects.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace aftershock::sim::machines {

namespace {

template <class IsMeant>
std::vector<KeptPods> take_out(std::vector<KeptPods>& kept, const IsMeant& is_meant) {
  std::vector<KeptPods> taken;
  std::erase_if(kept, [&](KeptPods& pods) {
    if (!is_meant(pods)) {
      return false;
    }
    taken.push_back(std::move(pods));
    return true;
  });
  return taken;
}

auto is_on(std::uint32_t pool, std::uint32_t node) {
  return [=](const KeptPods& pods) { return pods.pool == pool && pods.node == node; };
}

}  // namespace

std::uint32_t PodObjects::keep(std::uint32_t job, std::uint32_t pool, std::uint32_t node,
                               policies::RankSet ranks) {
  kept_.push_back({.number = ++last_number_,
                   .job = job,
                   .pool = pool,
                   .node = node,
                   .ranks = std::move(ranks)});
  return last_number_;
}

void PodObjects::plan_removal(std::uint32_t number) {
  const auto found = std::ranges::lower_bound(kept_, number, {}, &KeptPods::number);
  AFTERSHOCK_ASSERT(found != kept_.end() && found->number == number);
  found->removal_planned = true;
}

std::vector<KeptPods> PodObjects::take(std::uint32_t number) {
  return take_out(kept_, [&](const KeptPods& pods) { return pods.number == number; });
}

std::vector<KeptPods> PodObjects::take_on(std::uint32_t pool, std::uint32_t node) {
  return take_out(kept_, is_on(pool, node));
}

void PodObjects::forget(std::uint32_t job, std::uint32_t node) {
  std::erase_if(kept_, [&](const KeptPods& pods) { return pods.job == job && pods.node == node; });
}

std::vector<std::uint32_t> PodObjects::left_on(std::uint32_t pool, std::uint32_t node) const {
  std::vector<std::uint32_t> numbers;
  for (const KeptPods& pods : kept_) {
    if (is_on(pool, node)(pods) && !pods.removal_planned) {
      numbers.push_back(pods.number);
    }
  }
  return numbers;
}

const KeptPods* PodObjects::left_of(std::uint32_t job) const {
  const auto found = std::ranges::find_if(
      kept_, [&](const KeptPods& pods) { return pods.job == job && !pods.removal_planned; });
  return found == kept_.end() ? nullptr : &*found;
}

}  // namespace aftershock::sim::machines
