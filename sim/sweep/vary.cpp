#include "sim/sweep/vary.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include <fmt/ranges.h>

#include "sim/scenario/read/policy_request.h"
#include "sim/scenario/text/error.h"
#include "sim/scenario/text/units.h"
#include "sim/sweep/scale_rates.h"

namespace aftershock::sim::sweep {
namespace {

/// Parts between separators that stand outside of JSON's brackets and strings.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == separator && depth == 0) {
      parts.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  parts.push_back(text.substr(begin));
  return parts;
}

/// A number and the unit behind it, which is empty for a plain one.
struct Quantity {
  double number = 0;
  std::string unit;
};

std::optional<Quantity> quantity(std::string_view text) {
  Quantity result;
  const auto [end, problem] =
      std::from_chars(text.data(), text.data() + text.size(), result.number);
  if (problem != std::errc{} || !std::isfinite(result.number)) {
    return std::nullopt;
  }
  result.unit = std::string(end, text.data() + text.size());
  const bool letters = std::ranges::all_of(result.unit, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '/' || c == '%';
  });
  return letters ? std::optional(result) : std::nullopt;
}

/// The quantity in another unit of time; none where they do not go together.
std::optional<double> in_unit(const Quantity& from, const std::string& unit) {
  if (from.unit == unit) {
    return from.number;
  }
  const auto whole = scenario::parse_duration(fmt::format("{}{}", from.number, from.unit));
  const auto one = scenario::parse_duration("1" + unit);
  const auto* whole_us = std::get_if<std::int64_t>(&whole);
  const auto* one_us = std::get_if<std::int64_t>(&one);
  if (whole_us == nullptr || one_us == nullptr) {
    return std::nullopt;
  }
  return static_cast<double>(*whole_us) / static_cast<double>(*one_us);
}

std::string range_error(std::string_view text, std::string_view why) {
  return fmt::format("{}: {}; expected a range such as 1..8, 10min..1h:5min or 1..64:x2",
                     scenario::in_quotes(text), why);
}

/// The values of FROM..TO or FROM..TO:STEP; an error in words.
std::variant<std::vector<std::string>, std::string> range(std::string_view text) {
  const std::size_t dots = text.find("..");
  const std::size_t colon = text.find(':', dots);
  const auto from = quantity(text.substr(0, dots));
  const auto to = quantity(text.substr(dots + 2, colon - dots - 2));
  std::string_view step_text = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  const bool times = step_text.starts_with('x');
  if (times) {
    step_text.remove_prefix(1);
  }
  auto step = quantity(step_text);
  if (colon == std::string_view::npos && from) {
    step = Quantity{1, from->unit};
  }
  if (!from || !to || !step) {
    return range_error(text, "is not a range of numbers");
  }
  // Steps are counted in their own unit, so that 10min..1h:5min counts in minutes.
  const std::string unit = times ? from->unit : step->unit;
  const auto first = in_unit(*from, unit);
  const auto last = in_unit(*to, unit);
  if (!first || !last || (times && !step->unit.empty())) {
    return range_error(text, "has units that do not go together");
  }
  if (*first > *last) {
    return range_error(text, "goes downwards");
  }
  if (times ? step->number <= 1 || *first <= 0 : step->number <= 0) {
    return range_error(
        text, times ? "needs a factor above 1 and a start above 0" : "needs a step above 0");
  }
  std::vector<std::string> values;
  // The end belongs to the range though steps of 0.1 do not meet it exactly.
  const double slack = times ? *last * 1e-9 : step->number * 1e-9;
  double factor = 1;
  for (std::size_t n = 0;; ++n) {
    const double value = times ? *first * factor : *first + step->number * static_cast<double>(n);
    factor *= step->number;
    if (value > *last + slack) {
      return values;
    }
    if (n == kMostCells) {
      return range_error(text, fmt::format("has more than {} values", kMostCells));
    }
    values.push_back(fmt::format("{:.12g}{}", value, unit));
  }
}

