#include "gui/compare/cost_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "gui/compare/ledger_difference.h"
#include "gui/compare/short_summary.h"
#include "gui/why/accounts.h"
#include "gui/why/summary_line.h"
#include "reports/json/json_value.h"

namespace aftershock::gui {

namespace {

using Values = std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>>;

/// A number as a whole one in parts of `1 / factor`; none for what is none or does not fit.
std::optional<std::int64_t> scaled(const reports::JsonValue& value, double factor) {
  constexpr double kMost = 1e15;
  if (!value.is_number()) {
    return std::nullopt;
  }
  const double number = value.get<double>() * factor;
  return std::abs(number) < kMost ? std::optional(std::llround(number)) : std::nullopt;
}

/// Two JSON objects that are told beside each other.
struct Both {
  const reports::JsonValue& a;
  const reports::JsonValue& b;

  [[nodiscard]] Both part(const char* key) const {
    return {reports::part(a, key), reports::part(b, key)};
  }
  [[nodiscard]] Values integers(const char* key) const {
    return {reports::integer_in(a, key), reports::integer_in(b, key)};
  }
  [[nodiscard]] Values numbers(const char* key, double factor) const {
    return {scaled(reports::part(a, key), factor), scaled(reports::part(b, key), factor)};
  }
};

/// Collects the lines of one entity.
class Lines {
 public:
  Lines(std::vector<CostLine>& out, std::string entity) : out_(out), entity_(std::move(entity)) {}

  /// Left out where neither run says it.
  CostLine* add(const char* what, CostUnit unit, Better better, const Values& values) {
    if (!values.first && !values.second) {
      return nullptr;
    }
    return &out_.emplace_back(CostLine{.entity = entity_,
                                       .what = what,
                                       .unit = unit,
                                       .better = better,
                                       .a = values.first,
                                       .b = values.second});
  }
  /// A rare event is told where it happened.
  void add_if_any(const char* what, Better better, const Values& values) {
    if (values.first.value_or(0) != 0 || values.second.value_or(0) != 0) {
      add(what, CostUnit::kCount, better, values);
    }
  }
  /// `good`: words that are better than others, the best last.
  void add_words(const char* what, const Both& both, const char* key,
                 std::span<const std::string_view> good, const char* reason) {
    const auto rank = [&](const reports::JsonValue& object) -> std::optional<std::int64_t> {
      const std::string word = reports::text_in(object, key);
      if (word.empty()) {
        return std::nullopt;
      }
      const auto found = std::ranges::find(good, word);
      return found == good.end() ? 0 : found - good.begin() + 1;
    };
    const Better better = good.empty() ? Better::kNeither : Better::kMore;
    if (CostLine* line = add(what, CostUnit::kWord, better, {rank(both.a), rank(both.b)})) {
      line->words_a = reports::text_in(both.a, key);
      line->words_b = reports::text_in(both.b, key);
      line->note_a = reports::text_in(both.a, reason);
      line->note_b = reports::text_in(both.b, reason);
    }
  }

