#include "sim/advise/advice_page.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "reports/html/curve.h"
#include "reports/html/page.h"
#include "reports/render/format.h"
#include "sim/advise/rate_words.h"
#include "sim/sweep/where.h"

namespace aftershock::sim::advise {
namespace {

using reports::Chart;
using reports::Html;
using reports::HtmlTable;
using reports::Series;

const reports::Style kPageStyleOfText{.color = false, .unicode = true};

/// Where a curve has a point: what is along it, and what it came to.
struct CurvePlace {
  std::int64_t at = 0;
  const ChoiceResult* result = nullptr;
  bool told = false;
};

/// The values that were tried of one place while all others stayed as they were.
struct Along {
  std::string name;                ///< of the place
  std::vector<CurvePlace> places;  ///< in the order of `at`; fewer than two: there is no curve
  bool timed = false;
  std::size_t number = 0;  ///< of the dimension
  std::string beside{};    ///< the label of the others where they are not the told choice's
  bool searched = false;   ///< the others as the search had them, not as the told choice has
};

bool is_number(const std::string& text) {
  return text.find_first_not_of("-.0123456789\"") == text.npos;
}

/// The value that a chart shows along the choices.
enum class Curve : std::uint8_t { kLost, kUseful, kEttr, kExhausted };

std::optional<reports::Estimate> estimate_of(const ChoiceResult& result, Curve of) {
  const reports::CellSummary& summary = result.summary;
  switch (of) {
    case Curve::kLost:
      if (!summary.alive) {
        return std::nullopt;
      }
      return reports::Estimate{1 - summary.alive->value,
                               summary.alive->interval ? std::optional(reports::Interval{
                                                             1 - summary.alive->interval->high,
                                                             1 - summary.alive->interval->low})
                                                       : std::nullopt};
    case Curve::kUseful:
      return summary.useful_share;
    case Curve::kEttr:
      return summary.ettr;
    case Curve::kExhausted:
      return summary.exhausted;
  }
  return std::nullopt;
}

/// By the closed forms, where there is one.
std::optional<double> formula_of(const ChoiceResult& result, Curve of) {
  return of == Curve::kEttr        ? result.formula_ettr
         : of == Curve::kExhausted ? result.formula_exhausted
                                   : std::nullopt;
}

/// Policies, say, lie along nothing.
std::optional<std::int64_t> place_of(const std::string& value) {
  const auto amount = sweep::amount_of(value);
  return amount && std::abs(*amount) <= 9e15 && *amount == std::floor(*amount)
             ? std::optional(static_cast<std::int64_t>(*amount))
             : std::nullopt;
}

/// The values of a dimension beside those that one choice has in the others.
Along along(const AdviceQuestion& question, const std::vector<ChoiceResult>& results,
            std::size_t told, std::size_t beside, const sweep::Dimension& dimension) {
  Along out{.name = dimension.names.front(), .places = {}};
  const sweep::Point& here = question.choices[beside];
  for (std::size_t choice = 0; choice < question.choices.size(); ++choice) {
    const sweep::Point& point = question.choices[choice];
    const bool like = std::ranges::equal(point, here, [&](const auto& left, const auto& right) {
      return left == right ||
             std::ranges::find(dimension.names, left.first) != dimension.names.end();
    });
    const auto own = std::ranges::find(point, out.name, &sweep::Point::value_type::first);
    const auto at = place_of(own->second);
    if (like && at) {
      out.timed = out.timed || !is_number(own->second);
      out.places.push_back({*at, &results[choice], choice == told});
    }
  }
  std::ranges::stable_sort(out.places, {}, &CurvePlace::at);
  return out;
}

/// The same of what a search tried.
Along searched(const AdviceQuestion& question, std::size_t told,
               const sweep::Dimension& dimension) {
  Along out{.name = dimension.names.front(), .places = {}, .searched = true};
  const auto own =
      std::ranges::find(question.choices[told], out.name, &sweep::Point::value_type::first);
  for (const TriedValue& tried : question.alone) {
    const auto at = place_of(tried.value);
    if (tried.name == out.name && at) {
      out.timed = out.timed || !is_number(tried.value);
      out.places.push_back({*at, &tried.result, tried.value == own->second});
    }
  }
  std::ranges::stable_sort(out.places, {}, &CurvePlace::at);
  return out;
}

/// An advice's page while it is written.
class AdvicePage {
 public:
  AdvicePage(const Advice& advice, const AdviceContext& context)
      : advice_(advice), context_(context), told_(advice.chosen.value_or(advice.nearest)) {}

