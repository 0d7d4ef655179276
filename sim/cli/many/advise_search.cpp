#include "sim/cli/many/advise_search.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/assert.h"
#include "sim/advise/policy_settings.h"
#include "sim/advise/values_beyond.h"
#include "sim/cli/command.h"
#include "sim/sweep/where.h"

namespace aftershock::sim::cli {
namespace {

constexpr std::uint32_t kRunsAlone = 40;     ///< of each value of one dimension
constexpr std::uint32_t kRunsTogether = 60;  ///< of each neighbour of the best
constexpr std::size_t kKept = 4;
constexpr std::uint32_t kFirstHeat = 4;  ///< so many times fewer runs, after which half is left
constexpr int kGrowths = 3;

/// A value of each dimension, by its place among the dimension's points.
using Places = std::vector<std::size_t>;

class Search {
 public:
  Search(advise::AdviceQuestion& question, const scenario::Scenario& scenario,
         const TryChoices& try_choices)
      : question_(question), scenario_(scenario), try_(try_choices) {}

  std::optional<std::string> run(bool keep_all);

 private:
  [[nodiscard]] sweep::Point point_of(const Places& places) const;
  [[nodiscard]] Places present() const;
  /// The best of these first; false where runs were not made.
  bool rank(std::vector<Places>& tried, std::uint32_t runs);
  /// The same by all runs, of half of them where they are many.
  bool rank_in_heats(std::vector<Places>& tried, std::uint32_t runs);
  /// The best value of one dimension beside those of the others; false where runs were not made.
  bool best_along(std::size_t dimension, Places& best);
  /// Where the best value is the last, tries values beyond it; whether a better one was found.
  std::optional<bool> grow(std::size_t dimension, Places& best);
  /// Keeps what the values of one dimension came to beside those of the others, to be plotted.
  void keep_values(std::size_t dimension, Places places);
  /// Takes values away that are far from the best, until there are so many.
  void trim(std::size_t dimension, Places& best, std::size_t count);
  /// Those around the best that are worth all runs.
  bool narrow(const Places& best);
  [[nodiscard]] std::vector<Places> neighbours(const Places& best) const;
  [[nodiscard]] std::string words(std::size_t combinations, bool narrowed) const;

