#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// The changes of a sweep from cell to cell.
namespace aftershock::sim::sweep {

/// One dimension of a sweep: its places take their values together, the nth of each at a time.
struct Dimension {
  std::vector<std::string> names;                ///< JSON Pointers, "policy" or "rates"
  std::vector<std::vector<std::string>> points;  ///< a value per name, as `--set` takes it
};

/// How many points one dimension, and how many cells a sweep may have.
inline constexpr std::size_t kMostCells = 100'000;

/// Reads what stands behind `--vary`: NAME=VALUES, or several of them with spaces between, which
/// then go together. NAME is a JSON Pointer into the scenario, or `policy`, or `rates`: factors for
/// all rates of failure (scale_rates.h). VALUES are separated by commas; each is a value as `--set`
/// takes it (commas within JSON do not separate), or a range:
///   1..8         whole numbers, or with a common unit 10min..14min, one by one
///   10min..1h:5min   with a step; units may differ
///   1..64:x2     each so many times the one before
/// An error in words otherwise.
std::variant<Dimension, std::string> parse_dimension(std::string_view text);

/// One cell: name and value, in the order of the dimensions.
using Point = std::vector<std::pair<std::string, std::string>>;

/// Every combination, the last dimension fastest. An error in words when there are more than
/// kMostCells, or a name is varied twice.
std::variant<std::vector<Point>, std::string> combine(const std::vector<Dimension>& dimensions);

/// The last name of a JSON Pointer, of an annotation without the prefix of its owner:
/// "pod-retry-num" of "/…/annotations/fault-tolerance~1pod-retry-num".
std::string_view last_name(std::string_view pointer);

}  // namespace aftershock::sim::sweep
