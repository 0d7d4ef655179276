#include "gui/panels/event_order.h"

#include <QStringList>
#include <algorithm>
#include <numeric>

#include "gui/panels/event_words.h"

namespace aftershock::gui {

namespace {

constexpr qsizetype kWordsMax = 31;

/// The rank of each text; equal ones have the same.
std::vector<std::uint32_t> ranks_of(const std::vector<QString>& texts) {
  std::vector<std::uint32_t> order(texts.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) { return texts[a] < texts[b]; });
  std::vector<std::uint32_t> ranks(texts.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && texts[order[i]] == texts[order[i - 1]];
    ranks[order[i]] = same ? ranks[order[i - 1]] : i;
  }
  return ranks;
}

std::vector<QString> texts_in(const TextTable& table) {
  std::vector<QString> texts(table.size());
  for (std::uint32_t i = 0; i < texts.size(); ++i) {
    texts[i] = shown_text(table[i]).toCaseFolded();
  }
  return texts;
}

/// Of every fault, or decision, by its number.
std::vector<QString> details_in(const Trace& trace, const DecisionTitles& titles, SubLane sub,
                                std::size_t count) {
  std::vector<QString> details(count);
  for (std::uint32_t lane = 0; lane < trace.lanes.size(); ++lane) {
    const Lane& of = trace.lanes[lane];
    for (std::uint32_t i = 0; of.sub == sub && i < of.columns.size(); ++i) {
      details[of.columns.numbers()[i]] = detail_of(trace, titles, lane, i);
    }
  }
  return details;
}

}  // namespace

EventFilter::EventFilter(const Trace& trace, const DecisionTitles& titles, const QString& text)
    : trace_(trace), titles_(titles) {
  const QStringList parts = text.toCaseFolded().split(u' ', Qt::SkipEmptyParts);
  words_.assign(parts.begin(), parts.begin() + std::min(parts.size(), kWordsMax));
  for (const std::string_view name : kKindNames) {
    in_kind_.push_back(words_in(shown_text(name)) | words_in(shown_text(name).replace(u'_', u' ')));
  }
  grow();
}

void EventFilter::grow() {
  if (words_.empty()) {
    return;
  }
  const auto look = [this](const TextTable& table, std::vector<Words>& in) {
    while (in.size() < table.size()) {
      in.push_back(words_in(shown_text(table[static_cast<TextId>(in.size())])));
    }
  };
  look(trace_.entities, in_entity_);
  look(trace_.texts, in_text_);
}

EventFilter::Words EventFilter::words_in(const QString& text) const {
  const QString folded = text.toCaseFolded();
  Words found = 0;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    found |= folded.contains(words_[i]) ? Words{1} << i : 0;
  }
  return found;
}

bool EventFilter::takes(std::uint32_t lane, std::uint32_t span) const {
  if (words_.empty()) {
    return true;
  }
  const Lane& of = trace_.lanes[lane];
  Words found = in_entity_[of.entity];
  switch (of.sub) {
    case SubLane::kMarks:
    case SubLane::kOthers:
      found |= in_text_[of.columns.numbers()[span]];
      break;
    case SubLane::kFaults:
    case SubLane::kDecisions:
      found |= words_in(detail_of(trace_, titles_, lane, span));
      [[fallthrough]];
    case SubLane::kAttempts:
      found |= words_in(what_of(trace_, lane, span));
      break;
    default:
      break;
  }
  found |= in_kind_[static_cast<std::size_t>(of.columns.spans().kind[span])];
  if (lost_of_span(trace_, lane, span) > 0) {
    found |= in_kind_[static_cast<std::size_t>(Kind::kRolledBack)];
  }
  return found == (Words{1} << words_.size()) - 1;
}

EventRanks::EventRanks(const Trace& trace, const DecisionTitles& titles)
    : trace_(trace),
      entities_(ranks_of(texts_in(trace.entities))),
      faults_(ranks_of(details_in(trace, titles, SubLane::kFaults, trace.faults.size()))),
      decisions_(ranks_of(details_in(trace, titles, SubLane::kDecisions, trace.decisions.size()))) {
  std::vector<QString> texts = texts_in(trace.texts);
  for (const std::string_view name : kKindNames) {
    texts.push_back(shown_text(name).replace(u'_', u' '));
  }
  texts_ = ranks_of(texts);
}

EventRanks::Key EventRanks::by_lane(std::uint32_t lane) const {
  return {entities_[trace_.lanes[lane].entity], 0};
}

EventRanks::Key EventRanks::by_what(std::uint32_t lane, std::uint32_t span) const {
  const Lane& of = trace_.lanes[lane];
  const auto kind = static_cast<std::size_t>(
      is_lost(trace_, lane, span) ? Kind::kRolledBack : of.columns.spans().kind[span]);
  const std::uint32_t rank = texts_[trace_.texts.size() + kind];
  switch (of.sub) {
    case SubLane::kMarks:
    case SubLane::kOthers:
      return {texts_[of.columns.numbers()[span]], 0};
    case SubLane::kFaults: {
      const TextId word = trace_.faults[of.columns.numbers()[span]].kind;
      return {word == kNoText ? 0 : texts_[word], 0};
    }
    case SubLane::kAttempts:
      return {rank, of.columns.numbers()[span]};
    default:
      return {rank, 0};
  }
}

EventRanks::Key EventRanks::by_detail(std::uint32_t lane, std::uint32_t span) const {
  const Lane& of = trace_.lanes[lane];
  switch (of.sub) {
    case SubLane::kMarks:
      return {0, 0};
    case SubLane::kDecisions:
      return {1, decisions_[of.columns.numbers()[span]]};
    case SubLane::kFaults:
      return {2, faults_[of.columns.numbers()[span]]};
    default:
      break;
  }
  const LaneSpans spans = of.columns.spans();
  return {3, spans.end_us[span] == kOpen ? kOpen : spans.end_us[span] - spans.begin_us[span]};
}

}  // namespace aftershock::gui
