#include "sim/sweep/keep.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "sim/scenario/expression/parse_expression.h"
#include "sim/scenario/expression/run_metric.h"

namespace aftershock::sim::sweep {
namespace {

constexpr std::uint32_t kMostKept = 10'000;

bool went_wrong(const reports::RunRow& row) {
  return row.verdict != reports::Verdict::kPassed || row.outcome == "failed" ||
         row.outcome == "aborted";
}

}  // namespace

std::variant<Keep, std::string> parse_keep(std::string_view text) {
  if (text == "all") {
    return Keep{};
  }
  if (text == "failed") {
    return Keep{.what = Keep::What::kFailed};
  }
  constexpr std::string_view kWorst = "worst:";
  if (!text.starts_with(kWorst)) {
    return std::string("expected all, failed, worst:N or worst:N:METRIC");
  }
  text.remove_prefix(kWorst.size());
  Keep keep{.what = Keep::What::kWorst, .metric = *reports::metric_named("useful_share")};
  const char* end = text.data() + text.size();
  const auto [stopped, code] = std::from_chars(text.data(), end, keep.count);
  if (code != std::errc{} || keep.count < 1 || keep.count > kMostKept ||
      (stopped != end && *stopped != ':')) {
    return fmt::format("expected worst:N with N from 1 to {}", kMostKept);
  }
  if (stopped == end) {
    return keep;
  }
  const std::string_view name = scenario::metric_meant({stopped + 1, end});
  const auto metric = reports::metric_named(name);
  if (!metric) {
    const auto problem = scenario::check_one_of(name, reports::metric_names(), "metric");
    return problem->nearest.empty()
               ? problem->message
               : fmt::format("{}; did you mean \"{}\"?", problem->message, problem->nearest);
  }
  if (reports::metrics()[*metric].better == reports::Better::kNeither) {
    return fmt::format("{} is neither better nor worse when it is higher", name);
  }
  keep.metric = *metric;
  return keep;
}

std::vector<reports::RunRow> runs_to_keep(const Keep& keep, reports::RunStore& store) {
  std::vector<reports::RunRow> runs;
  const bool low_is_bad = reports::metrics()[keep.metric].better == reports::Better::kHigher;
  // A heap of the worst so far, the best of them in front.
  const auto worse = [&](const reports::RunRow& a, const reports::RunRow& b) {
    const auto key = [&](const reports::RunRow& row) {
      const double value = reports::number_of(row.values[keep.metric]).value_or(0);
      return std::tuple(low_is_bad ? value : -value, row.cell, row.replica);
    };
    return key(a) < key(b);
  };
  store.each([&](reports::RunRow&& row) {
    if (row.values.empty()) {
      return true;
    }
    if (keep.what != Keep::What::kWorst) {
      if (keep.what == Keep::What::kAll || went_wrong(row)) {
        runs.push_back(std::move(row));
      }
      return true;
    }
    if (reports::number_of(row.values[keep.metric])) {
      runs.push_back(std::move(row));
      std::ranges::push_heap(runs, worse);
      if (runs.size() > keep.count) {
        std::ranges::pop_heap(runs, worse);
        runs.pop_back();
      }
    }
    return true;
  });
  if (keep.what == Keep::What::kWorst) {
    std::ranges::sort(runs, worse);
  }
  return runs;
}

}  // namespace aftershock::sim::sweep
