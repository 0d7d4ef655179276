#include "gui/trace/packer.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

using reports::LineKind;
using reports::Record;

Record record_of(LineKind kind, std::int64_t line, std::string_view on) {
  Record record;
  record.kind = kind;
  record.line = line;
  record.t_us = 5;
  record.on = on;
  return record;
}

struct PackerRow {
  const char* why;
  LineKind kind;
  const char* what;
  const char* text;
  Kind span;
  std::uint32_t number;
  bool named;
  const char* kept_what;
  bool keeps_text;
};

class Rows : public ::testing::TestWithParam<PackerRow> {};

TEST_P(Rows, KeepWhatTheTraceNeeds) {
  const PackerRow& row = GetParam();
  const std::string text = row.text;
  Record record = record_of(row.kind, 7, "job:a");
  record.text = text;
  // As the reader has it: within the line, or beside it where it had escapes.
  const std::size_t at = text.find(row.what);
  record.what = at == std::string::npos ? std::string_view(row.what)
                                        : record.text.substr(at, std::string_view(row.what).size());
  Packer packer;
  Batch batch;
  packer.add(batch, record);
  packer.finish(batch);
  ASSERT_EQ(batch.size(), 1U);
  const KeptRecord kept = batch.record(0);
  EXPECT_EQ(kept.kind, row.kind);
  EXPECT_EQ(kept.line, 7);
  EXPECT_EQ(kept.t_us, 5);
  EXPECT_FALSE(kept.has_id);
  EXPECT_LT(kept.cause, 0);
  EXPECT_EQ(kept.span, row.span);
  EXPECT_EQ(kept.number, row.number);
  EXPECT_EQ(kept.what, row.kept_what);
  EXPECT_EQ(kept.text, row.keeps_text ? text : "");
  EXPECT_EQ(kept.name != kNone, row.named);
  EXPECT_EQ(batch.names(), row.named ? 1U : 0U);
}

constexpr PackerRow kRows[]{
    {"a phase", LineKind::kBegin, "training", R"({"what":"training"})", Kind::kProductive, 0, true,
     "", false},
    {"an attempt's number", LineKind::kBegin, "attempt", R"({"what":"attempt","epoch":12})",
     Kind::kAttempt, 12, true, "", false},
    {"a number that is none", LineKind::kBegin, "attempt", R"({"what":"attempt","epoch":-1})",
     Kind::kAttempt, 0, true, "", false},
    {"a checkpoint's number", LineKind::kBegin, "uploading",
     R"({"what":"uploading","checkpoint":3})", Kind::kUploading, 3, true, "", false},
    {"a word of tomorrow", LineKind::kBegin, "dreaming", R"({"what":"dreaming"})", Kind::kOther, 0,
     true, "dreaming", false},
    {"an end", LineKind::kEnd, "", R"({"r":"end"})", Kind::kOther, 0, false, "", false},
    {"a snapshot", LineKind::kSnapshot, "", R"({"r":"snapshot"})", Kind::kOther, 0, false, "",
     false},
    {"an instant", LineKind::kInstant, "ended", R"({"what":"ended"})", Kind::kOther, 0, true,
     "ended", true},
    {"an instant with escapes", LineKind::kInstant, "a\nb", R"({"what":"a\nb"})", Kind::kOther, 0,
     true, "a\nb", true},
    {"a fault", LineKind::kFault, "", R"({"r":"fault"})", Kind::kOther, 0, true, "", true},
    {"a counter", LineKind::kCounter, "", R"({"r":"counter"})", Kind::kOther, 0, true, "", true},
    {"the header", LineKind::kHeader, "", R"({"r":"header"})", Kind::kOther, 0, false, "", true},
};

INSTANTIATE_TEST_SUITE_P(Packer, Rows, ::testing::ValuesIn(kRows));

TEST(Packer, NumbersNamesByFirstAppearanceOverAllBatches) {
  Packer packer;
  std::vector<std::uint32_t> numbers;
  std::vector<std::string> names;
  Batch batch;
  std::int64_t line = 0;
  const auto pack = [&](const std::vector<std::string>& about) {
    batch.clear();
    const std::int64_t first = line + 1;
    for (const std::string& on : about) {
      Record record = record_of(LineKind::kBegin, ++line, on);
      record.id = static_cast<std::uint64_t>(line);
      record.cause = line % 2;
      packer.add(batch, record);
    }
    packer.finish(batch);
    EXPECT_EQ(batch.first_name(), names.size());
    for (std::uint32_t i = 0; i < batch.names(); ++i) {
      names.emplace_back(batch.name(batch.first_name() + i));
    }
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const KeptRecord kept = batch.record(i);
      EXPECT_EQ(kept.line, first + static_cast<std::int64_t>(i));
      EXPECT_EQ(kept.id, static_cast<std::uint64_t>(kept.line));
      EXPECT_TRUE(kept.has_id);
      EXPECT_EQ(kept.cause, kept.line % 2);
      numbers.push_back(kept.name);
    }
  };
  pack({"a", "a", "b", "a", ""});
  pack({"b", "", "", "c"});
  pack({});
  // More than are fetched ahead, and more than the table begins with.
  std::vector<std::string> many;
  for (int i = 0; i < 300; ++i) {
    many.push_back("node:" + std::to_string(i / 2));
  }
  pack(many);
  EXPECT_EQ(std::vector<std::uint32_t>(numbers.begin(), numbers.begin() + 9),
            (std::vector<std::uint32_t>{0, 0, 1, 0, 2, 1, 2, 2, 3}));
  EXPECT_EQ(names.size(), 4U + 150U);
  EXPECT_EQ(std::vector<std::string>(names.begin(), names.begin() + 4),
            (std::vector<std::string>{"a", "b", "", "c"}));
  for (std::size_t i = 0; i < many.size(); ++i) {
    EXPECT_EQ(names[numbers[9 + i]], many[i]);
  }
}

TEST(Packer, ForgetsWhatIsDropped) {
  Packer packer;
  Batch batch;
  packer.add(batch, record_of(LineKind::kBegin, 1, "a"));
  EXPECT_GT(packer.bytes(batch), 0U);
  packer.drop(batch);
  EXPECT_EQ(packer.bytes(batch), 0U);
  packer.finish(batch);
  EXPECT_EQ(batch.size(), 0U);
  EXPECT_EQ(batch.names(), 0U);
}

}  // namespace
}  // namespace aftershock::gui
