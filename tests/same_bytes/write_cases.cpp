#include <charconv>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "tests/property/random_modelarts.h"
#include "tests/property/random_scenario.h"

namespace {

constexpr const char* kUsage =
    "usage: aftershock_random_cases FOLDER COUNT\n"
    "Writes COUNT random scenarios to FOLDER, every fourth with a job of ModelArts.\n";

bool write(const std::filesystem::path& folder, std::uint64_t number) {
  const bool is_modelarts = number % 4 == 3;
  const std::string text = is_modelarts ? aftershock::sim::random_modelarts(number)
                                        : aftershock::sim::random_scenario(number);
  std::ofstream file(folder / (std::to_string(number) + ".json"));
  file << text;
  return file.flush().good();
}

}  // namespace

int main(int count_of_words, char** words) {
  std::uint64_t count = 0;
  const std::string_view text = count_of_words == 3 ? words[2] : "";
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, count);
  if (text.empty() || read.ec != std::errc() || read.ptr != end) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  for (std::uint64_t number = 0; number < count; ++number) {
    if (!write(words[1], number)) {
      std::fprintf(stderr, "%s: cannot be written to\n", words[1]);
      return 1;
    }
  }
  return 0;
}
