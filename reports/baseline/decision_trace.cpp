#include "reports/baseline/decision_trace.h"

#include <algorithm>
#include <utility>

#include "reports/compare/decision_text.h"
#include "reports/render/format.h"

namespace aftershock::reports {
namespace {

constexpr std::size_t kTimesKept = 4096;

/// Whether a line may be a decision's: the others need not be parsed.
bool may_decide(std::string_view line) {
  // Quotes within texts are escaped, so nothing else has this; it stands behind the time.
  constexpr std::string_view kDecision = R"("r":"decision")";
  return line.substr(0, 32 + kDecision.size()).find(kDecision) != line.npos;
}

}  // namespace

std::string decision_text(const DecisionStep& step, std::string_view first_owner) {
  std::string text = step_text(step, true);
  if (!step.fault.empty()) {
    text += ", for " + printable(step.fault, true);
  }
  return step.owner == first_owner ? text : printable(step.owner, true) + ": " + text;
}

void TraceSink::take(std::string_view line) {
  if (may_decide(line)) {
    for (const DecisionStep& step : decision_steps(line)) {
      add(step);
    }
  }
}

void TraceSink::add(const DecisionStep& step) {
  if (!first_owner_) {
    first_owner_ = step.owner;
  }
  std::string text = decision_text(step, *first_owner_);
  DecisionTrace& trace = made_.trace;
  ++trace.count;
  hash_.add(text);
  if (trace.count >= kFirstMark && (trace.count & (trace.count - 1)) == 0) {
    trace.marks.push_back(hash_.value());
    made_.mark_us.push_back(step.t_us);
  }
  if (full_) {
    return;
  }
  if (!trace.first.empty() && trace.first.back().text == text) {
    ++trace.first.back().times;
  } else if (trace.first.size() < kDecisionsKept) {
    trace.first.push_back({std::move(text), 1});
  } else {
    full_ = true;
    return;
  }
  if (made_.at_us.size() < kTimesKept) {
    made_.at_us.push_back(step.t_us);
  }
}

TimedTrace TraceSink::trace() const {
  TimedTrace whole = made_;
  whole.trace.hash = hash_.value();
  return whole;
}

namespace {

/// Walks two lists of kept decisions up to where they part.
class Parting {
 public:
  Parting(const DecisionTrace& before, const DecisionTrace& now) : before_(before), now_(now) {}

  /// Where, among what both keep; none where one list is the other's beginning and both are cut.
  std::optional<TraceDifference> find() {
    std::size_t i = 0;
    while (i < before_.first.size() && i < now_.first.size() && before_.first[i] == now_.first[i]) {
      shared_ += before_.first[i++].times;
    }
    const bool both = i < before_.first.size() && i < now_.first.size();
    if (both && before_.first[i].text == now_.first[i].text) {
      // One goes on with it while the other does something else.
      const std::int64_t a = before_.first[i].times;
      const std::int64_t b = now_.first[i].times;
      shared_ += std::min(a, b);
      return told(a < b ? i + 1 : i, a < b ? i : i + 1);
    }
    if (i == before_.first.size() && i == now_.first.size()) {
      const bool whole = shared_ == before_.count || shared_ == now_.count;
      return whole && before_.count != now_.count ? std::optional(told(i, i)) : std::nullopt;
    }
    return told(i, i);
  }

  /// Steps that both have.
  [[nodiscard]] std::int64_t shared() const { return shared_; }

 private:
  TraceDifference told(std::size_t in_before, std::size_t in_now) const {
    return {shared_ + 1, shared_ + 1, told_of(before_, in_before), told_of(now_, in_now), {}};
  }

  [[nodiscard]] ToldDecision told_of(const DecisionTrace& trace, std::size_t i) const {
    if (i < trace.first.size()) {
      return {ToldDecision::Known::kText, trace.first[i].text};
    }
    return {trace.count == shared_ ? ToldDecision::Known::kEnded : ToldDecision::Known::kNotKept,
            {}};
  }

  const DecisionTrace& before_;
  const DecisionTrace& now_;
  std::int64_t shared_ = 0;
};

/// Two runs that share all that is kept in words: between which marks they part.
TraceDifference between_marks(const DecisionTrace& before, const TimedTrace& now,
                              std::int64_t shared) {
  TraceDifference found;
  found.number = shared + 1;
  found.before.known = found.now.known = ToldDecision::Known::kNotKept;
  found.last_number = std::max(before.count, now.trace.count);
  const std::size_t marks = std::min(before.marks.size(), now.trace.marks.size());
  std::int64_t position = kFirstMark;
  for (std::size_t i = 0; i < marks; ++i, position *= 2) {
    if (before.marks[i] != now.trace.marks[i]) {
      found.last_number = position;
      break;
    }
    if (position >= found.number) {
      found.number = position + 1;
      found.at_us = now.mark_us[i];
    }
  }
  return found;
}

}  // namespace

std::optional<TraceDifference> trace_difference(const DecisionTrace& before,
                                                const TimedTrace& now) {
  Parting parting(before, now.trace);
  auto found = parting.find();
  if (!found) {
    if (before.count == now.trace.count && before.hash == now.trace.hash) {
      return std::nullopt;
    }
    return between_marks(before, now, parting.shared());
  }
  // Of a run that has ended the time is that of its last step.
  const auto at = static_cast<std::size_t>(found->number - 1);
  if (!now.at_us.empty()) {
    found->at_us = now.at_us[std::min(at, now.at_us.size() - 1)];
  }
  return found;
}

}  // namespace aftershock::reports
