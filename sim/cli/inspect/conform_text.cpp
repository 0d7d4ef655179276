#include "sim/cli/inspect/conform_text.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policies/api/json_as_text.h"
#include "reports/render/format.h"
#include "reports/render/table.h"
#include "sim/cli/command.h"

namespace aftershock::sim::cli {
namespace {

using nlohmann::ordered_json;

/// Texts of a difference are shown up to here.
constexpr std::size_t kLongest = 160;
/// So many runs beyond the list are named; --json has all.
constexpr std::size_t kMostNamed = 8;

std::string port_title(const ToldComparison& told) {
  return fmt::format("{}@{}", told.request->list.policy, told.request->list.profile);
}

std::string count_words(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", reports::format_count(static_cast<std::int64_t>(count)), what,
                     count == 1 ? "" : "s");
}

std::string words_of(const ToldComparison& told, std::size_t of, std::uint64_t seed) {
  return run_words(told.request->list.cases[of], seed);
}

std::string value_words(const conform::View& value) {
  const std::string text = value.is_null() ? "nothing" : policies::text_from_json(value);
  return printable(text.size() > kLongest ? text.substr(0, kLongest) + "..." : text);
}

std::string names_of(const std::vector<conform::Kind>& kinds) {
  std::string names;
  for (const conform::Kind kind : kinds) {
    names += (names.empty() ? "" : ", ") + std::string(name_of(kind));
  }
  return names;
}

reports::Table kind_table(const ToldComparison& told) {
  using Align = reports::Table::Align;
  reports::Table table({{}, {.align = Align::kRight}, {.align = Align::kRight}, {.elastic = true}});
  table.row({"kind", "runs that differ", "as listed", "first in"});
  for (const auto& [kind, tally] : told.comparison.kinds) {
    table.row({std::string(name_of(kind)), fmt::format("{}", tally.differ),
               fmt::format("{}", tally.known),
               tally.first ? words_of(told, tally.first->of, tally.first->seed) : ""});
  }
  return table;
}

std::string wrapped_line(const std::string& line, std::size_t indent) {
  return reports::wrapped(line, indent, output_style().width);
}

std::string firsts_text(const ToldComparison& told) {
  std::string text;
  for (const auto& [kind, tally] : told.comparison.kinds) {
    const conform::Difference& difference = tally.first->difference;
    text += wrapped_line(
        fmt::format("{}: {}{}", name_of(kind), words_of(told, tally.first->of, tally.first->seed),
                    tally.first->known ? ", as listed" : ""),
        0);
    text += wrapped_line(printable(difference.pointer), 2);
    text += wrapped_line("port       " + value_words(difference.port), 4);
    text += wrapped_line("installed  " + value_words(difference.installed), 4);
  }
  return text;
}

/// The command that shows the scenario of the first run beyond the list, where that was drawn.
std::string way_to_see(const ToldComparison& told) {
  const auto& cases = told.request->list.cases;
  for (const std::size_t beyond : told.comparison.beyond) {
    const conform::ComparedRun& run = told.runs[beyond];
    const std::string path = reports::shell_word(told.request->paths[run.of]);
    if (cases[run.of].sequences > 0) {
      return wrapped_line(
          fmt::format("to see that sequence: aftershock explore {} --policy {} --show {}", path,
                      port_title(told), run.seed),
          0);
    }
    if (!cases[run.of].cells.empty()) {
      return wrapped_line(
          fmt::format("to see that cell: aftershock matrix {} --policy {} --cell {}", path,
                      port_title(told), cases[run.of].cells[run.seed]),
          0);
    }
  }
  return {};
}

std::string beyond_text(const ToldComparison& told) {
  std::string text;
  const auto& beyond = told.comparison.beyond;
  for (std::size_t i = 0; i < beyond.size() && i < kMostNamed; ++i) {
    const conform::ComparedRun& run = told.runs[beyond[i]];
    std::vector<conform::Kind> kinds;
    for (const conform::Difference& difference : run.differences) {
      kinds.push_back(difference.kind);
    }
    text += wrapped_line(
        fmt::format("not listed: {}: {}", words_of(told, run.of, run.seed), names_of(kinds)), 0);
  }
  if (beyond.size() > kMostNamed) {
    text += fmt::format("and {} more; --json has all\n", beyond.size() - kMostNamed);
  }
  text += way_to_see(told);
  for (const conform::Stale& stale : told.comparison.stale) {
    const conform::Case& one = told.request->list.cases[stale.of];
    text += wrapped_line(
        fmt::format("does not differ any more{}, and is listed: {}: {}",
                    stale.kinds.empty() ? std::string() : " in " + names_of(stale.kinds),
                    printable(one.scenario), printable(one.known.why)),
        0);
  }
  return text;
}

/// The reasons of cases that differ as listed, each with the scenarios that it is of.
std::string listed_text(const ToldComparison& told) {
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  std::set<std::size_t> seen;
  for (const conform::ComparedRun& run : told.runs) {
    const conform::Case& one = told.request->list.cases[run.of];
    if (run.differences.empty() || one.known.why.empty() || !seen.insert(run.of).second) {
      continue;
    }
    auto found = std::ranges::find(reasons, one.known.why,
                                   &std::pair<std::string, std::vector<std::string>>::first);
    if (found == reasons.end()) {
      found = reasons.insert(found, {one.known.why, {}});
    }
    found->second.push_back(printable(one.scenario));
  }
  std::string text;
  for (const auto& [why, scenarios] : reasons) {
    const std::size_t more = scenarios.size() - 1;
    text += wrapped_line(
        fmt::format("listed: {}{}: {}", scenarios.front(),
                    more == 0 ? "" : fmt::format(" and {} more", more), printable(why)),
        0);
  }
  return text;
}

/// Whether the profile fits, and else which does best.
std::string fit_text(const ToldComparison& told) {
  const std::string installed = printable(told.request->installed_title);
  const std::size_t beyond = told.comparison.beyond.size();
  if (beyond == 0) {
    return wrapped_line(fmt::format("{} fits {}{}", port_title(told), installed,
                                    told.comparison.differ == 0 ? "" : ", but for what is listed"),
                        0);
  }
  std::string text =
      wrapped_line(fmt::format("{} does not fit {}", port_title(told), installed), 0);
  for (const ProfileFit& fit : told.fits) {
    text += wrapped_line(fmt::format("of the runs that are not listed {}@{} agrees in {} of {}",
                                     told.request->list.policy, fit.profile, fit.agree, beyond),
                         2);
  }
  return text;
}

std::string title_line(const ToldComparison& told) {
  return fmt::format("{} beside {}", port_title(told), printable(told.request->installed_title));
}

std::string count_line(const ToldComparison& told) {
  const conform::Comparison& comparison = told.comparison;
  return fmt::format(
      "{}, {}, {}, {}; {} {}", count_words(comparison.scenarios, "scenario"),
      count_words(comparison.runs, "run"), count_words(comparison.counts.decisions, "decision"),
      count_words(comparison.counts.charges, "charge"), count_words(comparison.differ, "run"),
      comparison.differ == 1 ? "differs" : "differ");
}

ordered_json kinds_json(const std::vector<conform::Kind>& kinds) {
  ordered_json names = ordered_json::array();
  for (const conform::Kind kind : kinds) {
    names.push_back(name_of(kind));
  }
  return names;
}

}  // namespace