/// The values of one list; an error in words.
std::variant<std::vector<std::string>, std::string> values_of(std::string_view list) {
  std::vector<std::string> values;
  for (const std::string_view part : split(list, ',')) {
    const bool json = part.starts_with('[') || part.starts_with('{') || part.starts_with('"');
    if (json || part.find("..") == std::string_view::npos ||
        !quantity(part.substr(0, part.find("..")))) {
      values.emplace_back(part);
      continue;
    }
    auto more = range(part);
    if (auto* error = std::get_if<std::string>(&more)) {
      return std::move(*error);
    }
    std::ranges::move(std::get<0>(more), std::back_inserter(values));
  }
  return values;
}

}  // namespace

std::variant<Dimension, std::string> parse_dimension(std::string_view text) {
  Dimension dimension;
  std::vector<std::vector<std::string>> lists;
  for (const std::string_view part : split(text, ' ')) {
    if (part.empty()) {
      continue;
    }
    const std::size_t equals = part.find('=');
    const std::string_view name = part.substr(0, equals);
    if (equals == std::string_view::npos ||
        (!name.starts_with('/') && name != "policy" && name != kRates)) {
      return fmt::format(
          "{}: is not NAME=VALUE,VALUE...; NAME is a JSON Pointer such as "
          "/jobs/0/checkpoint/every, or policy, or rates",
          scenario::in_quotes(part));
    }
    if (name == "/seed") {
      return fmt::format(
          "{}: every cell makes the same seeds, so that cells can be compared; expected another "
          "place, and more of them by --runs",
          scenario::in_quotes(part));
    }
    auto values = values_of(part.substr(equals + 1));
    if (auto* error = std::get_if<std::string>(&values)) {
      return std::move(*error);
    }
    for (const std::string& value : std::get<0>(values)) {
      if (name == "policy") {
        if (const auto policy = scenario::policy_named(value); policy.index() == 1) {
          return fmt::format("{}: {}", scenario::in_quotes(value), std::get<std::string>(policy));
        }
      }
      if (name == kRates && !rate_factor(value)) {
        return fmt::format("{}: is not a factor for rates; expected a number above 0, such as 0.5",
                           scenario::in_quotes(value));
      }
    }
    dimension.names.emplace_back(name);
    lists.push_back(std::get<0>(std::move(values)));
  }
  if (lists.empty()) {
    return std::string("is empty; expected NAME=VALUE,VALUE...");
  }
  for (std::size_t i = 1; i < lists.size(); ++i) {
    if (lists[i].size() != lists[0].size()) {
      return fmt::format("{} has {} values and {} has {}; those that go together need as many",
                         dimension.names[0], lists[0].size(), dimension.names[i], lists[i].size());
    }
  }
  std::set<std::vector<std::string>> seen;
  for (std::size_t n = 0; n < lists[0].size(); ++n) {
    std::vector<std::string> point;
    for (const auto& list : lists) {
      point.push_back(list[n]);
    }
    if (!seen.insert(point).second) {
      return fmt::format("{}: has {} more than once", scenario::in_quotes(text),
                         scenario::in_quotes(fmt::format("{}", fmt::join(point, ", "))));
    }
    dimension.points.push_back(std::move(point));
  }
  return dimension;
}

std::variant<std::vector<Point>, std::string> combine(const std::vector<Dimension>& dimensions) {
  std::set<std::string> seen;
  std::size_t cells = 1;
  for (const Dimension& dimension : dimensions) {
    for (const std::string& name : dimension.names) {
      if (!seen.insert(name).second) {
        return fmt::format("{} is varied twice", name);
      }
    }
    cells *= dimension.points.size();
    if (cells > kMostCells) {
      return fmt::format("there would be more than {} cells; expected fewer values", kMostCells);
    }
  }
  std::vector<Point> points(cells);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    std::size_t rest = cell;
    for (auto dimension = dimensions.rbegin(); dimension != dimensions.rend(); ++dimension) {
      const auto& values = dimension->points[rest % dimension->points.size()];
      rest /= dimension->points.size();
      Point front;
      for (std::size_t i = 0; i < values.size(); ++i) {
        front.emplace_back(dimension->names[i], values[i]);
      }
      points[cell].insert(points[cell].begin(), front.begin(), front.end());
    }
  }
  return points;
}

std::string_view last_name(std::string_view pointer) {
  pointer.remove_prefix(pointer.rfind('/') + 1);
  const std::size_t slash = pointer.rfind("~1");
  return slash == pointer.npos ? pointer : pointer.substr(slash + 2);
}

}  // namespace aftershock::sim::sweep
