#include "sim/machines/repair_crew.h"

#include <algorithm>
#include <tuple>

#include "base/assert.h"

namespace aftershock::sim::machines {

namespace {

auto served_first(const Repair& repair) {
  return std::tuple(repair.asked_us, repair.pool, repair.node);
}

auto repairs_device(std::uint32_t fault) {
  return [fault](const Repair& repair) {
    return repair.of == RepairOf::kDevice && repair.fault == fault;
  };
}

}  // namespace

void RepairCrew::ask(const Repair& repair) {
  AFTERSHOCK_ASSERT(limited());
  waiting_.insert(std::ranges::upper_bound(waiting_, served_first(repair), {}, served_first),
                  repair);
}

std::optional<Repair> RepairCrew::begin() {
  if (waiting_.empty() || under_way_.size() >= members_.value_or(0)) {
    return std::nullopt;
  }
  const Repair next = waiting_.front();
  waiting_.erase(waiting_.begin());
  under_way_.push_back(next);
  return next;
}

bool RepairCrew::leave(std::uint32_t pool, std::uint32_t node) {
  const auto of_node = [pool, node](const Repair& repair) {
    return repair.pool == pool && repair.node == node;
  };
  std::erase_if(waiting_, of_node);
  return std::erase_if(under_way_, of_node) > 0;
}

bool RepairCrew::leave_device(std::uint32_t fault) {
  std::erase_if(waiting_, repairs_device(fault));
  return std::erase_if(under_way_, repairs_device(fault)) > 0;
}

bool RepairCrew::mends_device(std::uint32_t fault) const {
  return std::ranges::any_of(under_way_, repairs_device(fault));
}

}  // namespace aftershock::sim::machines
