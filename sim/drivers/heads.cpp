#include "sim/drivers/heads.h"

namespace aftershock::sim::drivers {

std::optional<std::uint32_t> Heads::lose(std::uint32_t head,
                                         const std::optional<scenario::HeadRestart>& restart) {
  AFTERSHOCK_ASSERT(head < heads_.size() && heads_[head].up);
  Head& lost = heads_[head];
  lost.up = false;
  lost.returns = restart && (!restart->limit || lost.restarts < *restart->limit);
  return lost.returns ? std::optional(++lost.restarts) : std::nullopt;
}

void Heads::restore(std::uint32_t head) {
  AFTERSHOCK_ASSERT(head < heads_.size() && !heads_[head].up && heads_[head].returns);
  heads_[head].up = true;
  heads_[head].returns = false;
}

}  // namespace aftershock::sim::drivers
