#include "policies/modelarts/memory.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"

namespace aftershock::policies::modelarts {
namespace {

TEST(Memory, ReadsWhatItStores) {
  Memory memory{.epoch = 5, .workers = 32, .job_retries = 2, .pod_retries = 1};
  memory.unconditional_runs = 3;
  memory.hang_runs = 2;
  memory.last_exit = "exit 1 \"x\"";
  memory.pods = {{RankSet::range(0, 8), 1, 4}, {RankSet::range(8, 16), 2, 1}};
  memory.chips = {{.node = 3, .accelerator = 7, .code = "ascend:80E01801", .times = {1, 2}}};
  memory.isolated = {{.node = 3, .since_us = 9}};
  const auto read = memory_from_text(text_from_json(to_json(memory)));
  ASSERT_TRUE(read);
  EXPECT_EQ(to_json(*read), to_json(memory));
  EXPECT_EQ(read->pods, memory.pods);
}

TEST(Memory, TakesNothingElseForItsOwn) {
  for (const std::string_view text : {"", "{", "[]", "3", R"({"epoch":-1})", R"({"epoch":"1"})",
                                      R"({"run_attempts":1})", R"({"pods":[{"ranks":3}]})"}) {
    EXPECT_FALSE(memory_from_text(text)) << text;
  }
}

}  // namespace
}  // namespace aftershock::policies::modelarts
