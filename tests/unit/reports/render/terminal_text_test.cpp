#include "reports/render/terminal_text.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "reports/render/format.h"
#include "reports/render/junit.h"
#include "reports/results/shell_words.h"

namespace aftershock::reports {
namespace {

struct Shown {
  std::string_view text;
  std::string_view shown;
};

TEST(TerminalText, OneLineCannotDriveATerminalOrACi) {
  for (const Shown& row : {Shown{"gpu-3: é 训", "gpu-3: é 训"}, Shown{"a\x1b[31mb", "a [31mb"},
                           Shown{"a\nb\tc\x7F", "a b c "},
                           Shown{"a\xC2\x9B"
                                 "2J",
                                 "a 2J"},
                           Shown{"a\xE2\x80\xAE"
                                 "b",
                                 "a b"},
                           Shown{"a\xE2\x80\xA8"
                                 "b",
                                 "a b"},
                           Shown{"\xFF", "\xEF\xBF\xBD"}, Shown{"::error::x", "?:error::x"},
                           Shown{"\n ::error::x", "  ?:error::x"}, Shown{"a ::b", "a ::b"}}) {
    EXPECT_EQ(one_line(row.text), row.shown);
  }
}

TEST(TerminalText, PrintedTextKeepsLinesAndColours) {
  for (const Shown& row :
       {Shown{"a\n\tb\n", "a\n\tb\n"},
        Shown{"\x1b[1;31mred\x1b[0m é\n", "\x1b[1;31mred\x1b[0m é\n"}, Shown{"\x1b[2J", "?[2J"},
        Shown{"\x1b]0;title\x07", "?]0;title?"}, Shown{"\x1b[31", "?[31"},
        Shown{"a\rb\xC2\x85", "a?b?"}, Shown{"::error::x", "::error::x"},
        Shown{"\xFF\xE2\x81\xA6", "\xEF\xBF\xBD?"}}) {
    EXPECT_EQ(printed_text(row.text), row.shown);
  }
}

TEST(TerminalText, PrintedJsonIsTheSameJson) {
  for (const Shown& row : {Shown{"{\n \"a\": \"\xC3\xA9\"\n}", "{\n \"a\": \"\xC3\xA9\"\n}"},
                           Shown{"\"\xC2\x9B"
                                 "2J\x7F\"",
                                 "\"\\u009b2J\\u007f\""},
                           Shown{"\"\xE2\x80\xAE\"", "\"\\u202e\""}}) {
    EXPECT_EQ(printed_json(row.text), row.shown);
  }
}

TEST(TerminalText, JunitHasNoControlCharacters) {
  EXPECT_EQ(xml_text("a\n<\xC2\x9B\xE2\x80\xAE>"), "a\n&lt;\xEF\xBF\xBD\xEF\xBF\xBD&gt;");
}

TEST(ShellWords, AreWordsThatAShellTakesAndNothingElse) {
  for (const std::string_view word :
       {"plain", "two words", "it's", "$HOME", "`id`", "a;b", "\x1b[31m", "\\", "'", ""}) {
    EXPECT_TRUE(are_shell_words(" --set " + shell_word(word) + " -n")) << word;
  }
  for (const std::string_view text :
       {"; rm", "$(id)", "`id`", "a > b", "a & b", "'open", "$'open", "$'open\\'", "\"$HOME\"",
        "a\nb", "\\", "~", "*", "'a'\x1b"}) {
    EXPECT_FALSE(are_shell_words(text)) << text;
  }
}

}  // namespace
}  // namespace aftershock::reports