  advise::AdviceQuestion& question_;
  const scenario::Scenario& scenario_;
  const TryChoices& try_;
  std::size_t tried_ = 0;
  std::vector<std::string> grown_;  ///< "spares up to 22"
  std::map<sweep::Point, advise::ChoiceResult>
      results_;  ///< the latest of each, which had the most runs
};

sweep::Point Search::point_of(const Places& places) const {
  sweep::Point point;
  for (std::size_t d = 0; d < places.size(); ++d) {
    const sweep::Dimension& dimension = question_.dimensions[d];
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
  for (const sweep::Dimension& dimension : question_.dimensions) {
    const auto own = std::ranges::find_if(dimension.points, [&](const auto& values) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        const auto& now = question_.present[at + i];
        if (!now || !advise::is_same_value(*now, values[i])) {
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
  std::vector<sweep::Point> points;
  for (const Places& places : tried) {
    points.push_back(point_of(places));
  }
  const auto results = try_(points, runs, std::nullopt);
  if (!results) {
    return false;
  }
  tried_ += points.size();
  for (std::size_t i = 0; i < points.size(); ++i) {
    results_.insert_or_assign(points[i], (*results)[i]);
  }
  const auto key = [&](std::size_t i) {
    const advise::ChoiceResult& result = (*results)[i];
    return std::tuple(result.missed, advise::rank_by(question_.goal, result), i);
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

bool Search::rank_in_heats(std::vector<Places>& tried, std::uint32_t runs) {
  constexpr std::size_t kFew = 4;
  if (tried.size() > kFew) {
    if (!rank(tried, runs / kFirstHeat)) {
      return false;
    }
    tried.resize((tried.size() + 1) / 2);
    std::ranges::sort(tried);
  }
  return rank(tried, runs);
}

bool Search::best_along(std::size_t dimension, Places& best) {
  const auto& points = question_.dimensions[dimension].points;
  std::vector<Places> along;
  for (std::size_t place = 0; place < points.size(); ++place) {
    along.push_back(best);
    along.back()[dimension] = place;
  }
  if (!rank_in_heats(along, kRunsAlone)) {
    return false;
  }
  best = along.front();
  const auto first = points.front();
  const auto last = points.back();
  const std::size_t count = points.size();
  for (int i = 0; question_.by_model[dimension] && i < kGrowths; ++i) {
    const auto better = grow(dimension, best);
    if (!better) {
      return false;
    }
    if (!*better) {
      break;
    }
  }
  const std::string name = advise::short_name(question_.dimensions[dimension].names.front());
  if (points.front() != first) {
    grown_.push_back(fmt::format("{} down to {}", name, sweep::unquoted(points.front().front())));
  }
  if (points.back() != last) {
    grown_.push_back(fmt::format("{} up to {}", name, sweep::unquoted(points.back().front())));
  }
  keep_values(dimension, best);
  trim(dimension, best, count + 1);
  return true;
}

void Search::keep_values(std::size_t dimension, Places places) {
  const sweep::Dimension& along = question_.dimensions[dimension];
  for (std::size_t place = 0; place < along.points.size(); ++place) {
    places[dimension] = place;
    if (const auto found = results_.find(point_of(places)); found != results_.end()) {
      question_.alone.push_back({along.names.front(), along.points[place].front(), found->second});
    }
  }
}

std::optional<bool> Search::grow(std::size_t dimension, Places& best) {
  auto& points = question_.dimensions[dimension].points;
  const std::size_t place = best[dimension];
  const bool up = place + 1 == points.size();
  if (!up && place > 0) {
    return false;
  }
  const auto beyond = advise::values_beyond(scenario_, question_.dimensions[dimension], up);
  std::vector<Places> tried{best};
  for (const std::string& value : beyond) {
    points.insert(up ? points.end() : points.begin(), {value});
  }
  tried.front()[dimension] = up ? place : beyond.size();
  for (std::size_t i = 0; i < beyond.size(); ++i) {
    tried.push_back(tried.front());
    tried.back()[dimension] = up ? place + 1 + i : i;
  }
  best = tried.front();
  if (beyond.empty()) {
    return false;
  }
  if (!rank(tried, kRunsAlone)) {
    return std::nullopt;
  }
  const bool better = tried.front() != best;
  best = tried.front();
  return better;
}

void Search::trim(std::size_t dimension, Places& best, std::size_t count) {
  auto& points = question_.dimensions[dimension].points;
  while (points.size() > count) {
    const std::size_t own = present()[dimension];
    const std::size_t here = best[dimension];
    std::size_t farthest = here;
    for (std::size_t place = 0; place < points.size(); ++place) {
      const auto far = [here](std::size_t from) { return from > here ? from - here : here - from; };
      farthest = place != own && far(place) > far(farthest) ? place : farthest;
    }
    if (farthest == here) {
      return;
    }
    points.erase(points.begin() + static_cast<std::ptrdiff_t>(farthest));
    best[dimension] -= farthest < here ? 1 : 0;
  }
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

bool Search::narrow(const Places& best) {
  std::vector<Places> around = neighbours(best);
  if (!rank_in_heats(around, kRunsTogether)) {
    return false;
  }
  around.resize(std::min(around.size(), kKept));
  if (const Places own = present(); std::ranges::find(around, own) == around.end()) {
    around.push_back(own);
  }
  std::ranges::sort(around);
  question_.choices.clear();
  for (const Places& places : around) {
    question_.choices.push_back(point_of(places));
  }
  return true;
}

std::string Search::words(std::size_t combinations, bool narrowed) const {
  std::string words;
  if (narrowed) {
    words = fmt::format(
        "Of {} combinations {} were tried first, by up to {} or {} runs each: the values of one "
        "after the other, then those around the best together. The best of them and the "
        "scenario's own are here, {} in all.",
        combinations, tried_, kRunsAlone, kRunsTogether, question_.choices.size());
  }
  if (!grown_.empty()) {
    words += fmt::format(
        "{}The best value of the model lay on its edge: {} was tried, too, by {} runs each.",
        words.empty() ? "" : " ", fmt::join(grown_, ", "), kRunsAlone);
  }
  return words;
}

std::optional<std::string> Search::run(bool keep_all) {
  Places best = present();
  for (std::size_t d = 0; d < best.size(); ++d) {
    if (!best_along(d, best)) {
      return std::nullopt;
    }
  }
  auto choices = sweep::combine(question_.dimensions);
  if (const auto* problem = std::get_if<std::string>(&choices)) {
    complain(fmt::format("--choose: {}", *problem));
    return std::nullopt;
  }
  question_.choices = std::get<0>(std::move(choices));
  const std::size_t combinations = question_.choices.size();
  const bool narrowed = combinations > kMostTriedWhole && !keep_all;
  if (narrowed && !narrow(best)) {
    return std::nullopt;
  }
  return words(combinations, narrowed);
}

}  // namespace

bool needs_search(const advise::AdviceQuestion& question, bool keep_all) {
  return (question.choices.size() > kMostTriedWhole && !keep_all) ||
         std::ranges::find(question.by_model, true) != question.by_model.end();
}

std::optional<std::string> narrow_choices(advise::AdviceQuestion& question,
                                          const scenario::Scenario& scenario, bool keep_all,
                                          const TryChoices& try_choices) {
  AFTERSHOCK_ASSERT(question.goal.objective.has_value());
  return Search(question, scenario, try_choices).run(keep_all);
}

}  // namespace aftershock::sim::cli
