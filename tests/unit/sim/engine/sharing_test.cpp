// Weighted max-min sharing, to the microsecond. Every time is worked out by hand: at 100 MB/s a
// microsecond moves 100 bytes.

#include "sim/engine/sharing.h"

#include <gtest/gtest.h>

#include "tests/unit/sim/engine/toy_world.h"

namespace aftershock::sim::engine {
namespace {

constexpr std::int64_t kPerMicro = 1'000'000;  // bytes a second that are one a microsecond

struct SharingCase {
  std::string name;
  std::int64_t bytes_per_us;
  std::vector<ToyAction> actions;
  std::vector<std::optional<std::int64_t>> ends;
};

void PrintTo(const SharingCase& test, std::ostream* out) { *out << test.name; }

ToyAction flow(std::int64_t at_us, std::int64_t bytes, std::uint32_t weight = 1,
               std::int64_t bytes_per_us = 0) {
  return {.at_us = at_us,
          .bytes = bytes,
          .weight = weight,
          .bound_bytes_per_s = bytes_per_us == 0 ? kUnbounded : bytes_per_us * kPerMicro};
}

ToyAction cancel(std::int64_t at_us, std::uint32_t line) {
  return {.at_us = at_us, .cancels = line};
}

// The resource lets so much through from now on.
ToyAction capacity(std::int64_t at_us, std::int64_t bytes_per_us) {
  return {.at_us = at_us, .capacity = bytes_per_us * kPerMicro};
}

class Sharing : public testing::TestWithParam<SharingCase> {};

std::string wanted_text(const SharingCase& test, std::int64_t shift_us) {
  std::string text;
  for (const auto& end_us : test.ends) {
    text += text.empty() ? "" : " ";
    text += end_us ? std::to_string(*end_us + shift_us) : "-";
  }
  return text;
}

std::vector<ToyAction> shifted(std::vector<ToyAction> actions, std::int64_t shift_us) {
  for (ToyAction& action : actions) {
    action.at_us += shift_us;
  }
  return actions;
}

TEST_P(Sharing, IsFairToTheMicrosecond) {
  const SharingCase& test = GetParam();
  for (const std::int64_t shift_us :
       {std::int64_t{0}, std::int64_t{1}, kFiftyFourDays, kFiftyFourDays + 777'777}) {
    const std::vector<std::int64_t> capacities{test.bytes_per_us * kPerMicro};
    const auto actions = shifted(test.actions, shift_us);
    EXPECT_EQ(toy_ends(capacities, actions, Driver::kAutomatic), wanted_text(test, shift_us))
        << "from " << shift_us;
    EXPECT_EQ(toy_ends(capacities, actions, Driver::kSimGrid), wanted_text(test, shift_us))
        << "inside SimGrid, from " << shift_us;
  }
}

INSTANTIATE_TEST_SUITE_P(
    ByHand, Sharing,
    testing::Values(
        // 50 each.
        SharingCase{"TwoAlike", 100, {flow(0, 1'000'000), flow(0, 1'000'000)}, {20'000, 20'000}},
        // 75 and 25: the first ends at 40,000, when 1,000,000 of the second are done; the other
        // 2,000,000 go at 100.
        SharingCase{
            "ThreeToOne", 100, {flow(0, 3'000'000, 3), flow(0, 3'000'000, 1)}, {40'000, 60'000}},
        // 66 2/3 and 33 1/3: 15,000; then 500,000 at 100.
        SharingCase{
            "TwoToOne", 100, {flow(0, 1'000'000, 2), flow(0, 1'000'000, 1)}, {15'000, 20'000}},
        // A gang of 2,048 nodes beside one of 1: 2,048/2,049 of 2,049.
        SharingCase{"GangAndSingle",
                    2'049,
                    {flow(0, 20'480'000, 2'048), flow(0, 10'000, 1)},
                    {10'000, 10'000}},
        // The rest that the first cannot use goes to the second: 20 and 80.
        SharingCase{"BoundFreesForTheOther",
                    100,
                    {flow(0, 1'000'000, 1, 20), flow(0, 1'000'000)},
                    {50'000, 12'500}},
        // Both bounds fit: nobody is held up.
        SharingCase{"BothWithinTheirBounds",
                    100,
                    {flow(0, 1'000'000, 1, 40), flow(0, 1'000'000, 9, 50)},
                    {25'000, 20'000}},
        // 10, 20, 50: first and third end at 10,000; the second has 200,000 left and all 80.
        SharingCase{"OneTwoFive",
                    80,
                    {flow(0, 100'000, 1), flow(0, 400'000, 2), flow(0, 500'000, 5)},
                    {10'000, 12'500, 10'000}},
        // Fair shares 25, 25, 50, the third bound to 30: 35, 35, 30. From 10,000 on second and
        // third alone, 70 and 30: 350,000 / 70 and 300,000 / 30 more.
        SharingCase{"ThreeWithABound",
                    100,
                    {flow(0, 350'000, 1), flow(0, 700'000, 1), flow(0, 600'000, 2, 30)},
                    {10'000, 15'000, 20'000}},
        // Alone until 3,333 (333,300 done), then 50 each: 13,334 more for the rest of the first;
        // the second has 333,300 left then, at 100.
        SharingCase{"JoinsAtAnOddMicrosecond",
                    100,
                    {flow(0, 1'000'000), flow(3'333, 1'000'000)},
                    {16'667, 20'000}},
        // 120 for 1,001 (120,120), 60 for 1,002 (60,120), then 40: the first's last 119,760 take
        // 2,994. The second then has 20,120 left at 60: 335.33. The third: 360,120 at 120: 3,001.
        // The second ends at 5,332.33, the third at 8,333.33.
        SharingCase{"ThreeJoinOneByOne",
                    120,
                    {flow(0, 300'000), flow(1'001, 200'000), flow(2'003, 500'000)},
                    {4'997, 5'333, 8'334}},
        // 50 each until 7,001 (350,050); 649,950 left at 100: 6,499.5.
        SharingCase{"CancelInMidWay",
                    100,
                    {flow(0, 1'000'000), flow(0, 1'000'000), cancel(7'001, 1)},
                    {13'501, std::nullopt, std::nullopt}},
        SharingCase{"CancelOfTheFirst",
                    100,
                    {flow(0, 1'000'000), flow(0, 1'000'000), cancel(7'001, 0)},
                    {std::nullopt, 13'501, std::nullopt}},
        SharingCase{"CancelOfBoth",
                    100,
                    {flow(0, 1'000'000), flow(0, 1'000'000), cancel(500, 0), cancel(600, 1)},
                    {std::nullopt, std::nullopt, std::nullopt, std::nullopt}},
        // Begun and broken off within one microsecond.
        SharingCase{"CancelAtOnce",
                    100,
                    {flow(0, 1'000'000), flow(5'000, 1'000'000), cancel(5'000, 1)},
                    {10'000, std::nullopt, std::nullopt}},
        // Broken off in the microsecond in which it ends: it has ended before.
        SharingCase{"CancelAtItsEnd",
                    100,
                    {flow(0, 1'000'000), flow(0, 1'000'000), cancel(20'000, 1)},
                    {20'000, 20'000, std::nullopt}},
        // A third takes the place of one that was broken off: 400,000 of the first are done by
        // 8,000, the other 600,000 at 50 take 12,000; the third has 600,000 by then, 400,000 left.
        SharingCase{
            "OneGoesAnotherComes",
            100,
            {flow(0, 1'000'000), flow(0, 1'000'000), cancel(8'000, 1), flow(8'000, 1'000'000)},
            {20'000, std::nullopt, std::nullopt, 24'000}},
        // They do not meet: the second begins when the first has ended.
        SharingCase{"OneAfterTheOther",
                    100,
                    {flow(0, 1'000'000), flow(10'000, 1'000'000)},
                    {10'000, 20'000}},
        // The same, but the second begins before the end of the first is played: nothing is left
        // of the first to share for.
        SharingCase{"BeginsBeforeTheEndIsPlayed",
                    100,
                    {flow(0, 1'000'000),
                     {.at_us = 10'000, .bytes = 1'000'000, .entry_class = EntryClass::kCompletion}},
                    {10'000, 20'000}},
        // Ends within a tenth above a microsecond belong to it, others to the next: 20,000.02 and
        // 20,000.04; 20,000.14 and 25,000.17.
        SharingCase{
            "WithinATenth", 100, {flow(0, 1'000'001), flow(0, 1'000'003)}, {20'000, 20'000}},
        SharingCase{
            "BeyondATenth", 100, {flow(0, 1'000'007), flow(0, 1'500'010)}, {20'001, 25'001}},
        // Contention, rest, contention: SimGrid's clock stands still in between.
        SharingCase{"TwiceWithARestBetween",
                    100,
                    {flow(0, 1'000'000), flow(0, 1'000'000), flow(500'001, 1'000'000),
                     flow(86'400'000'003, 1'000'000), flow(86'400'000'003, 1'000'000)},
                    {20'000, 20'000, 510'001, 86'400'020'003, 86'400'020'003}},
        // Alone: 500,000 at 100, the rest at 50.
        SharingCase{"SlowerUnderWay",
                    100,
                    {flow(0, 1'000'000), capacity(5'000, 50)},
                    {15'000, std::nullopt}},
        // 500,000 at 100, 200,000 at 50, 300,000 at 100.
        SharingCase{"SlowerForAWhile",
                    100,
                    {flow(0, 1'000'000), capacity(5'000, 50), capacity(9'000, 100)},
                    {12'000, std::nullopt, std::nullopt}},
        // 333,300 at 100; 666,700 at 33 take 20,203.03.
        SharingCase{"SlowerByNoWholeFactor",
                    100,
                    {flow(0, 1'000'000), capacity(3'333, 33)},
                    {23'536, std::nullopt}},
        // 50 each for 8,000, then 25 each for the last 600,000.
        SharingCase{"SlowerWhileShared",
                    100,
                    {flow(0, 1'000'000), flow(0, 1'000'000), capacity(8'000, 50)},
                    {32'000, 32'000, std::nullopt}},
        // The same, but 600,000 at 5 each: the slack in SimGrid's clock must not be slowed, too.
        SharingCase{"TenTimesSlower",
                    100,
                    {flow(0, 1'000'000), flow(0, 1'000'000), capacity(8'000, 10)},
                    {128'000, 128'000, std::nullopt}},
        // 75 and 25 for 20,000, then 37.5 and 12.5: the first's 1,500,000 take 40,000; the second
        // has 2,000,000 left then, at 50.
        SharingCase{"SlowerByWeight",
                    100,
                    {flow(0, 3'000'000, 3), flow(0, 3'000'000, 1), capacity(20'000, 50)},
                    {60'000, 100'000, std::nullopt}},
        // 20 and 80 for 10,000, then 15 each: the second's last 200,000 take 13,333.33, and the
        // first has 600,000 left at its own 20.
        SharingCase{"SlowerThanABound",
                    100,
                    {flow(0, 1'000'000, 1, 20), flow(0, 1'000'000), capacity(10'000, 30)},
                    {53'334, 23'334, std::nullopt}},
        // 100,000 at 100 and 100,000 at 50; 25 each for the 800,000 left; then 200,000 at 50.
        SharingCase{"SlowerBeforeAnotherJoins",
                    100,
                    {flow(0, 1'000'000), capacity(1'000, 50), flow(3'000, 1'000'000)},
                    {35'000, std::nullopt, 39'000}}),
    [](const testing::TestParamInfo<SharingCase>& test) { return test.param.name; });

TEST(Sharing, ResourcesDoNotDisturbEachOther) {
  std::vector<ToyAction> actions{flow(0, 1'000'000), flow(0, 1'000'000), flow(10, 1'000'000)};
  actions[2].resource = 1;
  for (const Driver driver : {Driver::kAutomatic, Driver::kSimGrid}) {
    EXPECT_EQ(toy_ends({100 * kPerMicro, 10 * kPerMicro}, actions, driver), "20000 20000 100010");
  }
}

// A thousand flows of one weight that begin a microsecond apart end in the order of their begin,
// the last when all bytes are through.
TEST(Sharing, ManyFlowsConserveBytes) {
  std::vector<ToyAction> actions;
  actions.reserve(500);
  for (std::int64_t i = 0; i < 500; ++i) {
    actions.push_back(flow(i, 100'000));
  }
  // 500 * 100,000 bytes at 100 a microsecond, busy from 0 on.
  const std::string ends = toy_ends({100 * kPerMicro}, actions, Driver::kAutomatic);
  EXPECT_EQ(ends.substr(ends.rfind(' ') + 1), "500000");
}

}  // namespace
}  // namespace aftershock::sim::engine
