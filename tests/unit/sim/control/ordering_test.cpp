#include "sim/control/ordering.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace aftershock::sim::control {
namespace {

using namespace policies;

PolicyInfo policy_with_endings() {
  PolicyInfo info;
  info.budgets = {"retries", "hangs"};
  info.budgets_in_a_row = {1};
  info.rules = {{"a.off", "", ""}, {"a.hangs", "", ""}, {"a.nodes", "", ""}, {"a.other", "", ""}};
  info.endings = {{0, EndReason::kUnconditionalDisabled},
                  {1, EndReason::kHangLimit},
                  {2, EndReason::kNoResource}};
  return info;
}

std::string ids(const std::vector<Breach>& breaches) {
  std::string text;
  for (const Breach& breach : breaches) {
    text += breach.id;
  }
  return text;
}

struct StandRow {
  const char* name;
  Command command;
  PodStand pods;
  const char* ids;
};

class Stands : public testing::TestWithParam<StandRow> {};

// How the pods must stand for a command; what is asked for at the wrong time is a breach by itself.
TEST_P(Stands, AllowSomeCommands) {
  const PolicyInfo who = policy_with_endings();
  const PodTerms terms;
  Ordering ordering;
  ordering.charges = {.used = {}, .started = true, .paid = true};
  const Ground ground{.pods = GetParam().pods,
                      .node = [](NodeId) { return NodeStand{.usable = false}; },
                      .places = [] { return std::vector<PodPlace>{}; },
                      .leaving = [](const StopWorkers&) { return 0; }};
  EXPECT_EQ(ids(check(ordering, {who, terms}, GetParam().command, ground, 0)), GetParam().ids);
}

const RecreatePods kPods{.epoch = 2, .ranks = RankSet::range(0, 8)};

INSTANTIATE_TEST_SUITE_P(
    Row, Stands,
    testing::Values(StandRow{"heal", SelfHeal{}, PodStand::kKept, ""},
                    StandRow{"heal_none", SelfHeal{}, PodStand::kNone, ""},
                    StandRow{"heal_live", SelfHeal{}, PodStand::kLive, "M1"},
                    StandRow{"heal_stopping", SelfHeal{}, PodStand::kStopping, "M1"},
                    StandRow{"restart", RestartProcesses{}, PodStand::kKept, ""},
                    StandRow{"restart_stopping", RestartProcesses{}, PodStand::kStopping, "M1"},
                    StandRow{"restart_nothing", RestartProcesses{}, PodStand::kNone, "M4"},
                    StandRow{"pods", kPods, PodStand::kKept, ""},
                    StandRow{"pods_live", kPods, PodStand::kLive, "M3"},
                    StandRow{"pods_removing", kPods, PodStand::kRemoving, "M3"},
                    StandRow{"no_pods", RecreatePods{.epoch = 2}, PodStand::kKept, "M4"},
                    StandRow{"start", StartAttempt{}, PodStand::kNone, ""},
                    StandRow{"start_kept", StartAttempt{}, PodStand::kKept, "M5"},
                    StandRow{"start_removing", StartAttempt{}, PodStand::kRemoving, "M5"},
                    StandRow{"start_live", StartAttempt{}, PodStand::kLive, "M5"}),
    [](const auto& row) { return std::string(row.param.name); });

struct HealingRow {
  const char* name;
  std::vector<Event> heard;  ///< after the stop that takes some pods
  bool isolated;
  const char* ids;
};

// A rescheduling that overtakes a healing waits for it.
TEST(Ordering, PodsAreScheduledWhenNoChipIsBeingHealed) {
  const HealingRow rows[] = {
      {"not known", {}, false, "M1"},
      {"well", {SelfHealResult{.command = 5, .node = 1, .healed = true}}, false, ""},
      {"not well", {SelfHealResult{.command = 5, .node = 1, .healed = false}}, false, "M2"},
      {"its node is isolated", {}, true, ""},
      {"healing was refused",
       {CommandResult{.command = 5, .error = CommandError::kUnknownTarget}},
       false,
       ""},
      {"another controller", {ControllerStarted{}}, false, ""},
  };
  const PolicyInfo who = policy_with_endings();
  const PodTerms terms;
  const Held held{who, terms};
  for (const HealingRow& row : rows) {
    Ordering ordering;
    ordering.charges = {.used = {}, .started = true, .paid = true};
    const Ground ground{
        .pods = PodStand::kKept,
        .node = [&](NodeId) { return NodeStand{.isolated = row.isolated, .usable = false}; },
        .places = [] { return std::vector<PodPlace>{}; },
        .leaving = [](const StopWorkers&) { return 1; }};
    std::string found = ids(check(ordering, held, SelfHeal{.id = 5, .node = 1}, ground, 0));
    const StopWorkers stop{.keep_containers = true, .leaving = RankSet::range(0, 8)};
    found += ids(check(ordering, held, stop, ground, 0));
    take_in(ordering, held, {1, 0, row.heard}, ground);
    found += ids(check(ordering, held, kPods, ground, 1));
    EXPECT_EQ(found, row.ids) << row.name;
  }
}

struct PodsRow {
  const char* name;
  RankSet leaving;
  RankSet anew;
  const char* ids;
};

class Removals : public testing::TestWithParam<PodsRow> {};

// Of two pods of four ranks, on node 0, which is at fault, and on node 1, which is not.
TEST_P(Removals, ArePodsMadeAnew) {
  const PolicyInfo who = policy_with_endings();
  const PodTerms terms;
  Ordering ordering;
  ordering.charges = {.used = {}, .started = true, .paid = true};
  const auto there = [](const RankSet& ranks) { return !ranks.overlaps(GetParam().leaving); };
  const RankSet first = RankSet::range(0, 4);
  const RankSet second = RankSet::range(4, 8);
  const Ground ground{
      .pods = PodStand::kKept,
      .node = [](NodeId node) { return NodeStand{.isolated = node == 0, .usable = node != 0}; },
      .places =
          [&] {
            return std::vector<PodPlace>{{.ranks = first, .node = 0, .there = there(first)},
                                         {.ranks = second, .node = 1, .there = there(second)}};
          },
      .leaving = [](const StopWorkers&) { return 0; }};
  const RecreatePods command{.epoch = 2, .ranks = GetParam().anew};
  EXPECT_EQ(ids(check(ordering, {who, terms}, command, ground, 0)), GetParam().ids);
}

INSTANTIATE_TEST_SUITE_P(
    Row, Removals,
    testing::Values(PodsRow{"one", RankSet::range(0, 4), RankSet::range(0, 4), ""},
                    PodsRow{"not_removed", {}, RankSet::range(0, 4), "M7"},
                    PodsRow{"removed_too_many", RankSet::range(0, 8), RankSet::range(0, 4), "M3"},
                    PodsRow{"anew_too_many", RankSet::range(0, 8), RankSet::range(0, 8), "M3"}),
    [](const auto& row) { return std::string(row.param.name); });

struct TeardownRow {
  std::int64_t stopped_us;
  std::int64_t pods;
  std::optional<DurationUs> async_us;
  std::int64_t wanted_us;
};

// min(processes + volumes, N), and never before the processes are gone; 34 us of volumes, and 2 us
// a pod.
TEST(Teardown, TakesProcessesAndVolumes) {
  for (const auto& [stopped_us, pods, async_us, wanted_us] :
       {TeardownRow{5, 3, {}, 45}, TeardownRow{0, 3, {}, 40}, TeardownRow{5, 3, 10, 10},
        TeardownRow{5, 3, 3, 5}, TeardownRow{5, 3, 60, 45}, TeardownRow{5, 1, {}, 41},
        TeardownRow{5, 0, {}, 5}}) {
    PodTerms terms;
    terms.unmount_async_after_us = async_us;
    for (const std::int64_t off_us : {-1, 0, 1}) {
      Ordering ordering;
      ordering.teardown = Teardown{.begun_us = 100, .stopped_us = stopped_us, .pods = pods};
      const auto found = check_teardown(ordering, terms, 34, 2, 100 + wanted_us + off_us);
      EXPECT_EQ(ids(found), off_us == 0 ? "" : "M7") << stopped_us << ' ' << wanted_us;
      EXPECT_FALSE(ordering.teardown);
    }
  }
}

struct EndingRow {
  const char* reason;
  News news{};
  std::vector<BudgetMove> exhausted{};
  bool fits = true;
  PodTerms terms{.restarts = true, .unconditional = false};
};

TEST(Ending, FitsWhatCameToPass) {
  const PolicyInfo who = policy_with_endings();
  const BudgetMove retries{.budget = 0, .used = 3, .exhausted = true};
  const BudgetMove hangs{.budget = 1, .cause = ChargeCause::kHang, .used = 4, .exhausted = true};
  const EndingRow rows[] = {
      {"exhausted(retries)", {}, {retries}},
      {"exhausted(retries)", {}, {}, false},
      {"exhausted(hangs)", {.hang = true}, {hangs}, false},
      {"gave_up(a.hangs)", {.hang = true}, {hangs}},
      {"gave_up(a.hangs)", {.exit = true}, {hangs}, false},
      {"gave_up(a.off)", {.exit = true}},
      {"gave_up(a.off)", {.exit = true}, {}, false, {.unconditional = true}},
      {"gave_up(a.off)", {.exit = true}, {retries}, false},
      {"gave_up(a.nodes)", {.unplaced = true}},
      {"gave_up(a.nodes)", {.exit = true}, {}, false},
      {"stopped_by_user", {.user_stop = true}},
      {"stopped_by_user", {}, {}, false},
      {"gave_up(a.other)", {.exit = true}, {}, false},
      {"unrecoverable(a whim)", {.exit = true}, {}, false},
      {"", {.exit = true}, {}, false},
  };
  for (const EndingRow& row : rows) {
    Ordering ordering;
    ordering.news = row.news;
    ordering.exhausted = row.exhausted;
    EXPECT_EQ(check_ending(ordering, {who, row.terms}, row.reason).empty(), row.fits) << row.reason;
  }
}

// A node counts as isolated when it is, and no longer when its machine is another one.
TEST(FaultyNodes, AreIsolatedBeforePodsAreScheduled) {
  const PolicyInfo who = policy_with_endings();
  const PodTerms terms;
  const Held held{who, terms};
  const Batch batch{.events = {NodeUnreachable{.node = 4, .ranks = RankSet::range(0, 8)},
                               NodeUnreachable{.node = 9}}};
  for (const auto& [stand, found] :
       {std::pair{NodeStand{.machine = 1}, "M2"}, std::pair{NodeStand{.machine = 2}, ""},
        std::pair{NodeStand{.machine = 1, .isolated = true}, ""}}) {
    Ordering ordering;
    Ground ground;
    ground.node = [](NodeId) { return NodeStand{.machine = 1}; };
    take_in(ordering, held, batch, ground);
    ground.node = [stand](NodeId) { return stand; };
    EXPECT_EQ(ids(check(ordering, held, StartAttempt{}, ground, 0)), found);
  }
}

}  // namespace
}  // namespace aftershock::sim::control
