#include "sim/advise/rate_words.h"

#include <algorithm>

#include <fmt/format.h>

#include "reports/render/format.h"

namespace aftershock::sim::advise {

std::string rate_words(double rate) {
  return rate == 1     ? std::string("failures as they are")
         : rate == 0.5 ? std::string("half as many failures")
         : rate == 2   ? std::string("twice as many failures")
                       : fmt::format("{} times as many failures", rate);
}

std::string rate_title(const Advice& advice, const AdviceQuestion& question, std::size_t rate) {
  const auto runs = [](const ChoiceResult& result) { return result.summary.runs; };
  const auto ends = std::ranges::minmax_element(advice.results[rate], {}, runs);
  const std::int64_t least = runs(*ends.min);
  const std::int64_t most = runs(*ends.max);
  std::string words = rate_words(question.rates[rate]);
  const auto count = [](std::int64_t number) { return reports::format_count(number); };
  if (least != most) {
    words += fmt::format(" ({} to {} runs each)", count(least), count(most));
  } else if (least != runs(advice.results[0].front())) {
    words += fmt::format(" ({} runs each)", count(least));
  }
  return words;
}

bool fewer_at_others(const Advice& advice) {
  const std::int64_t all = advice.results[0].front().summary.runs;
  return std::ranges::any_of(advice.results, [all](const auto& results) {
    return std::ranges::any_of(
        results, [all](const ChoiceResult& result) { return result.summary.runs < all; });
  });
}

}  // namespace aftershock::sim::advise
