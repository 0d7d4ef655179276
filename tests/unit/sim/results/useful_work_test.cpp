// The work that is still there when a run ends, and the time that it is held against. Every number
// follows from the base scenario of the harness: 100 steps of 10 s from 0 on, done at 1,000 s.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::results {
namespace {

using world::operator""_s;

struct Row {
  const char* why;
  std::string patch;
  std::string at_end;
  std::int64_t useful_us;
  std::int64_t of_us;
  std::int64_t steps;
  double ettr;  ///< below 0: not looked at
};

// A save every 100 s that takes no time, and no retry.
std::string saving(const std::string& rest, const std::string& limit = "0") {
  return R"({"job":{"checkpoint":{"every":"100s"},"policy":{"config":{"max_failures":)" + limit +
         "}}}" + rest + "}";
}

TEST(UsefulWork, IsWhatIsThereAtTheHorizon) {
  const std::string crash =
      R"(,"faults":[{"kind":"worker_crash","target":"job:a/rank:1","at":"250s"}])";
  const std::string hang = R"(,"faults":[{"kind":"hang","target":"job:a/rank:1","at":"250s"}])";
  const std::vector<Row> rows{
      {"it completes: of its own time", "{}", "completed", 1000_s, 1000_s, 100, 1},
      {"long before the horizon: still of its own", R"({"until":"10h"})", "completed", 1000_s,
       1000_s, 100, 1},
      {"it has yet to begin", R"({"until":"50s","job":{"phases":{"launching":"2min"}}})",
       "starting", 0, 50_s, 0, 0},
      {"it trains at the horizon: all of it", R"({"until":"555s"})", "training", 555_s, 555_s, 55,
       1},
      {"it fails: what was saved, of the whole horizon", saving(R"(,"until":"2000s")" + crash),
       "failed", 200_s, 2000_s, 20, 200.0 / 251},
      // Its last save is seen by a poll at 1,002 s.
      {"without a horizon: of what the run takes without faults", saving(crash), "failed", 200_s,
       1002_s, 20, -1},
      {"nothing saved, nothing there",
       R"({"until":"2000s","job":{"policy":{"config":{"max_failures":0}}})" + crash + "}", "failed",
       0, 2000_s, 0, 0},
      {"it hangs for good, unseen, until the horizon",
       R"({"until":"3h","job":{"checkpoint":{"every":"100s"},"collective_timeout":"none"})" + hang +
           "}",
       "stuck", 200_s, 10800_s, 20, 250.0 / 10800},
      {"it hangs for its last day and longer, to be seen after the horizon",
       R"({"until":"2d","job":{"checkpoint":{"every":"100s"},"collective_timeout":"10d"})" + hang +
           "}",
       "stuck", 200_s, 172800_s, 20, 250.0 / 172800},
      {"for more than half of a day, of which an hour would do",
       R"({"until":"12h","job":{"checkpoint":{"every":"100s"},"collective_timeout":"10d"})" + hang +
           "}",
       "stuck", 200_s, 43200_s, 20, 250.0 / 43200},
      {"for less than an hour: its collective may have given up soon",
       R"({"until":"3800s","job":{"checkpoint":{"every":"100s"},"collective_timeout":"10d"})" +
           hang + "}",
       "training", 250_s, 3800_s, 25, 250.0 / 3800},
      {"it waits for a node that comes after the horizon",
       saving(R"(,"until":"2000s","faults":[{"kind":"node_crash","target":"node:p-1","at":"250s",)"
              R"("lasts":"1h"}])",
              "3"),
       "waiting", 200_s, 2000_s, 20, -1},
      {"it has waited for its last day and longer",
       saving(R"(,"until":"2d","faults":[{"kind":"node_crash","target":"node:p-1","at":"250s",)"
              R"("lasts":"3d"}])",
              "3"),
       "stuck", 200_s, 172800_s, 20, -1},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.why);
    const nlohmann::json job = world::simulated(row.patch).job();
    EXPECT_EQ(job["at_end"], row.at_end);
    EXPECT_EQ(job["useful_us"], row.useful_us);
    EXPECT_EQ(job["useful_of_us"], row.of_us);
    EXPECT_EQ(job["useful_steps"], row.steps);
    EXPECT_EQ(job["useful_accelerator_us"], 4 * row.useful_us);
    EXPECT_DOUBLE_EQ(job["useful_share"],
                     static_cast<double>(row.useful_us) / static_cast<double>(row.of_us));
    if (row.ettr >= 0) {
      EXPECT_NEAR(job["ettr"].get<double>(), row.ettr, 0.01);
    }
    EXPECT_EQ(job["finish_us"].is_null(), row.at_end != "completed");
  }
}

TEST(UsefulWork, AJobThatWaitsForTheNodesOfAnotherIsNotStuck) {
  const world::Outcomes run = world::simulated(R"({"until": "2d", "pool": {"nodes": 2},
    "jobs": [{"name": "a", "workers": 4, "steps": 100000},
             {"name": "b", "workers": 4, "steps": 10}]})");
  EXPECT_EQ(run.job(0)["at_end"], "training");
  EXPECT_EQ(run.job(1)["at_end"], "waiting");
}

