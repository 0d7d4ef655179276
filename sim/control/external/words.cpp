#include <cstddef>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sim/control/external/shell_words.h"

namespace aftershock::sim::control {

std::variant<std::vector<std::string>, std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  char quote = '\0';
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    const bool more = at + 1 < text.size();
    if (quote == '\0' && (letter == ' ' || letter == '\t' || letter == '\n')) {
      if (word) {
        words.push_back(*std::exchange(word, std::nullopt));
      }
      continue;
    }
    // Quotes with nothing in them are a word, too.
    word = std::move(word).value_or(std::string());
    if (quote == '\0' && (letter == '\'' || letter == '"')) {
      quote = letter;
    } else if (quote == letter && quote != '\0') {
      quote = '\0';
    } else if (letter == '\\' && quote != '\'') {
      if (!more) {
        return "ends with a backslash that quotes nothing";
      }
      const char next = text[at + 1];
      if (quote == '"' && next != '"' && next != '\\') {
        *word += letter;  // as a shell has it
      }
      *word += next;
      ++at;
    } else {
      *word += letter;
    }
  }
  if (quote != '\0') {
    return fmt::format("the quote {} does not end", quote);
  }
  if (word) {
    words.push_back(*std::move(word));
  }
  if (words.empty() || words.front().empty()) {
    return "names no program";
  }
  return words;
}

}  // namespace aftershock::sim::control
