#include "gui/scene/lost_index.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

std::vector<Stretch> lost_by(const LostIndex& index, const Directory& directory,
                             const std::string& entity, std::int64_t from_us, std::int64_t to_us) {
  const auto found = index.between(key_of(directory, entity).value(), from_us, to_us);
  return {found.begin(), found.end()};
}

TEST(LostIndex, TellsWhatAJobAndAnExperimentWithItsTrialsLost) {
  Trace trace;
  trace.header.jobs = {{"llm", "p", 1, 1, "gpu", {}, 0}};
  trace.header.experiments.push_back({.name = "search",
                                      .policy = "p",
                                      .pool = "gpu",
                                      .trials = 5,
                                      .accelerators_e4 = 10'000,
                                      .steps = 10});
  const Directory directory = make_directory(trace.header, {});
  const auto lose = [&](const std::string& entity, std::int64_t begin_us, std::int64_t end_us) {
    trace.rolled_back.push_back(
        {.entity = trace.entities.add(entity), .begin_us = begin_us, .end_us = end_us});
  };
  lose("job:llm", 10, 20);
  lose("experiment:search/trial:2", 5, 30);
  lose("experiment:search/trial:4", 25, 40);
  lose("job:another", 0, 100);
  LostIndex index;
  index.update(trace, directory);
  EXPECT_EQ(lost_by(index, directory, "job:llm", 0, 100), (std::vector<Stretch>{{10, 20}}));
  EXPECT_EQ(lost_by(index, directory, "experiment:search/trial:4", 0, 100),
            (std::vector<Stretch>{{25, 40}}));
  EXPECT_EQ(lost_by(index, directory, "experiment:search", 0, 100),
            (std::vector<Stretch>{{5, 40}}));
  EXPECT_TRUE(lost_by(index, directory, "experiment:search/trial:3", 0, 100).empty());
  EXPECT_TRUE(lost_by(index, directory, "job:llm", 20, 100).empty()) << "it had ended by then";
  lose("job:llm", 50, 60);
  index.update(trace, directory);
  EXPECT_EQ(lost_by(index, directory, "job:llm", 15, 51),
            (std::vector<Stretch>{{10, 20}, {50, 60}}));
}

}  // namespace
}  // namespace aftershock::gui
