#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/engine/drive.h"
#include "sim/engine/isolate.h"

namespace aftershock::sim::engine {

/// Links that never bound a transfer.
inline constexpr std::int64_t kUnbounded = std::int64_t{1} << 60U;
inline constexpr std::int64_t kFiftyFourDays = 4'665'600'000'000;

/// Begin a transfer, break off the one that an earlier line began, or change a resource.
struct ToyAction {
  std::int64_t at_us = 0;
  std::int64_t bytes = 0;
  std::uint32_t weight = 1;
  std::int64_t bound_bytes_per_s = kUnbounded;
  std::uint32_t resource = 0;
  std::optional<std::uint32_t> cancels{};  ///< number of the line
  std::optional<std::int64_t> capacity{};  ///< of the resource from now on, instead
  EntryClass entry_class = EntryClass::kFault;
};

/// A world that does nothing but transfer.
class ToyWorld final : public Playable {
 public:
  enum Kind : std::uint16_t { kAct, kDone };

  ToyWorld(std::vector<std::int64_t> capacities, std::vector<ToyAction> actions)
      : transfers_(std::move(capacities), kDone, false), actions_(std::move(actions)) {
    ids_.resize(actions_.size());
    for (std::uint32_t i = 0; i < actions_.size(); ++i) {
      calendar_.push(actions_[i].at_us, actions_[i].entry_class, kAct, i);
    }
  }

  Calendar& calendar() override { return calendar_; }
  Transfers& transfers() override { return transfers_; }
  [[nodiscard]] std::int64_t now_us() const override { return now_us_; }
  [[nodiscard]] bool over() const override { return false; }

  void play(const Entry& entry) override {
    if (entry.t_us < now_us_) {
      went_back_ = true;
    }
    now_us_ = entry.t_us;
    if (entry.kind == kDone) {
      TransferRequest request;
      if (transfers_.take_completion(entry, request)) {
        ends_[request.entity].push_back(now_us_);
      }
      return;
    }
    const ToyAction& action = actions_[entry.entity];
    if (action.cancels) {
      transfers_.cancel(ids_[*action.cancels]);
      return;
    }
    if (action.capacity) {
      transfers_.set_capacity(calendar_, now_us_, action.resource, *action.capacity);
      return;
    }
    ids_[entry.entity] = transfers_.start(calendar_, now_us_,
                                          {.resource = action.resource,
                                           .bytes = action.bytes,
                                           .weight = action.weight,
                                           .bound_bytes_per_s = action.bound_bytes_per_s,
                                           .entity = entry.entity});
  }

  /// When each line's transfer ended; none: it never did.
  [[nodiscard]] std::vector<std::optional<std::int64_t>> ends() const {
    std::vector<std::optional<std::int64_t>> ends(actions_.size());
    for (const auto& [line, times] : ends_) {
      ends[line] = times.size() == 1 && !went_back_ ? times.front() : -1;
    }
    return ends;
  }

 private:
  Calendar calendar_;
  Transfers transfers_;
  std::vector<ToyAction> actions_;
  std::vector<TransferId> ids_;
  std::map<std::uint32_t, std::vector<std::int64_t>> ends_;
  std::int64_t now_us_ = 0;
  bool went_back_ = false;
};

/// Ends as text, "-" for none: "20000 20000 -". In a process of its own, for SimGrid.
inline std::string toy_ends(const std::vector<std::int64_t>& capacities,
                            const std::vector<ToyAction>& actions, Driver driver) {
  const auto text = run_isolated([&] {
    ToyWorld world(capacities, actions);
    drive(world, driver);
    std::string line;
    for (const auto& end_us : world.ends()) {
      line += line.empty() ? "" : " ";
      line += end_us ? std::to_string(*end_us) : "-";
    }
    return line;
  });
  return text.value_or("the process died");
}

}  // namespace aftershock::sim::engine
