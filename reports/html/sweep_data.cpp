#include "reports/html/sweep_data.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "reports/results/store_schema.h"
#include "reports/statistics/quantile.h"

namespace aftershock::reports {
namespace {

/// Verdicts from the worst on (design.md 5).
constexpr std::array<Verdict, 9> kFromWorst{
    Verdict::kInternalError, Verdict::kPolicyFailed, Verdict::kUnusable,
    Verdict::kInvalid,       Verdict::kStuck,        Verdict::kFailed,
    Verdict::kWorse,         Verdict::kInconclusive, Verdict::kPassed};

/// Least for the run that went most wrong: its verdict, then its useful work; of two alike the
/// earlier.
auto worst_key(const RunRow& row) {
  return std::tuple(std::ranges::find(kFromWorst, row.verdict) - kFromWorst.begin(),
                    number_of(row, "useful_share").value_or(-1), row.cell, row.replica);
}

/// The values of one cell: by column, then run; none where a run did not come to one.
struct CellValues {
  std::vector<std::uint32_t> replicas;
  std::vector<std::vector<std::optional<double>>> columns;

  void add(const RunRow& row) {
    replicas.push_back(row.replica);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      columns[i].push_back(i < row.values.size() ? number_of(row.values[i]) : std::nullopt);
    }
  }
};

/// Steps of the distribution function; `ordered` is not empty.
std::vector<ShareUpTo> shares_of(const std::vector<double>& ordered) {
  constexpr std::size_t kStepsMost = 200;
  std::vector<ShareUpTo> steps;
  const auto add = [&](std::size_t last) {
    steps.push_back(
        {ordered[last], static_cast<double>(last + 1) / static_cast<double>(ordered.size())});
  };
  // Each step is where a run of equal values ends. Of very many every n-th run's is there.
  const std::size_t apart = (ordered.size() + kStepsMost - 1) / kStepsMost;
  std::size_t wanted = 0;
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    const bool ends = i + 1 == ordered.size() || ordered[i + 1] != ordered[i];
    if (ends && (i >= wanted || i + 1 == ordered.size())) {
      add(i);
      wanted = (i / apart + 1) * apart;
    }
  }
  return steps;
}

Distribution distribution_of(const std::vector<std::optional<double>>& values) {
  std::vector<double> ordered;
  for (const auto& value : values) {
    if (value) {
      ordered.push_back(*value);
    }
  }
  Distribution out;
  out.count = static_cast<std::int64_t>(ordered.size());
  if (ordered.empty()) {
    return out;
  }
  out.mean = summarise(ordered).mean().value_or(0);
  std::ranges::sort(ordered);
  for (const int percent : kPercentsShown) {
    const auto estimate = quantile_estimate(ordered, percent / 100.0);
    out.quantiles.push_back(estimate ? *estimate
                                     : Estimate{quantile_of_ordered(ordered, percent / 100.0), {}});
  }
  out.shares = shares_of(ordered);
  out.band = distribution_band(out.count).value_or(1);
  return out;
}

/// Values of both cells for the replicas that both have; rows come in order of replicas.
std::vector<Pair> pairs_of(const CellValues& first, const CellValues& second, std::size_t column) {
  std::vector<Pair> pairs;
  std::size_t a = 0;
  for (std::size_t b = 0; b < second.replicas.size(); ++b) {
    while (a < first.replicas.size() && first.replicas[a] < second.replicas[b]) {
      ++a;
    }
    if (a == first.replicas.size() || first.replicas[a] != second.replicas[b]) {
      continue;
    }
    const auto& one = first.columns[column][a];
    const auto& other = second.columns[column][b];
    if (one && other) {
      pairs.push_back({*one, *other});
    }
  }
  return pairs;
}

/// Takes rows in, by cell and replica.
class Collection {
 public:
  explicit Collection(SweepData& data) : data_(data) {
    data_.distributions.resize(data_.columns.size());
    differences_.resize(data_.columns.size());
  }

  void add(const RunRow& row) {
    if (cell_ != row.cell) {
      close_cell();
      cell_ = row.cell;
    }
    if (shown_ < kCellsShown) {
      values_.columns.resize(data_.columns.size());
      values_.add(row);
    }
    data_.worst.push_back(row);
    if (data_.worst.size() > 50 * kWorstRuns) {
      keep_worst();
    }
  }

  void finish() {
    close_cell();
    keep_worst();
    for (std::size_t i = 0; i < differences_.size(); ++i) {
      const bool same = std::ranges::all_of(differences_[i], [](const CellAgainstFirst& each) {
        return each.paired.higher == 0 && each.paired.lower == 0;
      });
      if (!differences_[i].empty() && same) {
        data_.undifferent.push_back(data_.columns[i]);
      } else {
        data_.differences.insert(data_.differences.end(), differences_[i].begin(),
                                 differences_[i].end());
      }
    }
  }

 private:
  void close_cell() {
    if (cell_ && shown_ < kCellsShown) {
      for (std::size_t i = 0; i < data_.columns.size(); ++i) {
        data_.distributions[i].push_back(distribution_of(values_.columns[i]));
        if (shown_ == 0) {
          continue;
        }
        // The t interval alone: resampling every column of many runs takes minutes.
        const auto pairs = pairs_of(first_, values_, i);
        if (const auto paired = paired_difference(pairs, {.resamples = 0})) {
          differences_[i].push_back({shown_, i, *paired});
        }
      }
      if (shown_ == 0) {
        first_ = std::move(values_);
      }
      ++shown_;
    }
    values_ = {};
  }

  void keep_worst() {
    std::ranges::sort(data_.worst, {}, worst_key);
    data_.worst.resize(std::min(data_.worst.size(), kWorstRuns));
  }

  SweepData& data_;
  std::optional<std::uint32_t> cell_;
  std::size_t shown_ = 0;
  CellValues first_;
  CellValues values_;
  std::vector<std::vector<CellAgainstFirst>> differences_;
};

}  // namespace

SweepData read_sweep(RunReader& reader) {
  SweepData data;
  data.columns = value_columns(reader.header());
  auto cells = summarise_cells(reader);
  if (const auto* problem = std::get_if<std::string>(&cells)) {
    data.problem = *problem;
    return data;
  }
  data.cells = std::get<0>(std::move(cells));
  Collection collection(data);
  const auto problem = reader.each([&collection](RunRow&& row) {
    collection.add(row);
    return true;
  });
  data.problem = problem.value_or("");
  collection.finish();
  return data;
}

}  // namespace aftershock::reports
