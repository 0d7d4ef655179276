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
  const char* before = ", orders ";
  for (const OrderedCommand& command : step.commands) {
    text += before + printable(command.type, true);
    before = ", ";
  }
  return step.owner == first_owner ? text : printable(step.owner, true) + ": " + text;
}

std::string act_of(std::string_view decision) {
  // As budget_text writes them: " of 3" or ", no limit", and behind that the cause.
  constexpr std::string_view kOf = " of ";
  constexpr std::string_view kNone = ", no limit";
  std::string act;
  for (std::size_t i = 0; i < decision.size();) {
    std::size_t end = i;
    if (decision.substr(i).starts_with(kNone)) {
      end = i + kNone.size();
    } else if (decision.substr(i).starts_with(kOf)) {
      end = std::min(decision.find_first_not_of("0123456789", i + kOf.size()), decision.size());
      end = end == i + kOf.size() ? i : end;
    }
    const std::string_view rest = decision.substr(end);
    if (end > i && (rest.starts_with(" (") || rest.starts_with(", "))) {
      i = end;
    } else {
      act += decision[i++];
    }
  }
  return act;
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
  hash_.add(act_of(text));
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

/// Walks two lists of kept decisions up to where they act otherwise.
class Parting {
 public:
  Parting(const DecisionTrace& before, const DecisionTrace& now) : before_{before}, now_{now} {}

  /// Where, among what both keep; none where they act the same, or one is cut there.
  std::optional<TraceDifference> find() {
    while (!before_.at_end() && !now_.at_end() && act_of(before_.text()) == act_of(now_.text())) {
      if (!limit_ && before_.text() != now_.text()) {
        limit_ = told();
      }
      const std::int64_t both = std::min(before_.left(), now_.left());
      shared_ += both;
      before_.pass(both);
      now_.pass(both);
    }
    const bool before_ended = before_.at_end() && before_.trace.count == shared_;
    const bool now_ended = now_.at_end() && now_.trace.count == shared_;
    if (before_ended || now_ended) {
      return before_ended && now_ended ? std::nullopt : std::optional(told());
    }
    // Where one list is cut its next decision is another one than its last: that much is known.
    const bool known = (!before_.at_end() || now_.within()) && (!now_.at_end() || before_.within());
    return known ? std::optional(told()) : std::nullopt;
  }

  /// Steps that both have.
  [[nodiscard]] std::int64_t shared() const { return shared_; }
  /// The first of them with another limit.
  [[nodiscard]] const std::optional<TraceDifference>& limit() const { return limit_; }

 private:
  /// A place in one list.
  struct Walk {
    const DecisionTrace& trace;
    std::size_t kept = 0;
    std::int64_t passed = 0;  ///< of the times of that one

    [[nodiscard]] bool at_end() const { return kept == trace.first.size(); }
    [[nodiscard]] bool within() const { return passed > 0; }
    [[nodiscard]] const std::string& text() const { return trace.first[kept].text; }
    [[nodiscard]] std::int64_t left() const { return trace.first[kept].times - passed; }
    void pass(std::int64_t times) {
      passed += times;
      if (left() == 0) {
        ++kept;
        passed = 0;
      }
    }
  };

  [[nodiscard]] TraceDifference told() const {
    return {shared_ + 1, shared_ + 1, told_of(before_), told_of(now_), {}};
  }

  [[nodiscard]] ToldDecision told_of(const Walk& walk) const {
    if (!walk.at_end()) {
      return {ToldDecision::Known::kText, walk.text()};
    }
    const bool ended = walk.trace.count == shared_;
    return {ended ? ToldDecision::Known::kEnded : ToldDecision::Known::kNotKept, {}};
  }

  Walk before_;
  Walk now_;
  std::int64_t shared_ = 0;
  std::optional<TraceDifference> limit_;
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

TraceDifferences trace_difference(const DecisionTrace& before, const TimedTrace& now) {
  Parting parting(before, now.trace);
  TraceDifferences found{parting.find(), parting.limit()};
  // Of a run that has ended the time is that of its last step.
  const auto at = [&now](const TraceDifference& difference) {
    const auto nth = static_cast<std::size_t>(difference.number - 1);
    return now.at_us.empty() ? std::nullopt
                             : std::optional(now.at_us[std::min(nth, now.at_us.size() - 1)]);
  };
  if (found.limit) {
    found.limit->at_us = at(*found.limit);
  }
  if (found.acts) {
    found.acts->at_us = at(*found.acts);
  } else if (before.count != now.trace.count || before.hash != now.trace.hash) {
    found.acts = between_marks(before, now, parting.shared());
  }
  return found;
}

}  // namespace aftershock::reports
