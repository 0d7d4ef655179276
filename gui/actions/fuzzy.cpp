#include "gui/actions/fuzzy.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace aftershock::gui {

namespace {

constexpr int kNone = std::numeric_limits<int>::min() / 2;
constexpr int kLetter = 10;
constexpr int kAfterAnother = 15;
constexpr int kBeginsWord = 12;
// Texts longer than this are compared by their beginning: a name in a hostile recording may be
// long.
constexpr std::size_t kTextMax = 256;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_word(char c) {
  const char low = lower(c);
  return (low >= 'a' && low <= 'z') || (c >= '0' && c <= '9') ||
         (static_cast<unsigned char>(c) > 127);
}

bool begins_word(std::string_view text, std::size_t i) {
  return i == 0 || (is_word(text[i]) && !is_word(text[i - 1]));
}

}  // namespace

std::optional<int> fuzzy_score(std::string_view typed, std::string_view text) {
  text = text.substr(0, kTextMax);
  // Best score of a match of the letters so far that ends with this letter of the text.
  std::vector<int> ends(text.size(), kNone);
  std::vector<int> next(text.size());
  bool first = true;
  for (const char letter : typed) {
    if (letter == ' ') {
      continue;
    }
    int best_before = kNone;  // of matches that end at least two letters before
    for (std::size_t i = 0; i < text.size(); ++i) {
      const int before = first ? 0 : best_before;
      const int along = first || i == 0 ? kNone : ends[i - 1] + kAfterAnother;
      const int bonus = kLetter + (begins_word(text, i) ? kBeginsWord : 0);
      const int reached = std::max(before, along);
      next[i] = lower(text[i]) == lower(letter) && reached >= 0 ? reached + bonus : kNone;
      if (i > 0) {
        best_before = std::max(best_before, ends[i - 1]);
      }
    }
    std::swap(ends, next);
    first = false;
  }
  const int length = static_cast<int>(text.size());
  if (first) {
    return -length;
  }
  const auto best = std::ranges::max_element(ends);
  if (best == ends.end() || *best < 0) {
    return std::nullopt;
  }
  // The length only parts what is equal otherwise.
  return *best * static_cast<int>(kTextMax + 1) - length;
}

}  // namespace aftershock::gui