std::string conform_text(const ToldComparison& told) {
  std::string text = wrapped_line(title_line(told), 0) + wrapped_line(count_line(told), 0);
  if (!told.comparison.kinds.empty()) {
    text += "\n" + kind_table(told).text(output_style(), 2) + "\n" + firsts_text(told) + "\n";
  }
  return text + listed_text(told) + beyond_text(told) + fit_text(told);
}

std::string conform_markdown(const ToldComparison& told) {
  return title_line(told) + ": " + count_line(told) + "\n\n" + kind_table(told).markdown();
}

ordered_json conform_rows(const ToldComparison& told) {
  ordered_json rows = ordered_json::array();
  for (const auto& [kind, tally] : told.comparison.kinds) {
    const conform::Found& first = *tally.first;
    rows.push_back({{"kind", name_of(kind)},
                    {"differ", tally.differ},
                    {"listed", tally.known},
                    {"scenario", told.request->list.cases[first.of].scenario},
                    {"seed", first.seed},
                    {"pointer", first.difference.pointer},
                    {"port", policies::text_from_json(first.difference.port)},
                    {"installed", policies::text_from_json(first.difference.installed)}});
  }
  return rows;
}

ordered_json conform_json(const ToldComparison& told) {
  const conform::Comparison& comparison = told.comparison;
  ordered_json json{{"port", port_title(told)},
                    {"installed", told.request->installed_title},
                    {"scenarios", comparison.scenarios},
                    {"runs", comparison.runs},
                    {"decisions", comparison.counts.decisions},
                    {"charges", comparison.counts.charges},
                    {"differ", comparison.differ},
                    {"beyond_the_list", comparison.beyond.size()},
                    {"fits", comparison.beyond.empty()},
                    {"kinds", conform_rows(told)},
                    {"profiles", ordered_json::array()},
                    {"stale", ordered_json::array()},
                    {"differences", ordered_json::array()}};
  for (const ProfileFit& fit : told.fits) {
    json["profiles"].push_back({{"profile", fit.profile}, {"agree", fit.agree}});
  }
  for (const conform::Stale& stale : comparison.stale) {
    const conform::Case& one = told.request->list.cases[stale.of];
    json["stale"].push_back(
        {{"scenario", one.scenario}, {"why", one.known.why}, {"kinds", kinds_json(stale.kinds)}});
  }
  for (const conform::ComparedRun& run : told.runs) {
    const conform::Case& one = told.request->list.cases[run.of];
    for (const conform::Difference& difference : run.differences) {
      ordered_json row{{"scenario", one.scenario}, {"seed", run.seed}};
      if (!one.cells.empty()) {
        row["cell"] = one.cells[run.seed];
      }
      row.update({{"kind", name_of(difference.kind)},
                  {"pointer", difference.pointer},
                  {"port", difference.port},
                  {"installed", difference.installed}});
      json["differences"].push_back(std::move(row));
    }
  }
  return json;
}

}  // namespace aftershock::sim::cli
