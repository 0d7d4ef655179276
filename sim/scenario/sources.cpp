#include "sim/scenario/sources.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>
#include <utility>

namespace aftershock::sim {
namespace {

constexpr std::size_t kLargestFile = std::size_t{64} << 20U;

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

std::uint32_t Sources::add(Source source) {
  sources_.push_back(std::move(source));
  return static_cast<std::uint32_t>(sources_.size() - 1);
}

ScenarioError Sources::error_at(Place place) const {
  const Source& source = at(place.source);
  ScenarioError error;
  error.file = source.name;
  if (!source.has_lines) return error;
  const std::string_view before = std::string_view(source.text).substr(0, place.offset);
  const auto last_break = before.rfind('\n');
  const auto line_start = last_break == std::string_view::npos ? 0 : last_break + 1;
  error.line = 1 + static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
  const std::string_view in_line = before.substr(line_start);
  error.column = 1 + static_cast<std::uint64_t>(
                         std::count_if(in_line.begin(), in_line.end(), begins_character));
  return error;
}

std::variant<std::string, FileProblem> read_file(const std::filesystem::path& path) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) return FileProblem{"is a directory, not a file"};
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
  if (!file) {
    return FileProblem{"cannot be opened: " + std::generic_category().message(errno)};
  }
  // Read to the end instead of asking for the size: a pipe has none.
  std::string text;
  std::size_t got = 0;
  do {
    constexpr std::size_t kChunk = std::size_t{64} << 10U;
    const std::size_t had = text.size();
    text.resize(had + kChunk);
    got = std::fread(text.data() + had, 1, kChunk, file.get());
    text.resize(had + got);
    if (text.size() > kLargestFile) return FileProblem{"is larger than 64 MiB"};
  } while (got > 0);
  if (std::ferror(file.get()) != 0) {
    return FileProblem{"cannot be read: " + std::generic_category().message(errno)};
  }
  return text;
}

}  // namespace aftershock::sim
