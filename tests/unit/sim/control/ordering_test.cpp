#include "sim/control/ordering.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace aftershock::sim {
namespace {

using namespace policies;

PolicyInfo info() {
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
  const PolicyInfo who = info();
  const PodTerms terms;
  Ordering ordering;
  ordering.charges = {.used = {}, .started = true, .paid = true};
  const Ground ground{.pods = GetParam().pods,
                      .node = [](NodeId) { return NodeStand{.usable = false}; },
                      .places = [] { return std::vector<PodPlace>{}; }};
  EXPECT_EQ(ids(check(ordering, {who, terms}, GetParam().command, ground, 0)), GetParam().ids);
}

const RecreatePods kPods{.epoch = 2, .ranks = RankSet::range(0, 8)};

INSTANTIATE_TEST_SUITE_P(
    Row, Stands,
    testing::Values(StandRow{"heal", SelfHeal{}, PodStand::kKept, ""},
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

struct TeardownRow {
  std::int64_t stopped_us;
  std::optional<DurationUs> async_us;
  std::int64_t wanted_us;
};

// min(processes + volumes, N), and never before the processes are gone; 40 us of volumes.
TEST(Teardown, TakesProcessesAndVolumes) {
  constexpr std::int64_t kUnmountUs = 40;
  for (const auto& [stopped_us, async_us, wanted_us] :
       {TeardownRow{5, {}, 45}, TeardownRow{0, {}, 40}, TeardownRow{5, 10, 10},
        TeardownRow{5, 3, 5}, TeardownRow{5, 60, 45}}) {
    PodTerms terms;
    terms.unmount_async_after_us = async_us;
    for (const std::int64_t off_us : {-1, 0, 1}) {
      Ordering ordering;
      ordering.teardown = Teardown{.begun_us = 100, .stopped_us = stopped_us};
      const auto found = check_teardown(ordering, terms, kUnmountUs, 100 + wanted_us + off_us);
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
  const PolicyInfo who = info();
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
  const PolicyInfo who = info();
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
}  // namespace aftershock::sim
