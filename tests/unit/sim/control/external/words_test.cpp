#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/control/external/shell_words.h"

namespace aftershock::sim::control {
namespace {

struct CommandLine {
  std::string_view text;
  std::vector<std::string> words;  ///< empty: an error
};

// The output of `printf '%s\n' TEXT` in a POSIX shell, expansions apart (XCU 2.2).
TEST(SplitWords, AsAShellQuotes) {
  const std::vector<CommandLine> rows = {
      {"python3 mine.py", {"python3", "mine.py"}},
      {"  a\tb\n", {"a", "b"}},
      {"'a b' c", {"a b", "c"}},
      {"a' 'b", {"a b"}},
      {R"("a \"b\" \\ \n")", {R"(a "b" \ \n)"}},
      {R"(a\ b \$HOME)", {"a b", "$HOME"}},
      {R"('\')", {"\\"}},
      {"a '' b", {"a", "", "b"}},
      {"$HOME *;rm", {"$HOME", "*;rm"}},
      {"", {}},
      {"   ", {}},
      {"'' a", {}},
      {"'a", {}},
      {"\"a", {}},
      {"a\\", {}},
  };
  for (const CommandLine& row : rows) {
    const auto split = split_words(row.text);
    const auto* words = std::get_if<std::vector<std::string>>(&split);
    EXPECT_EQ(words == nullptr, row.words.empty()) << row.text;
    if (words != nullptr) {
      EXPECT_THAT(*words, ::testing::ElementsAreArray(row.words)) << row.text;
    }
  }
}

}  // namespace
}  // namespace aftershock::sim::control
