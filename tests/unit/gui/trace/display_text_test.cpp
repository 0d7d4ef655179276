#include "gui/trace/display_text.h"

#include <random>

#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

TEST(DisplayText, ShowsWhatCannotBeSeen) {
  struct Case {
    std::string_view bytes;
    std::string_view shown;
  };
  constexpr Case kCases[] = {
      {"node:gpu-3", "node:gpu-3"},
      {"<b>&amp;", "<b>&amp;"},
      {"", ""},
      {std::string_view("a\nb\tc\0d\x1b[31m\x7f", 13), "a\\x0ab\\x09c\\x00d\\x1b[31m\\x7f"},
      {"\u00e9\u4e2d\U0001f600", "\u00e9\u4e2d\U0001f600"},
      {"\xff\xc3(", "\\xff\\xc3("},
      // Overlong, a surrogate, beyond the last, and cut off.
      {"\xc0\xaf", "\\xc0\\xaf"},
      {"\xed\xa0\x80", "\\xed\\xa0\\x80"},
      {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
      {"\xe4\xb8", "\\xe4\\xb8"},
      // Turns what follows around; joins; is not there at all.
      {"a\u202eb\u2066\u200bc\ufeff", "a\\u202eb\\u2066\\u200bc\\ufeff"},
      {"\u0085\u00ad\u2028", "\\u0085\\u00ad\\u2028"},
  };
  for (const Case& each : kCases) {
    EXPECT_EQ(display_text(each.bytes), each.shown);
  }
}

TEST(DisplayText, IsBounded) {
  EXPECT_EQ(display_text("abcdef", 6), "abcdef");
  EXPECT_EQ(display_text("abcdef", 5), "abcd\u2026");
  EXPECT_EQ(display_text("ab\u00e9\u00e9ef", 4), "ab\u00e9\u2026");
  EXPECT_EQ(display_text("ab\n", 5), "ab\u2026") << "an escape is shown whole or not at all";
  EXPECT_EQ(display_text("abc", 1), "\u2026");
  EXPECT_EQ(display_text("abc", 0), "");
  EXPECT_EQ(display_text(std::string(std::size_t{1} << 26U, 'x'), 3), "xx\u2026");
}

TEST(DisplayText, OfAnythingIsAsLongAsItSays) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes;
    for (auto n = random() % 30; n > 0; --n) {
      bytes += static_cast<char>(random());
    }
    const std::size_t most = random() % 20;
    const std::string shown = display_text(bytes, most);
    std::size_t glyphs = 0;
    for (const char c : shown) {
      glyphs += (static_cast<unsigned char>(c) & 0xc0U) != 0x80U ? 1 : 0;
      ASSERT_GE(static_cast<unsigned char>(c), 0x20);
    }
    EXPECT_LE(glyphs, most);
    EXPECT_EQ(display_text(shown, 1000), shown) << "it has nothing left to be made visible";
  }
}

}  // namespace
}  // namespace aftershock::gui
