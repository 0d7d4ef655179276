#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/engine/calendar.h"

namespace aftershock::sim::engine {

/// The number of a transfer in its world.
using TransferId = std::uint32_t;

/// Data on its way to or from a storage server. The n like shards of a gang are one transfer of
/// weight n whose bound is what their own links let through together.
struct TransferRequest {
  std::uint32_t resource = 0;  ///< index of the shared server capacity
  std::int64_t bytes = 0;
  std::uint32_t weight = 1;            ///< share of the resource under contention
  std::int64_t bound_bytes_per_s = 0;  ///< of its own links; at most the resource's capacity
  std::uint32_t entity = 0;            ///< the owner of the completion entry
  std::uint32_t epoch = 0;
  std::int64_t arg = 0;
};

/// An order of the loop for the sharing engine; orders are carried out in sequence.
struct TransferOrder {
  /// The action of the sharing engine on the transfer.
  enum class What : std::uint8_t {
    kStart,
    kCancel,
    kCapacity,  ///< that of its resource has changed, and with it the bound
  };
  What what = What::kStart;
  TransferId id = 0;
  std::uint32_t resource = 0;
  double bytes = 0;
  std::uint32_t weight = 1;
  std::int64_t bound_bytes_per_s = 0;
};

/// All transfers of a world, as a value. One that is alone on its resource ends by the closed form
/// through the calendar; as soon as two share one, both are handed to the sharing engine by way of
/// orders, which the loop carries out.
class Transfers {
 public:
  Transfers() = default;
  /// `capacities`: bytes a second of each resource. `entry_kind`: the calendar kind under which
  /// completions are played. `share_all`: hand every transfer to the sharing engine.
  Transfers(std::vector<std::int64_t> capacities, std::uint16_t entry_kind, bool share_all);

  /// Begins a transfer at `now_us`. Zero bytes complete at once, at `now_us`.
  TransferId start(Calendar& calendar, std::int64_t now_us, const TransferRequest& request);

  /// Ends a transfer unfinished. Unknown or finished ids are ignored.
  void cancel(TransferId id);

  /// The resource lets so much through from `now_us` on, also of what is under way.
  void set_capacity(Calendar& calendar, std::int64_t now_us, std::uint32_t resource,
                    std::int64_t bytes_per_s);

  /// The loop says that a shared transfer ended at `t_us`.
  void finish_shared(Calendar& calendar, TransferId id, std::int64_t t_us);

  /// True when the completion entry (its `arg` is the id) is that of a live transfer, which is then
  /// gone; false for one that was cancelled or handed over.
  bool take_completion(const Entry& entry, TransferRequest& request);

  /// Nothing is under way.
  [[nodiscard]] bool idle() const { return active_.empty(); }
  [[nodiscard]] const std::vector<TransferOrder>& orders() const { return orders_; }
  /// Called when they are carried out.
  void clear_orders() { orders_.clear(); }
  [[nodiscard]] const std::vector<std::int64_t>& capacities() const { return capacities_; }
  void set_share_all(bool share_all) { share_all_ = share_all; }

 private:
  __extension__ using Wide = __int128;
  struct Active {
    TransferId id = 0;
    TransferRequest request;
    std::int64_t since_us = 0;
    Wide left_e6 = 0;         ///< then, in millionths of a byte: a rate times microseconds is whole
    std::uint64_t place = 0;  ///< of its completion among others of the same microsecond
    std::uint32_t version = 0;  ///< of its completion entry; a hand-over makes the old one stale
    bool shared = false;
  };

  Active* find(TransferId id);
  void hand_over(Active& active, std::int64_t now_us);
  [[nodiscard]] Wide left_at(const Active& active, std::int64_t now_us) const;
  [[nodiscard]] std::int64_t lone_rate(const TransferRequest& request) const;

  std::vector<std::int64_t> capacities_;
  std::vector<Active> active_;
  std::vector<TransferOrder> orders_;
  TransferId next_id_ = 1;
  std::uint16_t entry_kind_ = 0;
  bool share_all_ = false;
};

/// Whole microseconds that `bytes` take at `bytes_per_s`, rounded as the sharing engine's
/// completions are: up, unless within a tenth above a whole one (design.md 3).
std::int64_t transfer_length_us(std::int64_t bytes, std::int64_t bytes_per_s);

}  // namespace aftershock::sim::engine
