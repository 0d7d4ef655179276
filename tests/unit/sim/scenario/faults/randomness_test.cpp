#include "sim/scenario/faults/randomness.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/scenario/read/read.h"
#include "tests/unit/sim/scenario/smallest.h"

namespace aftershock::sim::scenario {
namespace {

bool random_with(const std::string& text, const std::vector<std::string>& sets) {
  ReadOptions options;
  options.sets = sets;
  const auto read = read_scenario_text(text, "random.json", options);
  const auto* scenario = std::get_if<ReadScenario>(&read);
  if (scenario == nullptr) {
    ADD_FAILURE() << format(std::get<1>(read).front());
    return false;
  }
  return draws_random_numbers(scenario->scenario);
}

TEST(Randomness, IsWhatAnotherSeedMayChange) {
  const std::string crash = R"({"kind": "node_crash", "target": "node:gpu-1", "at": "2s")";
  const std::string spread = R"({"uniform": ["1s", "9s"]})";
  const std::string repair = "/cluster/pools/0/repair=" + spread;
  const auto faults = [](const std::string& fault) { return "/faults=[" + fault + "]"; };
  struct Row {
    std::vector<std::string> sets;
    bool random;
  };
  for (const Row& row : std::vector<Row>{
           {{}, false},
           {{faults(crash + "}")}, false},
           {{faults(crash + R"(, "lasts": "5s"})")}, false},
           {{faults(crash + R"(, "lasts": )" + spread + "}")}, true},
           {{faults(R"({"kind": "node_crash", "target": "pool:gpu",
                        "source": {"rate": "3/1000 node-days"}})")},
            true},
           {{faults(R"({"kind": "node_crash", "target": "pool:gpu", "lasts": "1s",
                        "source": {"maintenance": {"every": "3s"}}})")},
            false},
           {{faults(R"({"kind": "node_crash", "target": "pool:gpu", "lasts": "1s",
                        "source": {"per": "node", "occurrences":
                                   [{"nth": 0, "at": "2s", "target": "node:gpu-1"}]}})")},
            false},
           // Which of the ranks hangs is drawn, unless it is named.
           {{faults(R"({"kind": "hang", "target": "job:llm", "at": "2s"})")}, true},
           {{faults(R"({"kind": "hang", "target": "job:llm/rank:3", "at": "2s"})")}, false},
           {{faults(R"({"kind": "user_interrupt", "target": "job:llm", "at": "2s"})")}, false},
           {{faults(R"({"kind": "accelerator_fault", "code": "xid:79", "target": "node:gpu-1",
                        "at": "2s"})")},
            true},
           {{faults(R"({"kind": "accelerator_fault", "code": "xid:79",
                        "target": "accelerator:gpu-1/3", "at": "2s"})")},
            false},
           {{faults(R"({"kind": "accelerator_fault", "code": "xid:79", "heal_fails": 0.5,
                        "target": "accelerator:gpu-1/3", "at": "2s"})")},
            true},
           // Without a fault nothing is repaired.
           {{repair}, false},
           {{repair, faults(crash + "}")}, true},
           {{"/cluster/pools/0/repair=5s", faults(crash + "}")}, false},
           {{"/cluster/pools/0/replacement=provision", "/cluster/pools/0/provision=" + spread,
             faults(crash + "}")},
            true},
           {{"/cluster/heads=[{\"name\": \"h\", \"restart\": {\"after\": " + spread + "}}]",
             faults(R"({"kind": "head_crash", "target": "head:h", "at": "2s"})")},
            true},
           {{R"(/jobs/0/phases={"launching": "5s"})"}, false},
           {{R"(/jobs/0/phases={"launching": {"uniform": ["5s", "5s"]}})"}, false},
           {{R"(/jobs/0/phases={"launching": {"uniform": ["5s", "6s"]}})"}, true},
           {{R"(/jobs/0/phases={"launching": {"empirical": ["5s", "5s"]}})"}, false},
           {{R"(/jobs/0/phases={"launching": {"empirical": ["5s", "6s"]}})"}, true},
           {{R"(/jobs/0/phases={"launching": {"exponential": {"mean": "5s"}}})"}, true}}) {
    std::string what;
    for (const std::string& set : row.sets) what += set + "\n";
    EXPECT_EQ(random_with(kSmallest, row.sets), row.random) << what;
  }
}

}  // namespace
}  // namespace aftershock::sim::scenario
