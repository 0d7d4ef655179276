#include "reports/html/parts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/assert.h"
#include "reports/render/format.h"
#include "reports/render/story.h"

namespace aftershock::reports {
namespace {

constexpr std::int64_t kTableRows = 12;

/// The pattern in page.html that lies over a bucket's colour; the families are the viewer's.
std::string_view hatch_of(Bucket bucket) {
  switch (bucket) {
    case Bucket::kRolledBack:
      return "hatch-lost";
    case Bucket::kStraggling:
      return "hatch-slow";
    case Bucket::kBackingOff:
    case Bucket::kWaitingForCapacity:
    case Bucket::kProvisioning:
      return "hatch-wait";
    case Bucket::kControllerDown:
      return "hatch-down";
    default:
      return {};
  }
}

/// A rectangle in the colour and the pattern of a bucket.
std::string bucket_rect(Bucket bucket, double x, double width, int height) {
  const std::string place =
      fmt::format("x=\"{:.2f}\" width=\"{:.2f}\" height=\"{}\"", x, width, height);
  std::string out = fmt::format("<rect class=\"b-{}\" {}/>", name_of(bucket), place);
  if (const std::string_view hatch = hatch_of(bucket); !hatch.empty()) {
    out += fmt::format("<rect fill=\"url(#{})\" {}/>", hatch, place);
  }
  return out;
}

/// Shares of all buckets, as the summary of a run shows them.
std::string share_of(const PartStory& part, std::size_t bucket) {
  return format_shares(part.ledger_us)[bucket];
}

std::int64_t sum_of(const PartStory& part) {
  return std::reduce(part.ledger_us.begin(), part.ledger_us.end(), std::int64_t{0});
}

int rank_of_outcome(const PartStory& part) {
  return part.outcome == "failed" ? 0 : part.outcome == "aborted" ? 1 : part.ended ? 3 : 2;
}

std::string verdict_words(const RunData& run) {
  if (run.verdict.empty()) {
    return "No verdict: the recording breaks off before the run’s end.";
  }
  std::string words = run.verdict == "passed" ? "Passed" : fmt::format("Verdict {}", run.verdict);
  if (!run.verdict_reason.empty()) {
    words += ": " + run.verdict_reason;
  }
  const auto met = std::ranges::count_if(run.expectations, &std::pair<std::string, bool>::second);
  if (!run.expectations.empty()) {
    words += fmt::format(". {} of {} expectations met", met, run.expectations.size());
  }
  if (run.violations > 0) {
    words += fmt::format(". {} invariants violated", run.violations);
  }
  return words + ".";
}

}  // namespace

std::string useful_share_text(const PartStory& part) {
  return part.useful_us && part.useful_of_us > 0 ? format_share(*part.useful_us, part.useful_of_us)
                                                 : "-";
}

std::string ettr_text(const PartStory& part) {
  return sum_of(part) > 0 ? share_of(part, index_of(Bucket::kProductive)) : "-";
}

std::string outcome_text(const PartStory& part) {
  if (!part.ended) {
    return fmt::format("{}: not ended after {}", part.name, format_duration(part.wall_us));
  }
  JobSummary summary;
  summary.name = part.name;
  summary.outcome = part.outcome;
  summary.reason = part.reason;
  summary.at_end = part.at_end;
  summary.wall_us = part.wall_us;
  summary.useful.us = part.useful_us.value_or(0);
  summary.useful.of_us = part.useful_of_us;
  summary.ledger_us = part.ledger_us;
  summary.attempts = part.attempts;
  return outcome_line(summary, {.color = false, .unicode = true});
}

std::optional<std::int64_t> steps_told(const PartStory& part) {
  if (part.steps_done || part.progress.empty()) {
    return part.steps_done;
  }
  return std::llround(part.progress.last().value);
}

std::vector<const PartStory*> parts_by_outcome(const RunData& run) {
  std::vector<const PartStory*> order;
  for (const PartStory& part : run.parts) {
    order.push_back(&part);
  }
  std::ranges::stable_sort(order, {}, [](const PartStory* part) { return rank_of_outcome(*part); });
  return order;
}

void write_verdict(Html& html, const RunData& run) {
  const auto order = parts_by_outcome(run);
  const bool bad = run.verdict != "passed" && !run.verdict.empty();
  const bool lost = !order.empty() && rank_of_outcome(*order.front()) < 2;
  html.raw(fmt::format("<div class=\"verdict {}\">\n", bad || lost           ? "bad"
                                                       : run.verdict.empty() ? "open"
                                                                             : "good"));
  for (std::size_t i = 0; i < order.size() && i < kPartsShown; ++i) {
    html.element("p", outcome_text(*order[i]), "class=\"outcome\"");
  }
  if (order.size() > kPartsShown) {
    html.element("p", fmt::format("and {} more jobs and experiments", order.size() - kPartsShown));
  }
  html.element("p", verdict_words(run));
  html.raw("</div>\n");
  if (run.read.state == ReadState::kPartial) {
    html.element(
        "p",
        fmt::format("This recording is partial: it ends at {}, after line {}, without the record "
                    "that ends a run. The page is true until then, costs and losses, too; what "
                    "came later, and what stragglers cost, is not recorded.",
                    format_duration(run.end_us), format_count(run.read.line)),
        "class=\"notice\" role=\"note\"");
  }
  for (const std::string& warning : run.warnings) {
    html.element("p", warning, "class=\"notice\" role=\"note\"");
  }
  for (const auto& [fault, why] : run.never_struck) {
    html.element("p", fmt::format("{} never struck: {}", fault, why),
                 "class=\"notice\" role=\"note\"");
  }
}

void write_view_commands(Html& html, std::span<const RunData* const> runs) {
  std::vector<std::string> recordings{"aftershock", "view"};
  for (const RunData* run : runs) {
    if (run->view.empty()) {
      recordings.push_back(run->path);
    }
  }
  if (recordings.size() > 2) {
    html.command(recordings);
  }
  for (const RunData* run : runs) {
    if (!run->view.empty()) {
      html.command(run->view);
      html.element("p",
                   fmt::format("It runs {} as it is then, and shows this run if the hash is {} "
                               "and the program {}.",
                               run->path, run->read.hash, run->version));
    }
  }
}

void write_ledger_bar(Html& html, const PartStory& part) {
  const std::int64_t all_us = sum_of(part);
  if (all_us <= 0) {
    return;
  }
  std::string rects;
  std::string words;
  std::int64_t before_us = 0;
  for (std::size_t i = 0; i < kBucketCount; ++i) {
    const std::int64_t us = part.ledger_us[i];
    if (us <= 0) {
      continue;
    }
    const auto bucket = static_cast<Bucket>(i);
    rects +=
        bucket_rect(bucket, 1000.0 * static_cast<double>(before_us) / static_cast<double>(all_us),
                    1000.0 * static_cast<double>(us) / static_cast<double>(all_us), 28);
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", name_of(bucket), share_of(part, i));
    before_us += us;
  }
  html.raw(
      fmt::format("<svg class=\"ledger\" viewBox=\"0 0 1000 28\" preserveAspectRatio=\"none\" "
                  "role=\"img\" aria-label=\"Where the time of {} went: {}\">{}</svg>\n",
                  html_text(part.name), words, rects));
}

HtmlTable ledger_table(std::span<const PartStory* const> parts,
                       std::span<const std::string> names) {
  AFTERSHOCK_ASSERT(names.empty() || names.size() == parts.size());
  HtmlTable table;
  table.caption = "Where the time went";
  table.columns = {{"Bucket"}};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string of = names.empty() ? "" : " " + names[i];
    table.columns.push_back({"Time" + of, true});
    table.columns.push_back({"Share" + of, true});
    table.columns.push_back({"Bar" + of});
  }
  for (std::size_t i = 0; i < kBucketCount; ++i) {
    const auto bucket = static_cast<Bucket>(i);
    if (std::ranges::all_of(parts,
                            [i](const PartStory* part) { return part->ledger_us[i] == 0; })) {
      continue;
    }
    HtmlTable::Row& row = table.rows.emplace_back();
    row.cells.push_back(
        {.markup = fmt::format("<svg class=\"swatch\" viewBox=\"0 0 14 14\" aria-hidden=\"true\">{}"
                               "</svg>{}",
                               bucket_rect(bucket, 0, 14, 14), name_of(bucket))});
    for (const PartStory* part : parts) {
      const std::int64_t us = part->ledger_us[i];
      const std::int64_t all_us = std::max<std::int64_t>(sum_of(*part), 1);
      row.cells.push_back({.text = format_duration(us)});
      row.cells.push_back({.text = share_of(*part, i)});
      row.cells.push_back(
          {.markup = fmt::format(
               "<svg class=\"bar\" viewBox=\"0 0 200 14\" aria-hidden=\"true\">{}</svg>",
               bucket_rect(bucket, 0, 200.0 * static_cast<double>(us) / static_cast<double>(all_us),
                           14))});
    }
  }
  return table;
}

