#include "reports/render/csv_table.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace aftershock::reports {
namespace {

using Json = nlohmann::ordered_json;

TEST(CsvTable, EveryMemberIsAColumnInTheOrderInWhichItIsMet) {
  const Json rows = {{{"name", "a, \"b\""}, {"ettr", {{"value", 0.1}, {"low", -0.25}}}},
                     {{"name", "=1+1"}, {"ettr", nullptr}, {"lost_us", 9'007'199'254'740'993}}};
  EXPECT_EQ(csv_table(rows),
            "name,ettr.value,ettr.low,lost_us\r\n"
            "\"a, \"\"b\"\"\",0.1,-0.25,\r\n"
            "'=1+1,,,9007199254740993\r\n");
}

TEST(CsvTable, ListsOfWordsAreACellAndListsOfObjectsAreLeftOut) {
  const Json rows = {{{"profiles", {"2.43", "2026-05"}},
                      {"ok", true},
                      {"charges", Json::array({{{"t_us", 1}}})},
                      {"none", Json::array()}}};
  EXPECT_EQ(csv_table(rows), "profiles,ok,none\r\n2.43 2026-05,true,\r\n");
}

TEST(CsvTable, NoRowsAreNothing) { EXPECT_EQ(csv_table(Json::array()), ""); }

TEST(CsvTable, NumbersKeepAllTheirDigits) {
  EXPECT_EQ(csv_table({{{"x", 0.30000000000000004}}}), "x\r\n0.30000000000000004\r\n");
}

}  // namespace
}  // namespace aftershock::reports
