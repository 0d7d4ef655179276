#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "policies/api/ids.h"
#include "policies/api/rank_set.h"
#include "sim/invariants/deadlines.h"
#include "sim/machines/pool.h"

namespace aftershock::sim::invariants {

/// A checkpoint that was seen to be whole in storage.
struct Written {
  policies::CheckpointId id = 0;
  policies::Epoch epoch = 0;  ///< attempt under which it became so
  std::int64_t work_us = 0;
  bool reported = false;  ///< every rank has told the controller of it
  bool committed = false;
};

/// Numbers that were used, as intervals: those of one controller are one, or few.
class UsedIds {
 public:
  /// False where the number was used before.
  bool take(policies::CommandId id);

 private:
  std::vector<std::pair<policies::CommandId, policies::CommandId>> used_;  ///< first, end
};

/// A retry budget as its moves tell it.
struct BudgetBook {
  std::int64_t used = 0;     ///< after the last move
  std::int64_t counted = 0;  ///< moves that counted, by our own count
  std::optional<std::int64_t> limit;
  policies::Epoch charged_in = 0;  ///< newest attempt whose failure was charged to it, plus one
};

/// The state of a job that its policy can see, as a command may change any of it.
struct Standing {
  policies::Epoch epoch = 0;
  std::uint8_t stage = 0;
  std::uint32_t stage_epoch = 0;
  std::uint32_t healings = 0;
  bool kept = false;
  friend bool operator==(const Standing&, const Standing&) = default;
};

/// The checker's book of one job, kept by observation alone.
struct JobBook {
  // The attempt that was asked for last.
  policies::Epoch epoch = 0;
  std::uint32_t workers = 0;
  bool ran = false;         ///< the policy was told that it runs
  bool failed = false;      ///< and that workers of it failed
  bool evidence = false;    ///< it was told anything for which one may stop workers
  bool overran = false;     ///< nothing of it was heard, and it was charged for its time
  bool hardware = false;    ///< some of that was of a node or a chip, or a user's word
  bool moved = false;       ///< a budget moved, or was exempt, since it began
  bool may_change = false;  ///< the command that is being carried out may change how it stands
  Standing before;          ///< when that was asked for

  // The attempts that hold nodes, and that run on them.
  policies::Epoch seen = 0;  ///< newest attempt that has come to any stage
  policies::Epoch live = 0;  ///< attempt whose processes run, 0: none do
  bool holding = false;
  machines::NodeBits held;
  bool ended = false;

  // Storage.
  std::vector<Written> written;          ///< oldest first; the oldest may be forgotten
  policies::CheckpointId reporting = 0;  ///< that some ranks have told of
  policies::RankSet reporters;           ///< those ranks
  policies::RankSet announced;           ///< ranks of the attempt that a notice says will go
  bool relaxed = false;                  ///< its checkpoints no longer wait for these
  policies::CheckpointId forgotten = 0;  ///< ids up to this one may have been
  policies::CheckpointId newest = 0;     ///< last commit, 0: none that counts
  std::int64_t newest_work_us = 0;
  policies::CheckpointId stored = 0;  ///< newest as the last persist stored it

  // The controller.
  std::vector<BudgetBook> budgets;
  UsedIds commands;
  std::optional<policies::CheckpointId>
      resumes_from;                ///< the checkpoint that its first start must name; 0: none
  std::vector<std::int64_t> knew;  ///< how budgets stood when it was lost, empty: nobody can say
  bool restarted = false;          ///< it has not decided anything since it came back
  bool used_up = false;            ///< a budget is beyond its limit
  std::uint32_t fruitless = 0;     ///< launches in a row without a commit, or a fault that struck
  std::int64_t application = 0;    ///< attempts in a row that the application ended
  std::optional<std::int64_t> application_limit;

  // The policy's announced waits.
  std::optional<std::int64_t> backs_off_since_us;
  std::int64_t backs_off_until_us = 0;

  // Deadlines that are running.
  Deadlines deadlines;
  std::uint32_t serial = 0;        ///< launches since things last broke at one moment
  std::int64_t serial_cause = -1;  ///< fault of that moment that was counted last
};

}  // namespace aftershock::sim::invariants
