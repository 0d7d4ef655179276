#include "sim/scenario/text/sources.h"

#include <algorithm>
#include <utility>

namespace aftershock::sim::scenario {
namespace {

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

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

}  // namespace aftershock::sim::scenario