 private:
  std::vector<CostLine>& out_;
  std::string entity_;
};

bool is_exhausted(const reports::JsonValue& budget) {
  return reports::flag_in(budget, "exhausted", false);
}

/// "3/5", and a cross where that was the end.
std::string budget_words(const reports::JsonValue& budget) {
  const auto used = reports::integer_in(budget, "used");
  if (!used) {
    return {};
  }
  const auto limit = reports::integer_in(budget, "limit");
  const std::string words = limit ? fmt::format("{}/{}", *used, *limit) : fmt::format("{}", *used);
  return is_exhausted(budget) ? words + " ✗" : words;
}

std::string budget_note(const reports::JsonValue& budget) {
  const auto limit = reports::integer_in(budget, "limit");
  const std::string words = limit ? fmt::format("the limit is {}", *limit) : "there is no limit";
  return is_exhausted(budget) ? words + ", exhausted" : words;
}

void add_budgets(Lines& lines, const Both& budgets, Better less) {
  std::vector<std::string> names;
  for (const reports::JsonValue* each : {&budgets.a, &budgets.b}) {
    if (!each->is_object()) {
      continue;
    }
    for (const auto& [name, budget] : each->items()) {
      names.push_back(name);
    }
  }
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  for (const std::string& name : names) {
    const Both both = budgets.part(name.c_str());
    const std::string what = name + " used";
    CostLine* line = lines.add(what.c_str(), CostUnit::kCount, less, both.integers("used"));
    if (line == nullptr) {
      continue;
    }
    line->words_a = budget_words(both.a);
    line->words_b = budget_words(both.b);
    line->note_a = line->a ? budget_note(both.a) : "";
    line->note_b = line->b ? budget_note(both.b) : "";
    if (is_exhausted(both.a) != is_exhausted(both.b)) {
      line->always = is_exhausted(both.a) ? Judgement::kBetter : Judgement::kWorse;
    }
  }
}

bool both_completed(const Both& job) {
  return reports::text_in(job.a, "outcome") == "completed" &&
         reports::text_in(job.b, "outcome") == "completed";
}

/// Whether times of two jobs can be judged by each other.
bool is_comparable(const Both& job) {
  return both_completed(job) ||
         reports::integer_in(job.a, "wall_us") == reports::integer_in(job.b, "wall_us");
}

void add_job(std::vector<CostLine>& out, const std::string& entity, const Both& job) {
  const Better less = is_comparable(job) ? Better::kLess : Better::kNeither;
  Lines lines(out, entity);
  constexpr std::array<std::string_view, 2> kGood{"running", "completed"};
  lines.add_words("outcome", job, "outcome", kGood, "reason");
  lines.add("useful work", CostUnit::kShare, Better::kMore, job.numbers("useful_share", 1000));
  lines.add("ETTR (productive by wall time)", CostUnit::kShare,
            is_comparable(job) ? Better::kMore : Better::kNeither, job.numbers("ettr", 1000));
  lines.add(both_completed(job) ? "time to finish" : "wall time", CostUnit::kTime, less,
            job.integers("wall_us"));
  lines.add("lost work", CostUnit::kTime, less, job.part("lost").integers("us"));
  lines.add("attempts", CostUnit::kCount, less, job.integers("attempts"));
  lines.add_if_any("false alarms", less, job.integers("false_alarms"));
  lines.add_if_any("steps done", Better::kMore, job.integers("steps_done"));
  add_budgets(lines, job.part("budgets"), less);
}

/// The elements of a list by their names; of one name the first.
std::map<std::string, const reports::JsonValue*> by_name(const reports::JsonValue& list) {
  std::map<std::string, const reports::JsonValue*> out;
  for (const reports::JsonValue& each : list) {
    out.try_emplace(reports::text_in(each, "name"), &each);
  }
  return out;
}

/// Buckets that the summary cannot tell: of a job whose account is not closed.
std::vector<BucketPair> open_buckets(const Trace& a, std::uint32_t in_a, const Trace& b,
                                     std::uint32_t in_b) {
  std::vector<BucketPair> pairs;
  BucketTimes us_a = open_account(a, in_a).us;
  BucketTimes us_b = open_account(b, in_b).us;
  for (auto& [bucket, us] : us_a) {
    pairs.push_back({.bucket = std::move(bucket), .a_us = us});
  }
  for (auto& [bucket, us] : us_b) {
    const auto known = std::ranges::find(pairs, bucket, &BucketPair::bucket);
    if (known == pairs.end()) {
      pairs.push_back({.bucket = std::move(bucket), .b_us = us});
    } else {
      known->b_us = us;
    }
  }
  return pairs;
}

std::vector<LedgerPair> all_buckets(const Trace& a, const Trace& b) {
  std::vector<LedgerPair> pairs = pair_ledgers(a, b);
  std::set<std::string, std::less<>> known;
  for (const LedgerPair& pair : pairs) {
    known.insert(pair.entity);
  }
  for (const Lane& lane : a.lanes) {
    const std::string_view name = a.entities[lane.entity];
    const auto in_b = b.entities.find(name);
    if (lane.sub == SubLane::kPhases && name.starts_with("job:") && in_b &&
        lane_of(b, *in_b, SubLane::kPhases) != nullptr && !known.contains(name)) {
      pairs.push_back({std::string(name), open_buckets(a, lane.entity, b, *in_b)});
    }
  }
  return pairs;
}

std::int64_t sum_of(const std::vector<BucketPair>& buckets, std::int64_t BucketPair::* of) {
  std::int64_t sum = 0;
  for (const BucketPair& each : buckets) {
    if (__builtin_add_overflow(sum, std::max<std::int64_t>(each.*of, 0), &sum)) {
      return kOpen;
    }
  }
  return sum;
}

void add_buckets(std::vector<CostLine>& out, const LedgerPair& pair, bool comparable) {
  const std::int64_t whole_a = sum_of(pair.buckets, &BucketPair::a_us);
  const std::int64_t whole_b = sum_of(pair.buckets, &BucketPair::b_us);
  for (const BucketPair& each : pair.buckets) {
    if (each.a_us == 0 && each.b_us == 0) {
      continue;
    }
    const Better better = !comparable || each.bucket == name_of(Kind::kPaused) ? Better::kNeither
                          : each.bucket == name_of(Kind::kProductive)          ? Better::kMore
                                                                               : Better::kLess;
    out.push_back({.entity = pair.entity,
                   .what = each.bucket,
                   .is_bucket = true,
                   .better = better,
                   .a = each.a_us,
                   .b = each.b_us,
                   .whole_a_us = whole_a,
                   .whole_b_us = whole_b});
  }
}

}  // namespace

Judgement judged(const CostLine& line) {
  if (!line.a || !line.b) {
    return Judgement::kUnknown;
  }
  if (line.always) {
    return *line.always;
  }
  if (*line.a == *line.b) {
    return line.words_a == line.words_b ? Judgement::kSame : Judgement::kDiffers;
  }
  if (line.better == Better::kNeither) {
    return Judgement::kDiffers;
  }
  return (*line.b > *line.a) == (line.better == Better::kMore) ? Judgement::kBetter
                                                               : Judgement::kWorse;
}

std::vector<CostLine> cost_lines(const Trace& a, const Trace& b) {
  const reports::JsonValue line_a = reports::parsed(without_long_lists(a.summary_json));
  const reports::JsonValue line_b = reports::parsed(without_long_lists(b.summary_json));
  const Both run{summary_in(line_a), summary_in(line_b)};
  std::vector<CostLine> out;
  Lines of_run(out, {});
  // A verdict is on what the scenario expects, which may be that a job dies.
  of_run.add_words("verdict", run, "verdict", {}, "verdict_reason");
  of_run.add("cost", CostUnit::kAmount, Better::kLess, run.part("cluster").numbers("cost", 100));
  if (a.summary_json.empty() || b.summary_json.empty()) {
    of_run.add("recorded until", CostUnit::kTime, Better::kNeither, {a.last_us, b.last_us});
  }
  std::set<std::string> not_comparable;
  for (const auto& [list, prefix] :
       {std::pair("jobs", "job:"), std::pair("experiments", "experiment:")}) {
    const Both lists = run.part(list);
    const auto of_b = by_name(lists.b);
    for (const reports::JsonValue& in_a : lists.a) {
      const std::string name = reports::text_in(in_a, "name");
      const auto in_b = of_b.find(name);
      if (in_b == of_b.end()) {
        continue;
      }
      const Both job{in_a, *in_b->second};
      add_job(out, prefix + name, job);
      if (!is_comparable(job)) {
        not_comparable.insert(prefix + name);
      }
    }
  }
  // A run that ends early is not cheaper.
  if (!not_comparable.empty()) {
    for (CostLine& line : out) {
      line.better = line.what == "cost" && line.entity.empty() ? Better::kNeither : line.better;
    }
  }
  const bool whole = !a.summary_json.empty() && !b.summary_json.empty();
  for (const LedgerPair& pair : all_buckets(a, b)) {
    add_buckets(out, pair, whole && !not_comparable.contains(pair.entity));
  }
  return out;
}

}  // namespace aftershock::gui
