#include "sim/scenario/collectives.h"

#include "base/assert.h"

namespace aftershock::sim::scenario {
namespace {

Distribution between(std::int64_t low_us, std::int64_t high_us) {
  return {.shape = Distribution::Uniform{low_us, high_us}, .min_us = {}, .max_us = {}};
}

}  // namespace

CollectivesSpec collectives_by(Transport transport, bool within_node) {
  CollectivesSpec spec{.transport = transport, .peer_ended = {}, .peer_vanished = {}};
  switch (transport) {
    case Transport::kGloo:
      // Seen live: the connection is reset; then the script's own exception ends the process.
      spec.peer_ended = between(50'000, 200'000);
      spec.gone_after = between(350'000, 550'000);
      return spec;
    case Transport::kNccl: {
      // NCCL_IB_RETRY_CNT 7 times NCCL_IB_TIMEOUT 20, which is 4.096 us << 20. NVLink and shared
      // memory show nothing.
      constexpr std::int64_t kRetriesUs = 30'064'771;
      if (!within_node) {
        spec.peer_ended = Distribution::constant(kRetriesUs);
        spec.peer_vanished = spec.peer_ended;
      }
      // The watchdog leaves all ranks a minute to write their flight recorders before it aborts.
      spec.gone_after = Distribution::constant(60'000'000);
      return spec;
    }
    case Transport::kNcclUnhandled:
    case Transport::kHccl:
      return spec;
  }
  AFTERSHOCK_ASSERT(false && "every transport has its laws");
}

}  // namespace aftershock::sim::scenario
