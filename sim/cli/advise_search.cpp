#include "sim/cli/advise_search.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "policies/api/assert.h"

namespace aftershock::sim::cli {
namespace {

constexpr std::uint32_t kRunsAlone = 40;     ///< of each value of one dimension
constexpr std::uint32_t kRunsTogether = 60;  ///< of each neighbour of the best
constexpr std::size_t kKept = 4;

/// A value of each dimension, by its place among the dimension's points.
using Places = std::vector<std::size_t>;

class Search {
 public:
  Search(AdviceQuestion& question, const TryChoices& try_choices)
      : question_(question), try_(try_choices) {}

  std::optional<std::string> run();

 private:
  [[nodiscard]] Point point_of(const Places& places) const;
  [[nodiscard]] Places present() const;
  /// The best of these first; false where runs were not made.
  bool rank(std::vector<Places>& tried, std::uint32_t runs);
  [[nodiscard]] std::vector<Places> neighbours(const Places& best) const;

  AdviceQuestion& question_;
  const TryChoices& try_;
  std::size_t tried_ = 0;
};

Point Search::point_of(const Places& places) const {
  Point point;
  for (std::size_t d = 0; d < places.size(); ++d) {
    const Dimension& dimension = question_.dimensions[d];
    for (std::size_t i = 0; i < dimension.names.size(); ++i) {
      point.emplace_back(dimension.names[i], dimension.points[places[d]][i]);
    }
  }
  return point;
}

/// The scenario's own values where they are among those of a dimension, else the middle ones.
Places Search::present() const {
  Places places;
  std::size_t at = 0;
  for (const Dimension& dimension : question_.dimensions) {
    const auto own = std::ranges::find_if(dimension.points, [&](const auto& values) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (question_.present[at + i] != values[i]) {
          return false;
        }
      }
      return true;
    });
    places.push_back(own == dimension.points.end()
                         ? dimension.points.size() / 2
                         : static_cast<std::size_t>(own - dimension.points.begin()));
    at += dimension.names.size();
  }
  return places;
}

bool Search::rank(std::vector<Places>& tried, std::uint32_t runs) {
  std::vector<Point> points;
  for (const Places& places : tried) {
    points.push_back(point_of(places));
  }
  const auto results = try_(points, runs);
  if (!results) {
    return false;
  }
  tried_ += points.size();
  const bool greatest = question_.goal.objective->greatest;
  const auto key = [&](std::size_t i) {
    const ChoiceResult& result = (*results)[i];
    const double reached = !result.objective ? HUGE_VAL
                           : greatest        ? -result.objective->value
                                             : result.objective->value;
    return std::tuple(result.missed, reached, i);
  };
  std::vector<std::size_t> order(tried.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  std::ranges::sort(order, {}, key);
  std::vector<Places> sorted;
  for (const std::size_t i : order) {
    sorted.push_back(std::move(tried[i]));
  }
  tried = std::move(sorted);
  return true;
}

std::vector<Places> Search::neighbours(const Places& best) const {
  std::vector<Places> all{{}};
  for (std::size_t d = 0; d < best.size(); ++d) {
    std::vector<Places> longer;
    const std::size_t last = question_.dimensions[d].points.size() - 1;
    const std::size_t to = std::min(best[d] + 1, last);
    for (const Places& begun : all) {
      for (std::size_t place = best[d] == 0 ? 0 : best[d] - 1; place <= to; ++place) {
        longer.push_back(begun);
        longer.back().push_back(place);
      }
    }
    all = std::move(longer);
  }
  return all;
}

std::optional<std::string> Search::run() {
  const std::size_t combinations = question_.choices.size();
  const Places own = present();
  Places best = own;
  for (std::size_t d = 0; d < best.size(); ++d) {
    std::vector<Places> along;
    for (std::size_t place = 0; place < question_.dimensions[d].points.size(); ++place) {
      along.push_back(best);
      along.back()[d] = place;
    }
    if (!rank(along, kRunsAlone)) {
      return std::nullopt;
    }
    best = along.front();
  }
  std::vector<Places> around = neighbours(best);
  if (!rank(around, kRunsTogether)) {
    return std::nullopt;
  }
  around.resize(std::min(around.size(), kKept));
  if (std::ranges::find(around, own) == around.end()) {
    around.push_back(own);
  }
  std::ranges::sort(around);
  question_.choices.clear();
  for (const Places& places : around) {
    question_.choices.push_back(point_of(places));
  }
  return fmt::format(
      "Of {} combinations {} were tried first, by {} or {} runs each: the values of one after the "
      "other, then those around the best together. {} of them and what the scenario has are here.",
      combinations, tried_, kRunsAlone, kRunsTogether, std::min<std::size_t>(kKept, around.size()));
}

}  // namespace

std::optional<std::string> narrow_choices(AdviceQuestion& question, const TryChoices& try_choices) {
  AFTERSHOCK_ASSERT(question.goal.objective.has_value());
  return Search(question, try_choices).run();
}

}  // namespace aftershock::sim::cli