Chart progress_chart(const PartStory& part, std::int64_t end_us) {
  Chart chart;
  chart.title = fmt::format("Progress of {} against time", part.name);
  chart.y_axis = "steps";
  if (part.progress.empty()) {
    return chart;
  }
  CurveBuilder progress = part.progress;
  progress.add(end_us, progress.last().value);
  chart.series.push_back({.name = "done", .points = progress.points()});
  if (part.steps) {
    chart.levels.push_back({"all steps", static_cast<double>(*part.steps)});
  }
  return chart;
}

Chart budget_chart(const PartStory& part, std::int64_t end_us) {
  Chart chart;
  chart.title = fmt::format("Retry budgets of {} over time", part.name);
  chart.y_axis = "used";
  chart.steps = true;
  for (const BudgetStory& budget : part.budgets) {
    CurveBuilder used = budget.used;
    used.add(end_us, used.last().value);
    chart.series.push_back({.name = budget.name, .points = used.points()});
    if (budget.limit) {
      chart.levels.push_back(
          {fmt::format("limit of {}", budget.name), static_cast<double>(*budget.limit)});
    }
  }
  return chart;
}

std::string budget_text(const BudgetStory& budget) {
  return budget_use({.used = budget.now,
                     .limit = budget.limit,
                     .exhausted = budget.exhausted,
                     .charges = {},
                     .by_agent = budget.by_agent});
}

void write_figure(Html& html, const Chart& chart, std::int64_t end_us) {
  html.raw(fmt::format("<figure data-chart=\"{}\">\n", chart.id));
  html.element("figcaption", chart.title);
  html.raw("<div class=\"plot\"></div>\n<details><summary>The same as a table</summary>\n");
  HtmlTable table;
  table.caption = chart.title + ", " + chart.y_axis;
  table.columns = {{"At", true}};
  for (const Series& series : chart.series) {
    table.columns.push_back({series.name, true});
  }
  for (std::int64_t i = 0; i <= kTableRows; ++i) {
    const std::int64_t t_us = end_us / kTableRows * i + end_us % kTableRows * i / kTableRows;
    HtmlTable::Row& row = table.rows.emplace_back();
    row.cells.push_back({.text = format_duration(t_us)});
    for (const Series& series : chart.series) {
      const double value = value_at(series, t_us, chart.steps);
      row.cells.push_back({.text = std::isnan(value) ? "-"
                                   : chart.share     ? fmt::format("{:.3f}", value)
                                                     : format_count(std::llround(value))});
    }
  }
  table.write(html);
  html.raw("</details>\n</figure>\n");
}

}  // namespace aftershock::reports