// Two of four workers go on from zero for 1,000 s, in which they do the work of 500 s. The list of
// nodes is of 100 s when the loss is seen at 110 s, so that a start of all four waits 60 s first.
TEST(UsefulWork, OfASmallerGroupIsThePartThatItIs) {
  const nlohmann::json job =
      world::simulated(
          R"({"job":{"detection":{"fixed":"10s"},"policy":{"config":{"max_failures":9,)"
          R"("num_workers":[2,4]}},"steps":1000},"until":"1170s",)"
          R"("faults":[{"kind":"node_crash","target":"node:p-1","at":"100s"}]})")
          .job();
  EXPECT_EQ(job["at_end"], "training");
  EXPECT_EQ(job["useful_us"], 500_s);
  EXPECT_EQ(job["useful_steps"], 50);
  EXPECT_EQ(job["useful_accelerator_us"], 4 * 500_s);
  EXPECT_EQ(job["useful_of_us"], 1170_s);
  EXPECT_DOUBLE_EQ(job["ettr"], 1000.0 / 1170) << "takes time at any size for whole";
}

// The rest of the horizon is accounted for without an entry that is played for it.
TEST(UsefulWork, AStuckJobIsBookedToTheHorizon) {
  const auto hanging = [](const std::string& until) {
    return world::simulated(
        R"({"job":{"collective_timeout":"none"},)"
        R"("faults":[{"kind":"hang","target":"job:a/rank:1","at":"250s"}],"until":")" +
        until + R"("})");
  };
  const world::Outcomes night = hanging("12h");
  const world::Outcomes month = hanging("30d");
  EXPECT_EQ(night.wall(), 43200_s);
  EXPECT_EQ(night.ledger().at("undetected"), 43200_s - 250_s);
  EXPECT_EQ(night.summary["simulated_us"], 43200_s);
  EXPECT_EQ(month.wall(), 30 * 86400_s);
  EXPECT_EQ(month.summary["events"], night.summary["events"]);
}

TEST(UsefulWork, OfTrialsThatDoNotTrainWhatTheyReported) {
  const world::Outcomes run = world::simulated(R"({"experiments":[{}],"until":"55s"})");
  EXPECT_EQ(run.experiment()["at_end"], "training");
  EXPECT_EQ(run.experiment()["useful_us"], 4 * 55_s);
  EXPECT_EQ(run.experiment()["useful_of_us"], 4 * 55_s);
  const world::Outcomes whole = world::simulated(R"({"experiments":[{}]})");
  EXPECT_EQ(whole.experiment()["at_end"], "completed");
  EXPECT_EQ(whole.experiment()["useful_share"], 1.0);
  EXPECT_EQ(whole.experiment()["finish_us"], 100_s);
}

// Four trials of 100 s, of which one raises at 55 s, with 50 s saved: the time until the horizon,
// or that of what it was to do yet, counts as time without work, so that the sooner it is given up
// the worse.
TEST(UsefulWork, ATrialThatIsGivenUpLeavesItsWorkUndone) {
  struct GivenUp {
    std::string what;
    std::string more;
    std::int64_t useful_us;
    std::int64_t least_of_us;
  };
  const std::vector<GivenUp> rows{
      {"until all are done", "", 350_s, 400_s + 5_s},
      {"until they had 20 s more", R"(,"until":"75s")", 3 * 75_s + 50_s, 4 * 75_s},
      {"until long after: as of a job that failed", R"(,"until":"1000s")", 350_s, 300_s + 1000_s},
      {"it is tried again", R"(,"max_failures":1)", 400_s, 400_s},
  };
  for (const GivenUp& row : rows) {
    SCOPED_TRACE(row.what);
    const bool again = row.more.find("max_failures") != std::string::npos;
    const world::Outcomes run = world::simulated(
        R"({"experiments":[{"policy":{"config":{"max_failures":)" + std::string(again ? "1" : "0") +
        R"(}}}],"faults":[{"kind":"worker_crash","target":"experiment:x/trial:1","at":"55s"}])" +
        (again ? "" : row.more) + "}");
    EXPECT_EQ(run.experiment()["useful_us"], row.useful_us);
    EXPECT_GE(run.experiment()["useful_of_us"], row.least_of_us);
    EXPECT_LE(run.experiment()["useful_of_us"], row.least_of_us + 60_s) << "restarts take some";
  }
}

TEST(UsefulWork, AnExperimentThatHasNotTrainedForItsLastDayIsStuck) {
  struct Lost {
    std::string what;
    std::string at_end;
    std::string more;
  };
  const std::string lost =
      R"("faults":[{"kind":"node_crash","target":"node:p-0","at":"50s","lasts":"5d"},)"
      R"({"kind":"node_crash","target":"node:p-1","at":"50s","lasts":"5d"}])";
  const std::vector<Lost> rows{
      {"for 23 h", "waiting", R"(,"until":"23h")"},
      {"for two days", "stuck", R"(,"until":"2d")"},
      {"it is back before that", "completed", R"(,"until":"6d")"},
  };
  for (const Lost& row : rows) {
    SCOPED_TRACE(row.what);
    const world::Outcomes run = world::simulated(R"({"experiments":[{}],)" + lost + row.more + "}");
    EXPECT_EQ(run.experiment()["at_end"], row.at_end);
    EXPECT_EQ(run.summary["verdict"] == "stuck", row.at_end == "stuck");
  }
}

}  // namespace
}  // namespace aftershock::sim::results