  std::string page();

 private:
  Html& html() { return page_.body; }
  void fact(std::string_view term, const std::string& value);
  void outcome();
  void write_rate(std::size_t rate);
  [[nodiscard]] Along longest_along(std::size_t rate, const sweep::Dimension& dimension) const;
  void write_curves(std::size_t rate);
  void write_curve(std::size_t rate, const Along& along, const char* id, const char* what,
                   Curve of);
  void write_table(std::size_t rate);
  void limits();
  void change();

  const Advice& advice_;
  const AdviceContext& context_;
  std::size_t told_;
  reports::Page page_;
  std::vector<Chart> charts_;
};

void AdvicePage::fact(std::string_view term, const std::string& value) {
  html().raw("<div>");
  html().element("dt", term);
  html().element("dd", value);
  html().raw("</div>\n");
}

void AdvicePage::outcome() {
  html().section("outcome", "Advice");
  html().raw(fmt::format("<div class=\"verdict {}\">\n", advice_.chosen ? "good" : "bad"));
  bool first = true;
  for (const std::string& sentence : advice_words(advice_, context_)) {
    html().element("p", sentence, first ? "class=\"outcome\"" : "");
    first = false;
  }
  html().raw("</div>\n<dl class=\"facts\">\n");
  fact("Scenario", context_.path + context_.flags);
  fact("Goal", context_.question.goal.text);
  fact("Choices", fmt::format("{}", context_.question.choices.size()));
  fact("Runs of each", reports::format_count(advice_.results[0][0].summary.runs));
  fact("Seeds from", fmt::format("{}", context_.plan.first_seed));
  html().raw("</dl>\n");
  html().end_section();
}

void AdvicePage::write_curve(std::size_t rate, const Along& along, const char* id, const char* what,
                             Curve of) {
  Chart chart;
  chart.id = along.number == 0 ? fmt::format("{}-{}", id, rate)
                               : fmt::format("{}-{}-{}", id, rate, along.number);
  chart.title = fmt::format("{} by {}, {}, with 95 % intervals{}", what, short_name(along.name),
                            rate_words(context_.question.rates[rate]),
                            along.searched         ? ", as the search found it by few runs"
                            : along.beside.empty() ? ""
                                                   : ", beside " + along.beside);
  chart.y_axis = what;
  chart.share = chart.fits = true;
  chart.timed = along.timed;
  Series simulated{.name = "simulated", .points = {}};
  Series formula{.name = "formula", .points = {}};
  for (const CurvePlace& place : along.places) {
    const ChoiceResult& result = *place.result;
    if (const auto& estimate = estimate_of(result, of)) {
      simulated.points.push_back({place.at, estimate->value});
      simulated.low.push_back(estimate->interval ? estimate->interval->low : estimate->value);
      simulated.high.push_back(estimate->interval ? estimate->interval->high : estimate->value);
    }
    if (const auto value = formula_of(result, of)) {
      formula.points.push_back({place.at, *value});
    }
    if (place.told) {
      chart.marks.emplace_back(advice_.chosen ? "chosen" : "nearest", place.at);
    }
  }
  for (Series* series : {&simulated, &formula}) {
    if (series->points.size() > 1) {
      chart.series.push_back(std::move(*series));
    }
  }
  if (chart.empty()) {
    return;
  }
  html().raw(fmt::format("<figure data-chart=\"{}\">\n", chart.id));
  html().element("figcaption", chart.title);
  html().raw("<div class=\"plot\"></div>\n</figure>\n");
  charts_.push_back(std::move(chart));
}

void AdvicePage::write_table(std::size_t rate) {
  HtmlTable table;
  table.id = fmt::format("choice-table-{}", rate);
  table.sortable = true;
  table.caption =
      fmt::format("All choices, {}; {}; {}", rate_title(advice_, context_.question, rate),
                  kUsefulMeaning, kEttrMeaning);
  for (const std::string& heading : choice_headings(context_, kPageStyleOfText)) {
    table.columns.push_back({heading, true});
  }
  table.columns.push_back({"Advice"});
  for (std::size_t choice = 0; choice < context_.question.choices.size(); ++choice) {
    HtmlTable::Row& row = table.rows.emplace_back();
    for (std::string& text : choice_cells(advice_, context_, rate, choice, kPageStyleOfText)) {
      row.cells.push_back({.text = std::move(text)});
    }
    row.cells.push_back({.text = choice == told_ ? (advice_.chosen ? "chosen" : "nearest")
                                 : advice_.present == choice ? "as it is now"
                                                             : ""});
  }
  table.write(html());
}

/// Beside the told choice; where nothing lies there, as of what the scenario has now, beside
/// another one.
Along AdvicePage::longest_along(std::size_t rate, const sweep::Dimension& dimension) const {
  Along longest = along(context_.question, advice_.results[rate], told_, told_, dimension);
  for (std::size_t choice = 0;
       longest.places.size() < 2 && choice < context_.question.choices.size(); ++choice) {
    Along other = along(context_.question, advice_.results[rate], told_, choice, dimension);
    if (other.places.size() > 1) {
      sweep::Point beside = context_.question.choices[choice];
      std::erase_if(beside, [&](const auto& each) {
        return std::ranges::find(dimension.names, each.first) != dimension.names.end();
      });
      other.beside = choice_label(beside);
      longest = std::move(other);
    }
  }
  return longest;
}

void AdvicePage::write_curves(std::size_t rate) {
  constexpr std::size_t kCurve = 3;
  for (std::size_t number = 0; number < context_.question.dimensions.size(); ++number) {
    const sweep::Dimension& dimension = context_.question.dimensions[number];
    Along values = longest_along(rate, dimension);
    if (values.places.size() < kCurve && rate == 0) {
      Along found = searched(context_.question, told_, dimension);
      if (found.places.size() > values.places.size()) {
        values = std::move(found);
      }
    }
    if (values.places.size() < 2) {
      continue;
    }
    values.number = number;
    write_curve(rate, values, "lost", "Runs that fail or are stuck", Curve::kLost);
    write_curve(rate, values, "useful", "Useful work", Curve::kUseful);
    write_curve(rate, values, "ettr", "ETTR", Curve::kEttr);
    write_curve(rate, values, "exhausted", "Runs that exhaust their retries", Curve::kExhausted);
  }
}

void AdvicePage::write_rate(std::size_t rate) {
  std::string heading = rate_words(context_.question.rates[rate]);
  heading.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(heading.front())));
  html().section(fmt::format("rate-{}", rate), heading);
  write_curves(rate);
  write_table(rate);
  html().end_section();
}

