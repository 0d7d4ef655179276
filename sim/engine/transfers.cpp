#include "sim/engine/transfers.h"

#include <algorithm>

#include "policies/api/assert.h"

namespace aftershock::sim {

namespace {

constexpr std::int64_t kMicrosPerSecond = 1'000'000;

}  // namespace

std::int64_t transfer_length_us(std::int64_t bytes, std::int64_t bytes_per_s) {
  AFTERSHOCK_ASSERT(bytes >= 0 && bytes_per_s > 0);
  // ceil(bytes * 10^6 / rate - 1/10), in integers.
  __extension__ using Wide = __int128;
  const Wide numerator = Wide{10} * bytes * kMicrosPerSecond - bytes_per_s;
  const Wide denominator = Wide{10} * bytes_per_s;
  if (numerator <= 0) {
    return 0;
  }
  return static_cast<std::int64_t>((numerator + denominator - 1) / denominator);
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

void Transfers::hand_over(Active& active, std::int64_t now_us) {
  const TransferRequest& request = active.request;
  const double moved = static_cast<double>(now_us - active.started_us) *
                       static_cast<double>(lone_rate(request)) /
                       static_cast<double>(kMicrosPerSecond);
  active.shared = true;
  ++active.version;
  orders_.push_back({TransferOrder::What::kStart, active.id, request.resource,
                     std::max(0.0, static_cast<double>(request.bytes) - moved), request.weight,
                     lone_rate(request)});
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
  Active active{id, request, now_us, calendar.reserve(), 0, false};
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

}  // namespace aftershock::sim
