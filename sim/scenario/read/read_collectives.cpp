#include "sim/scenario/read/read_collectives.h"

#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "policies/parts/integer_text.h"
#include "sim/scenario/keys/keys.h"

namespace aftershock::sim::scenario {
namespace {

/// HCCL's own name for the timeout of its collectives, in seconds, 0 for none; of jobs on NPUs.
void read_hccl_timeout(const Fields& fields, const ClusterSpec& cluster, JobSpec& job,
                       ErrorList& errors) {
  const LocatedValue* written = fields.value("env").find("HCCL_EXEC_TIMEOUT");
  if (written == nullptr) {
    return;
  }
  if (cluster.pools[job.pool].accelerator != AcceleratorKind::kNpu) {
    errors.warn(*written, "has no effect: HCCL is for NPUs, and the job's pool has none");
    return;
  }
  constexpr std::int64_t kMost = 2'147'483'647;
  constexpr std::int64_t kMicrosPerSecond = 1'000'000;
  const auto& text = std::get<std::string>(written->data);
  const auto seconds = policies::integer_from_text(text);
  if (!seconds || *seconds < 0 || *seconds > kMost) {
    errors.add(*written, {fmt::format("got \"{}\"", text),
                          fmt::format("a number of seconds from 0 (never) to {}", kMost),
                          {}});
    return;
  }
  const auto timeout_us = *seconds == 0 ? std::nullopt : std::optional(*seconds * kMicrosPerSecond);
  if (fields.has("collective_timeout") && job.collective_timeout_us != timeout_us) {
    errors.add(*written,
               {"contradicts collective_timeout", "one of the two, or the same time", {}});
  }
  job.collective_timeout_us = timeout_us;
}

/// A law, or "unseen".
void read_seen(const Fields& collectives, std::string_view key, std::optional<Distribution>& law,
               ErrorList& errors) {
  const LocatedValue* written = collectives.written(key);
  if (written == nullptr) return;
  const auto* word = written->get_if<std::string>();
  const bool unseen = word != nullptr && *word == "unseen";
  law = unseen ? std::nullopt : std::optional(read_distribution(*written, errors));
}

/// HCCL is for NPUs, and the others are not.
void check_transport(const Fields& collectives, const PoolSpec& pool, const JobSpec& job,
                     ErrorList& errors) {
  const bool on_npus = pool.accelerator == AcceleratorKind::kNpu;
  const bool nccl = job.collectives.transport == Transport::kNccl ||
                    job.collectives.transport == Transport::kNcclUnhandled;
  if (on_npus && nccl) {
    errors.warn(*collectives.written("transport"), "NCCL is for GPUs, and the job's pool has NPUs");
  } else if (!on_npus && job.collectives.transport == Transport::kHccl) {
    errors.warn(*collectives.written("transport"), "HCCL is for NPUs, and the job's pool has none");
  }
}

}  // namespace

void read_collectives(const Fields& fields, const ClusterSpec& cluster, JobSpec& job,
                      ErrorList& errors) {
  read_hccl_timeout(fields, cluster, job, errors);
  const PoolSpec& pool = cluster.pools[job.pool];
  const bool within_node = job.workers <= pool.accelerators_per_node;
  job.collectives = collectives_by(
      pool.accelerator == AcceleratorKind::kNpu ? Transport::kHccl : Transport::kNccl, within_node);
  const LocatedValue* written = fields.written("collectives");
  if (written == nullptr) return;
  const Fields collectives(keys::collectives(), *written);
  if (collectives.has("transport")) {
    job.collectives = collectives_by(collectives.word<Transport>("transport"), within_node);
    check_transport(collectives, pool, job, errors);
  }
  read_seen(collectives, "peer_ended", job.collectives.peer_ended, errors);
  read_seen(collectives, "peer_vanished", job.collectives.peer_vanished, errors);
  if (collectives.has("gone_after")) {
    job.collectives.gone_after = collectives.distribution("gone_after", errors);
  }
  if (job.collectives.transport != Transport::kNcclUnhandled) return;
  if (fields.has("collective_timeout") && job.collective_timeout_us) {
    errors.warn(*fields.written("collective_timeout"),
                "has no effect: without error handling nothing ends a collective that waits");
  }
  job.collective_timeout_us.reset();
}

}  // namespace aftershock::sim::scenario
