#include "gui/why/decision_titles.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "gui/trace/line_texts.h"

namespace aftershock::gui {

namespace {

constexpr std::size_t kRulesMax = 3;

/// Looks for what a run writes there, which is much faster than to read it all.
std::string title_of(std::string_view record) {
  constexpr std::string_view kKey = "\"rule\":\"";
  std::string title;
  std::size_t rules = 0;
  for (std::size_t at = record.find(kKey); at != std::string_view::npos && rules < kRulesMax;
       at = record.find(kKey, at), ++rules) {
    at += kKey.size();
    title += (rules == 0 ? "" : ", ") + std::string(record.substr(at, record.find('"', at) - at));
  }
  return title;
}

}  // namespace

DecisionTitles decision_titles(const Trace& trace, const std::string& path) {
  DecisionTitles titles;
  add_titles(titles, trace, path);
  return titles;
}

void add_titles(DecisionTitles& titles, const Trace& trace, const std::string& path) {
  const std::size_t known = titles.of.size();
  titles.of.resize(trace.decisions.size(), kNoText);
  if (trace.decisions.size() > kTitlesMax) {
    return;
  }
  std::vector<std::uint32_t> lines;
  std::vector<std::size_t> decisions;
  for (std::size_t i = known; i < trace.decisions.size(); ++i) {
    if (trace.decisions[i].line != 0) {
      lines.push_back(trace.decisions[i].line);
      decisions.push_back(i);
    }
  }
  line_texts(trace, path, lines, [&](std::uint32_t line, std::string_view text) {
    const auto at = std::ranges::lower_bound(lines, line) - lines.begin();
    titles.of[decisions[static_cast<std::size_t>(at)]] = titles.texts.add(title_of(text));
    return true;
  });
}

}  // namespace aftershock::gui