void AdvicePage::limits() {
  html().section("formulas", "Formulas");
  html().element(
      "p",
      "ETTR by Daly’s exact efficiency, less the time that Erlang’s B has a job wait for "
      "nodes; exhausted retries by Poisson’s law. Idle are spares that stand by in the "
      "mean.");
  if (!advice_.limits.empty() || !advice_.budgets.empty()) {
    html().element("h3", "Where they know less than the simulation");
    html().raw("<ul>\n");
    for (const auto* list : {&advice_.limits, &advice_.budgets}) {
      for (const std::string& sentence : *list) {
        html().element("li", sentence);
      }
    }
    html().raw("</ul>\n");
  }
  html().end_section();
}

void AdvicePage::change() {
  if (!advice_.chosen || advice_.chosen == advice_.present) {
    return;
  }
  html().section("change", "The change");
  html().element("p", "Try it:");
  html().raw(fmt::format("<pre class=\"command\"><code>{}</code></pre>\n",
                         reports::html_text(choice_command(context_, *advice_.chosen))));
  html().element("p", "As a JSON merge patch, for a scenario that extends this one:");
  html().raw("<pre class=\"command\"><code>");
  // The patch is written line by line, as text here excludes ends of lines.
  const std::string patch =
      policies::text_from_json(choice_patch(context_, *advice_.chosen), {.indent = 1});
  for (std::size_t from = 0; from <= patch.size();) {
    const std::size_t to = std::min(patch.find('\n', from), patch.size());
    html().text(std::string_view(patch).substr(from, to - from));
    html().raw(to == patch.size() ? "" : "\n");
    from = to + 1;
  }
  html().raw("</code></pre>\n");
  html().end_section();
}

std::string AdvicePage::page() {
  page_.title = context_.plan.scenario;
  page_.kind = "Advice";
  outcome();
  for (std::size_t i = 0; i < advice_.results.size(); ++i) {
    write_rate(i);
  }
  limits();
  change();
  reports::JsonWriter json;
  json.open_object();
  json.key("charts");
  json.open_array();
  for (const Chart& chart : charts_) {
    write_chart(json, chart);
  }
  json.close_array();
  json.close_object();
  page_.data = json.text();
  return page_html(page_);
}

}  // namespace

std::string advice_page(const Advice& advice, const AdviceContext& context) {
  return AdvicePage(advice, context).page();
}

}  // namespace aftershock::sim::advise
