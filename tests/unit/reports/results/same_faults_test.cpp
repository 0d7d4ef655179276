#include "reports/results/same_faults.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace aftershock::reports {
namespace {

TEST(Comparison, SaysWhereFaultsAreDrawnAnew) {
  StoreHeader header;
  header.cells = {{"one", "p@1", {}}, {"other", "q@1", {}}};
  for (const auto& [place, same] : {std::pair{"/cluster/pools/0/spares", false},
                                    {"/cluster/pools/1/max_nodes", false},
                                    {"/cluster/pools/0", false},
                                    {"/cluster/pools/0/replacement", true},
                                    {"/faults/0/source/exponential/mtbf", false},
                                    {"/faults/0", false},
                                    {"/faults/0/notice", true},
                                    {"rates", false},
                                    {"/jobs/0/workers", true},
                                    {"policy", true}}) {
    header.cells[0].parameters = {{place, "1"}};
    header.cells[1].parameters = {{place, "2"}};
    EXPECT_EQ(meet_the_same_faults(header), same) << place;
    header.cells[1].parameters = header.cells[0].parameters;
    EXPECT_TRUE(meet_the_same_faults(header)) << place;
  }
}

}  // namespace
}  // namespace aftershock::reports
