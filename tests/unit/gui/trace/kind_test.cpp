#include "gui/trace/kind.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "gui/trace/spans.h"
#include "reports/ledger/bucket.h"

namespace aftershock::gui {
namespace {

TEST(Kind, OfTheWordOfASpan) {
  struct Case {
    std::string_view what;
    Kind kind;
  };
  constexpr Case kCases[] = {
      {"training", Kind::kProductive},
      {"checkpointing", Kind::kCheckpointBlocking},
      {"restoring", Kind::kRestoring},
      {"controller_down", Kind::kControllerDown},
      {"attempt", Kind::kAttempt},
      {"uploading", Kind::kUploading},
      {"committing", Kind::kCommitting},
      {"down", Kind::kDown},
      {"slow", Kind::kSlow},
      {"", Kind::kOther},
      {"Training", Kind::kOther},
      {"a word of tomorrow", Kind::kOther},
      // A kind that takes no time does not make a span, whatever a recording calls it.
      {"fault", Kind::kOther},
      {"decision", Kind::kOther},
      {"mark", Kind::kOther},
  };
  for (const Case& each : kCases) {
    EXPECT_EQ(kind_of_span(each.what), each.kind) << each.what;
  }
}

TEST(Kind, EveryBucketOfTheLedgerIsOneUnderItsName) {
  for (std::size_t i = 0; i < reports::kBucketCount; ++i) {
    EXPECT_EQ(name_of(kind_of(static_cast<reports::Bucket>(i))), reports::kBucketNames[i]);
  }
}

TEST(Kind, NamesAndMasksTellAllApart) {
  std::set<std::string_view> names(kKindNames.begin(), kKindNames.end());
  EXPECT_EQ(names.size(), kKinds);
  KindMask all = 0;
  for (std::size_t i = 0; i < kKinds; ++i) {
    EXPECT_EQ(all & mask_of(static_cast<Kind>(i)), 0U);
    all |= mask_of(static_cast<Kind>(i));
  }
  EXPECT_EQ(all, (std::uint64_t{1} << kKinds) - 1);
}

TEST(Kind, SeveritiesAreAnOrder) {
  std::set<int> all;
  for (std::size_t i = 0; i < kKinds; ++i) {
    all.insert(severity(static_cast<Kind>(i)));
  }
  EXPECT_EQ(all.size(), kKinds);
  EXPECT_EQ(*all.begin(), 0);
  const Kind order[] = {Kind::kFault, Kind::kDown, Kind::kRestoring, Kind::kUploading,
                        Kind::kProductive};
  EXPECT_TRUE(std::ranges::is_sorted(order, std::greater<>(), severity));
}

}  // namespace
}  // namespace aftershock::gui
