#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "policies/api/commands.h"
#include "policies/api/decision.h"
#include "policies/api/events.h"
#include "policies/api/pod_terms.h"
#include "policies/api/policy.h"
#include "sim/control/charges.h"
#include "sim/control/chip_windows.h"

// The order in which a policy of pods must do what it does (modelarts.md 4, rules 1 to 9):
// invariants of every run of such a policy, whoever wrote it. A command that the world refuses
// because it comes at the wrong time is a breach as well: it was asked for.
namespace aftershock::sim::control {

/// An invariant of this kind.
struct OrderingRule {
  std::string_view id;        ///< "M1" to "M9", as modelarts.md 4 counts
  std::string_view sentence;  ///< its law, in a sentence
};
/// All of them, in the order of modelarts.md 4.
const std::array<OrderingRule, 9>& ordering_rules();

/// One that does not hold.
struct Breach {
  std::string_view id;
  std::string what;
};

/// How the pods of a job stand as a command comes.
enum class PodStand : std::uint8_t {
  kNone,      ///< there are none
  kLive,      ///< with processes, or some of them are being made anew
  kStopping,  ///< their processes are being stopped
  kKept,      ///< containers without processes
  kRemoving,  ///< they are being removed
};

/// A node as the scheduler sees it.
struct NodeStand {
  std::uint32_t machine = 0;  ///< changes when it is repaired or replaced
  bool isolated = false;
  bool usable = true;  ///< the scheduler would put work on it
};

/// A pod and where it is.
struct PodPlace {
  policies::RankSet ranks;
  policies::NodeId node = 0;
  bool there = true;  ///< false: its container is gone, and another has yet to be placed
};

/// The world that a command meets. The functions are asked only where pods are scheduled or
/// removed.
struct Ground {
  PodStand pods = PodStand::kNone;
  std::function<NodeStand(policies::NodeId)> node;
  std::function<std::vector<PodPlace>()> places;
  /// How many pods a stop takes away.
  std::function<std::int64_t(const policies::StopWorkers&)> leaving;
};

/// The policy, and the terms that it is held to.
struct Held {
  const policies::PolicyInfo& info;
  const policies::PodTerms& terms;
};

/// A chip that was to be healed since the processes were stopped.
struct ChipTried {
  policies::CommandId command = 0;
  policies::NodeId node = 0;
  std::string code;
  std::optional<bool> healed;
};

/// Facts of the batch that is being answered.
struct News {
  bool exit = false;      ///< a process ended that should not have
  bool hardware = false;  ///< a fault of a node or chip, hints excluded
  bool hang = false;
  bool unplaced = false;  ///< no nodes were found in time
  bool user_stop = false;
  bool only_stopped = false;  ///< nothing but that the workers have stopped
};

/// How the removal of pods goes, which volumes may hold up.
struct Teardown {
  std::int64_t begun_us = 0;
  std::int64_t stopped_us = 0;  ///< the time that their processes take
  std::int64_t pods = 0;        ///< how many go
};

/// The past of a job's policy, its events and commands, as far as the order depends on it.
struct Ordering {
  News news;
  std::vector<ChipTried> tried;
  /// Nodes known to be at fault since pods were last scheduled, with the machine that was; one that
  /// was isolated since then has no machine's number.
  std::vector<std::pair<policies::NodeId, std::uint32_t>> faulty;
  std::vector<std::pair<policies::RankSet, std::string>> scheduled;  ///< MA_SCHEDULE_CNT of pods
  policies::RankSet unfinished;  ///< ranks of pods that are made anew, until they run
  bool pods_anew = false;        ///< the newest attempt makes some pods anew
  bool exited = false;           ///< the newest attempt has had an exit
  std::vector<policies::BudgetMove> exhausted;  ///< in this decision
  Charges charges;
  ChipWindows windows;
  std::optional<Teardown> teardown;
};

/// To be called in this order for each decision: with what it answers, then for each step with the
/// step and each of its commands before that is carried out, then with how the budgets stand.
void take_in(Ordering& ordering, const Held& held, const policies::Batch& batch,
             const Ground& ground);
std::vector<Breach> check(Ordering& ordering, const Held& held, const policies::Step& step);
std::vector<Breach> check(Ordering& ordering, const Held& held, const policies::Command& command,
                          const Ground& ground, std::int64_t now_us);
std::vector<Breach> check(Ordering& ordering, const Held& held,
                          const std::vector<policies::BudgetState>& budgets);

/// The pods are gone at `now_us`; unmounting volumes takes `unmount_us`, and more for each of them
/// (rule 7).
std::vector<Breach> check_teardown(Ordering& ordering, const policies::PodTerms& terms,
                                   std::int64_t unmount_us, std::int64_t unmount_us_per_pod,
                                   std::int64_t now_us);

/// Whether giving up for `reason` is what came to pass (rule 9); what is wrong, in words.
std::string check_ending(const Ordering& ordering, const Held& held, std::string_view reason);

}  // namespace aftershock::sim::control
