#include "sim/engine/transfers.h"

#include <algorithm>

#include "base/assert.h"

namespace aftershock::sim::engine {

namespace {

constexpr std::int64_t kMicrosPerSecond = 1'000'000;
__extension__ using Wide = __int128;

// ceil(bytes * 10^6 / rate - 1/10), in integers.
std::int64_t length_us(Wide left_e6, std::int64_t bytes_per_s) {
  AFTERSHOCK_ASSERT(bytes_per_s > 0);
  const Wide numerator = Wide{10} * left_e6 - bytes_per_s;
  const Wide denominator = Wide{10} * bytes_per_s;
  if (numerator <= 0) {
    return 0;
  }
  return static_cast<std::int64_t>((numerator + denominator - 1) / denominator);
}

}  // namespace

std::int64_t transfer_length_us(std::int64_t bytes, std::int64_t bytes_per_s) {
  AFTERSHOCK_ASSERT(bytes >= 0);
  return length_us(Wide{bytes} * kMicrosPerSecond, bytes_per_s);
}

Transfers::Transfers(std::vector<std::int64_t> capacities, std::uint16_t entry_kind, bool share_all)
    : capacities_(std::move(capacities)), entry_kind_(entry_kind), share_all_(share_all) {}

std::int64_t Transfers::lone_rate(const TransferRequest& request) const {
  return std::min(capacities_[request.resource], request.bound_bytes_per_s);
}

Transfers::Active* Transfers::find(TransferId id) {
  const auto it = std::find_if(active_.begin(), active_.end(),
                               [id](const Active& active) { return active.id == id; });
  return it == active_.end() ? nullptr : &*it;
}

// The bytes left of a transfer that had its resource for itself.
Transfers::Wide Transfers::left_at(const Active& active, std::int64_t now_us) const {
  return std::max<Wide>(
      0, active.left_e6 - Wide{now_us - active.since_us} * lone_rate(active.request));
}

void Transfers::hand_over(Active& active, std::int64_t now_us) {
  const TransferRequest& request = active.request;
  const Wide left_e6 = left_at(active, now_us);
  const double left = static_cast<double>(static_cast<std::int64_t>(left_e6 / kMicrosPerSecond)) +
                      static_cast<double>(static_cast<std::int64_t>(left_e6 % kMicrosPerSecond)) /
                          static_cast<double>(kMicrosPerSecond);
  active.shared = true;
  ++active.version;
  orders_.push_back({TransferOrder::What::kStart, active.id, request.resource, left, request.weight,
                     lone_rate(request)});
}

void Transfers::set_capacity(Calendar& calendar, std::int64_t now_us, std::uint32_t resource,
                             std::int64_t bytes_per_s) {
  AFTERSHOCK_ASSERT(resource < capacities_.size() && bytes_per_s > 0);
  for (Active& active : active_) {
    if (active.request.resource == resource && !active.shared) {
      active.left_e6 = left_at(active, now_us);
      active.since_us = now_us;
    }
  }
  capacities_[resource] = bytes_per_s;
  for (Active& active : active_) {
    if (active.request.resource != resource) {
      continue;
    }
    const std::int64_t rate = lone_rate(active.request);
    if (active.shared) {
      orders_.push_back(
          {TransferOrder::What::kCapacity, active.id, resource, 0, active.request.weight, rate});
      continue;
    }
    ++active.version;
    calendar.push_reserved(active.place, now_us + length_us(active.left_e6, rate),
                           EntryClass::kCompletion, entry_kind_, active.id, active.version);
  }
}

TransferId Transfers::start(Calendar& calendar, std::int64_t now_us,
                            const TransferRequest& request) {
  AFTERSHOCK_ASSERT(request.resource < capacities_.size() && request.bound_bytes_per_s > 0);
  const TransferId id = next_id_++;
  // One that takes no time is over before anybody could share with it.
  const std::int64_t lone_us = transfer_length_us(request.bytes, lone_rate(request));
  bool contended = share_all_ && lone_us > 0;
  for (Active& other : active_) {
    if (other.request.resource == request.resource && request.bytes > 0) {
      contended = true;
      if (!other.shared) {
        hand_over(other, now_us);
      }
    }
  }
  Active active{id, request, now_us, Wide{request.bytes} * kMicrosPerSecond, calendar.reserve(),
                0,  false};
  if (contended) {
    hand_over(active, now_us);
  } else {
    calendar.push_reserved(active.place, now_us + lone_us, EntryClass::kCompletion, entry_kind_, id,
                           active.version);
  }
  active_.push_back(active);
  return id;
}

void Transfers::cancel(TransferId id) {
  const Active* active = find(id);
  if (active == nullptr) {
    return;
  }
  if (active->shared) {
    orders_.push_back({TransferOrder::What::kCancel, id, active->request.resource, 0, 1, 0});
  }
  active_.erase(active_.begin() + (active - active_.data()));
}

void Transfers::finish_shared(Calendar& calendar, TransferId id, std::int64_t t_us) {
  const Active* active = find(id);
  AFTERSHOCK_ASSERT(active != nullptr && active->shared);
  calendar.push_reserved(active->place, t_us, EntryClass::kCompletion, entry_kind_, id,
                         active->version);
}

bool Transfers::take_completion(const Entry& entry, TransferRequest& request) {
  const Active* active = find(entry.entity);
  if (active == nullptr || active->version != entry.epoch) {
    return false;
  }
  request = active->request;
  active_.erase(active_.begin() + (active - active_.data()));
  return true;
}

}  // namespace aftershock::sim::engine
