#include "sim/engine/transfers.h"

#include <gtest/gtest.h>

#include "tests/unit/sim/engine/toy_world.h"

namespace aftershock::sim::engine {
namespace {

constexpr std::int64_t kMegabyte = 1'000'000;  // at 1 MB/s a byte takes a microsecond
constexpr std::uint16_t kDone = 9;

struct LengthRow {
  std::int64_t bytes;
  std::int64_t bytes_per_s;
  std::int64_t wanted_us;
};

// ceil(bytes * 10^6 / rate - 1/10)
TEST(TransferLength, RoundsUpUnlessWithinATenth) {
  const LengthRow rows[] = {
      {0, kMegabyte, 0},
      {1, kMegabyte, 1},
      {1'000'000, kMegabyte, 1'000'000},
      {1, 10 * kMegabyte, 0},     // 0.1
      {2, 10 * kMegabyte, 1},     // 0.2
      {10, 10 * kMegabyte, 1},    // 1.0
      {11, 10 * kMegabyte, 1},    // 1.1
      {12, 10 * kMegabyte, 2},    // 1.2
      {19, 10 * kMegabyte, 2},    // 1.9
      {101, 100 * kMegabyte, 1},  // 1.01
      {110, 100 * kMegabyte, 1},  // 1.10
      {111, 100 * kMegabyte, 2},  // 1.11
      {1, 3, 333'334},            // 333333.33
      {2, 3, 666'667},            // 666666.67
      {1, 1, 1'000'000},
      {2'000'000'000'000, 100'000'000'000, 20'000'000},                   // 2 TB at 100 GB/s: 20 s
      {4'000'000'000'000'000'000, 1'000'000'000, 4'000'000'000'000'000},  // beyond 64 bits inside
      {1, 4'000'000'000'000'000'000, 0},
  };
  for (const LengthRow& row : rows) {
    EXPECT_EQ(transfer_length_us(row.bytes, row.bytes_per_s), row.wanted_us)
        << row.bytes << " bytes at " << row.bytes_per_s;
  }
}

TransferRequest request(std::int64_t bytes, std::int64_t bound = kUnbounded,
                        std::uint32_t weight = 1) {
  return {.resource = 0,
          .bytes = bytes,
          .weight = weight,
          .bound_bytes_per_s = bound,
          .entity = 5,
          .epoch = 6,
          .arg = 7};
}

TEST(Transfers, ALoneOneHasTheClosedForm) {
  struct Row {
    std::int64_t bytes;
    std::int64_t bound;
    std::int64_t wanted_us;
  };
  const Row rows[] = {
      {500, kUnbounded, 1'500},     // the resource's 1 MB/s
      {500, kMegabyte / 2, 2'000},  // its own links' 0.5 MB/s
      {500, kMegabyte * 2, 1'500},  // links faster than the resource
      {0, kUnbounded, 1'000},
  };
  for (const Row& row : rows) {
    Calendar calendar;
    Transfers transfers({kMegabyte}, kDone, false);
    transfers.start(calendar, 1'000, request(row.bytes, row.bound));
    EXPECT_TRUE(transfers.orders().empty());
    ASSERT_EQ(calendar.size(), 1U);
    const Entry entry = calendar.pop();
    EXPECT_EQ(entry.t_us, row.wanted_us);
    EXPECT_EQ(entry.kind, kDone);
    TransferRequest taken;
    ASSERT_TRUE(transfers.take_completion(entry, taken));
    EXPECT_EQ(taken.entity, 5U);
    EXPECT_EQ(taken.epoch, 6U);
    EXPECT_EQ(taken.arg, 7);
    EXPECT_FALSE(transfers.take_completion(entry, taken)) << "it is taken";
  }
}

TEST(Transfers, ASecondOneHandsBothOver) {
  Calendar calendar;
  Transfers transfers({kMegabyte}, kDone, false);
  const TransferId first = transfers.start(calendar, 0, request(1'000, kUnbounded, 3));
  const TransferId second = transfers.start(calendar, 400, request(2'000, kMegabyte / 4, 2));
  ASSERT_EQ(transfers.orders().size(), 2U);
  const TransferOrder& one = transfers.orders()[0];
  EXPECT_EQ(one.what, TransferOrder::What::kStart);
  EXPECT_EQ(one.id, first);
  EXPECT_DOUBLE_EQ(one.bytes, 600);  // 400 us at a byte a microsecond are gone
  EXPECT_EQ(one.weight, 3U);
  EXPECT_EQ(one.bound_bytes_per_s, kMegabyte);
  const TransferOrder& two = transfers.orders()[1];
  EXPECT_EQ(two.id, second);
  EXPECT_DOUBLE_EQ(two.bytes, 2'000);
  EXPECT_EQ(two.weight, 2U);
  EXPECT_EQ(two.bound_bytes_per_s, kMegabyte / 4);
  // The closed form's entry is stale now.
  ASSERT_EQ(calendar.size(), 1U);
  TransferRequest taken;
  EXPECT_FALSE(transfers.take_completion(calendar.pop(), taken));
  // The end that the sharing engine found is not.
  transfers.finish_shared(calendar, first, 1'234);
  const Entry entry = calendar.pop();
  EXPECT_EQ(entry.t_us, 1'234);
  EXPECT_TRUE(transfers.take_completion(entry, taken));
}

TEST(Transfers, OthersOnOtherResourcesDoNotContend) {
  Calendar calendar;
  Transfers transfers({kMegabyte, kMegabyte}, kDone, false);
  transfers.start(calendar, 0, request(1'000));
  TransferRequest other = request(1'000);
  other.resource = 1;
  transfers.start(calendar, 0, other);
  EXPECT_TRUE(transfers.orders().empty());
  EXPECT_EQ(calendar.size(), 2U);
}

TEST(Transfers, NothingToMoveDisturbsNobody) {
  Calendar calendar;
  Transfers transfers({kMegabyte}, kDone, false);
  transfers.start(calendar, 0, request(1'000));
  transfers.start(calendar, 10, request(0));
  EXPECT_TRUE(transfers.orders().empty());
  EXPECT_EQ(calendar.pop().t_us, 10);
  EXPECT_EQ(calendar.pop().t_us, 1'000);
}

TEST(Transfers, ACancelledOneNeverCompletes) {
  Calendar calendar;
  Transfers transfers({kMegabyte}, kDone, false);
  const TransferId id = transfers.start(calendar, 0, request(1'000));
  transfers.cancel(id);
  transfers.cancel(id);    // again: ignored
  transfers.cancel(4711);  // unknown: ignored
  EXPECT_TRUE(transfers.orders().empty()) << "the sharing engine has not heard of it";
  TransferRequest taken;
  EXPECT_FALSE(transfers.take_completion(calendar.pop(), taken));
  // It no longer contends.
  transfers.start(calendar, 500, request(1'000));
  EXPECT_TRUE(transfers.orders().empty());
  EXPECT_EQ(calendar.pop().t_us, 1'500);
}

TEST(Transfers, CancellingASharedOneIsAnOrder) {
  Calendar calendar;
  Transfers transfers({kMegabyte}, kDone, false);
  transfers.start(calendar, 0, request(1'000));
  const TransferId second = transfers.start(calendar, 0, request(1'000));
  transfers.clear_orders();
  transfers.cancel(second);
  ASSERT_EQ(transfers.orders().size(), 1U);
  EXPECT_EQ(transfers.orders()[0].what, TransferOrder::What::kCancel);
  EXPECT_EQ(transfers.orders()[0].id, second);
}

// The engine may have said that it ended in the very microsecond in which it is broken off.
TEST(Transfers, CancelBeatsACompletionThatWasNotPlayed) {
  Calendar calendar;
  Transfers transfers({kMegabyte}, kDone, false);
  transfers.start(calendar, 0, request(1'000));
  const TransferId second = transfers.start(calendar, 0, request(1'000));
  transfers.finish_shared(calendar, second, 2'000);
  transfers.cancel(second);
  calendar.pop();  // the first one's closed form
  TransferRequest taken;
  EXPECT_FALSE(transfers.take_completion(calendar.pop(), taken));
}

TEST(Transfers, ShareAllHandsOverFromTheStart) {
  Calendar calendar;
  Transfers transfers({kMegabyte}, kDone, true);
  transfers.start(calendar, 0, request(1'000));
  EXPECT_EQ(transfers.orders().size(), 1U);
  EXPECT_TRUE(calendar.empty());
  transfers.start(calendar, 7, request(0));  // nothing to hand over
  EXPECT_EQ(transfers.orders().size(), 1U);
  EXPECT_EQ(calendar.pop().t_us, 7);
}

// The bare calendar and SimGrid give the same times for transfers that never meet.
TEST(Transfers, BothDriversAgreeWhereNothingContends) {
  std::vector<ToyAction> actions;
  std::int64_t at_us = 0;
  for (std::int64_t i = 0; i < 300; ++i) {
    // Lengths with parts of microseconds, gaps with parts of milliseconds; each ends before the
    // next begins.
    actions.push_back({.at_us = at_us,
                       .bytes = 3'333'331 + i * 7'777,
                       .bound_bytes_per_s = i % 3 == 0 ? 7 * kMegabyte : kUnbounded});
    at_us += 900'001 + i * 13;
    if (i == 150) {
      at_us += kFiftyFourDays;
    }
  }
  const std::vector<std::int64_t> capacities{13 * kMegabyte};
  const std::string bare = toy_ends(capacities, actions, Driver::kAutomatic);
  EXPECT_EQ(bare, toy_ends(capacities, actions, Driver::kSimGrid));
  // 3,333,331 bytes at 7 MB/s: 476,190.14 us, so 476,191.
  EXPECT_EQ(bare.substr(0, bare.find(' ')), "476191");
}

}  // namespace
}  // namespace aftershock::sim::engine
