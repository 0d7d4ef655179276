#include "reports/compare/agreement.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/json/json_value.h"
#include "reports/render/format.h"
#include "reports/render/table.h"

namespace aftershock::reports {

namespace {

/// The same answer, so many times. A file may say any number.
struct Act {
  std::string words;
  std::uint64_t times = 1;
};

/// The answers to a fault in the order in which they were given.
struct Answers {
  std::vector<Act> charges;
  std::vector<Act> decisions;
};

/// Budgets as they stood last.
using Used = std::map<std::string, std::int64_t>;

void add_answers(Answers& to, const DecisionStep& step, Used& used) {
  for (const BudgetMove& move : step.budgets) {
    // Agents that see a failure in one moment are one move of a simulated run.
    const std::int64_t last = std::exchange(used[move.budget], move.used);
    if (!move.charged) {
      continue;
    }
    const std::uint64_t charges =
        move.used > last ? static_cast<std::uint64_t>(move.used) - static_cast<std::uint64_t>(last)
                         : 1;
    to.charges.push_back({fmt::format("{} ({})", move.budget, move.cause), charges});
    to.decisions.push_back({fmt::format("charges {}", move.budget), charges});
  }
  if (step.from != step.to) {
    to.decisions.push_back({step.to});
  }
}

/// A step that starts workers: agents are healthy by it at once, and a simulated group when it
/// runs.
bool starts_workers(const DecisionStep& step) {
  return std::ranges::any_of(step.commands, [](const OrderedCommand& command) {
    return command.type == "start_attempt" || command.type == "restart_processes";
  });
}

std::map<std::string, Answers> answers_by_fault(const RecordedRun& run, bool of_agents) {
  std::map<std::string, Answers> answers;
  Used used;
  for (const DecisionStep& step : run.decisions.steps) {
    if (!(of_agents && starts_workers(step))) {
      add_answers(answers[step.fault], step, used);
    }
  }
  answers.erase("");  // to no fault
  return answers;
}

std::string in_order(const std::vector<Act>& acts) {
  std::vector<std::string> words;
  words.reserve(acts.size());
  for (const Act& act : acts) {
    words.push_back(act.times == 1 ? act.words : fmt::format("{} x{}", act.words, act.times));
  }
  return words.empty() ? "-" : fmt::format("{}", fmt::join(words, ", "));
}

std::string counted(const std::vector<Act>& acts) {
  std::map<std::string, std::uint64_t> times;
  for (const Act& act : acts) {
    times[act.words] += act.times;
  }
  std::vector<Act> sums;
  sums.reserve(times.size());
  for (const auto& [words, sum] : times) {
    sums.push_back({words, sum});
  }
  return in_order(sums);
}

void add_exact(Agreement& to, const std::string& fault, const char* what, std::string simulated,
               std::string live) {
  const bool agrees = simulated == live;
  to.lines.push_back({fault, what, std::move(simulated), std::move(live), agrees, false});
}

void add_time(Agreement& to, const std::string& fault, const char* what,
              std::optional<std::int64_t> simulated_us, std::optional<std::int64_t> live_us) {
  if (!simulated_us && !live_us) {
    return;
  }
  const auto words = [](const std::optional<std::int64_t>& us) {
    constexpr double kSecondUs = 1e6;
    return us ? fmt::format("{:.2f} s", static_cast<double>(*us) / kSecondUs) : std::string("-");
  };
  const bool both = simulated_us && live_us;
  const double model = both ? static_cast<double>(*simulated_us) : 0;
  const bool within =
      both && std::abs(static_cast<double>(*live_us) - model) <= kTimeBand * std::abs(model);
  to.lines.push_back({fault, what, words(simulated_us), words(live_us), within, true});
}

const JsonValue& first_job(const JsonValue& summary) {
  static const JsonValue nothing;
  const JsonValue& jobs = list_in(summary, "jobs");
  return jobs.empty() ? nothing : jobs.front();
}

/// When a fault struck, and when the answers to it were there; since it struck.
struct Times {
  std::optional<std::int64_t> decided_us;
  std::optional<std::int64_t> running_us;
};

/// A time of a file, which may say any: such times and their differences stay in range when they
/// are multiplied by a speed.
std::int64_t in_range(std::int64_t us) {
  constexpr std::int64_t kFurthest = std::int64_t{1} << 52;
  return std::clamp(us, -kFurthest, kFurthest);
}

/// A step that answers a fault: one that only takes note, as of a drain to come, charges nothing
/// and orders nothing of the workers.
bool answers_fault(const DecisionStep& step) {
  return std::ranges::any_of(step.budgets, &BudgetMove::charged) ||
         std::ranges::any_of(step.commands, [](const OrderedCommand& command) {
           return command.type != "persist" && command.type != "commit_checkpoint";
         });
}

/// The first such step for each fault.
std::map<std::string, std::int64_t> first_answers_us(const RecordedRun& run) {
  std::map<std::string, std::int64_t> first;
  for (const DecisionStep& step : run.decisions.steps) {
    if (answers_fault(step)) {
      first.try_emplace(step.fault, step.t_us);
    }
  }
  return first;
}

/// In the scenario's time, which a live run at another speed goes through faster.
std::map<std::string, Times> times_by_fault(const RecordedRun& run, const JsonValue& job) {
  std::map<std::string, std::int64_t> struck;
  for (const RecordedFault& fault : run.faults) {
    struck.try_emplace(fault.id, fault.t_us);
  }
  const std::map<std::string, std::int64_t> answered = first_answers_us(run);
  std::map<std::string, Times> times;
  for (const JsonValue& recovery : list_in(job, "recoveries")) {
    const std::string fault = text_in(recovery, "fault");
    const auto at = struck.find(fault);
    if (at == struck.end() || times.contains(fault)) {
      continue;
    }
    const auto since = [&](std::optional<std::int64_t> us) -> std::optional<std::int64_t> {
      return us ? std::optional((in_range(*us) - in_range(at->second)) * run.speed) : std::nullopt;
    };
    const auto answer = answered.find(fault);
    times[fault] = {since(answer != answered.end() ? std::optional(answer->second)
                                                   : integer_in(recovery, "detected_us")),
                    since(integer_in(recovery, "running_us"))};
  }
  return times;
}

/// Attempts that had nodes: agents begin one when they have met, and a simulated one begins when it
/// is asked for.
std::string attempts_text(const RecordedRun& run, const JsonValue& job) {
  const auto attempts = integer_in(job, "attempts");
  return attempts ? std::to_string(in_range(*attempts) - run.unplaced) : "-";
}

std::string faults_text(const RecordedRun& run) {
  std::vector<Act> ids;
  for (const RecordedFault& fault : run.faults) {
    ids.push_back({fault.id});
  }
  return counted(ids);
}

/// "llm under torchrun@2.15.0 (a.aftershock)"
std::string run_words(const RecordedRun& run, const Style& style) {
  return fmt::format("{} under {} ({})", printable(run.scenario, style.unicode),
                     printable(run.policy, style.unicode), printable(run.path, style.unicode));
}

/// "charges of kill"
std::string part_words(const AgreementLine& line, const Style& style) {
  return line.fault.empty() ? line.what : line.what + " of " + printable(line.fault, style.unicode);
}

bool beyond_band(const AgreementLine& line) { return line.is_time && !line.agrees; }

/// "2 of 3 times are beyond 15 %: ..."; the exit code goes by decisions and charges alone.
std::string times_text(const Agreement& found, const Style& style) {
  const auto first = std::ranges::find_if(found.lines, beyond_band);
  if (first == found.lines.end()) {
    return {};
  }
  return fmt::format("{} of {} times are beyond {:.0f} %, first {}: simulated {}, live {}\n",
                     std::ranges::count_if(found.lines, beyond_band),
                     std::ranges::count_if(found.lines, &AgreementLine::is_time), kTimeBand * 100,
                     part_words(*first, style), first->simulated, first->live);
}

}  // namespace

const AgreementLine* Agreement::first_difference() const {
  const auto found = std::ranges::find_if(
      lines, [](const AgreementLine& line) { return !line.is_time && !line.agrees; });
  return found == lines.end() ? nullptr : &*found;
}

Agreement agreement(const RecordedRun& simulated, const RecordedRun& live) {
  const JsonValue summaries[] = {parsed(simulated.summary), parsed(live.summary)};
  const JsonValue& model = first_job(summaries[0]);
  const JsonValue& real = first_job(summaries[1]);
  Agreement found;
  add_exact(found, "", "outcome", text_in(model, "outcome"), text_in(real, "outcome"));
  add_exact(found, "", "attempts", attempts_text(simulated, model), attempts_text(live, real));
  add_exact(found, "", "faults", faults_text(simulated), faults_text(live));
  const auto wall_us = integer_in(real, "wall_us");
  add_time(found, "", "wall time", integer_in(model, "wall_us"),
           wall_us ? std::optional(*wall_us * live.speed) : std::nullopt);
  const bool ordered = live.backend == "ray";
  const auto in_model = answers_by_fault(simulated, !ordered);
  const auto in_real = answers_by_fault(live, !ordered);
  const auto model_times = times_by_fault(simulated, model);
  const auto real_times = times_by_fault(live, real);
  std::map<std::string, bool> told;
  for (const RecordedRun* run : {&simulated, &live}) {
    for (const RecordedFault& fault : run->faults) {
      if (!told.try_emplace(fault.id, true).second) {
        continue;
      }
      const auto of = [&](const auto& map) {
        const auto known = map.find(fault.id);
        return known == map.end() ? typename std::decay_t<decltype(map)>::mapped_type()
                                  : known->second;
      };
      const Answers a = of(in_model);
      const Answers b = of(in_real);
      add_exact(found, fault.id, "charges", counted(a.charges), counted(b.charges));
      add_exact(found, fault.id, "decisions",
                ordered ? in_order(a.decisions) : counted(a.decisions),
                ordered ? in_order(b.decisions) : counted(b.decisions));
      const Times model_took = of(model_times);
      const Times real_took = of(real_times);
      add_time(found, fault.id, "to the decision", model_took.decided_us, real_took.decided_us);
      add_time(found, fault.id, "to running", model_took.running_us, real_took.running_us);
    }
  }
  return found;
}

std::string agreement_text(const RecordedRun& simulated, const RecordedRun& live,
                           const Style& style) {
  const Agreement found = agreement(simulated, live);
  std::string out =
      fmt::format("simulated: {}\nlive: {}\n", run_words(simulated, style), run_words(live, style));
  if (live.speed != 1) {
    out += fmt::format("times of the live run are multiplied by {}, its --speed\n", live.speed);
  }
  out += "\n";
  using Align = Table::Align;
  Table table({{Align::kLeft},
               {Align::kLeft},
               {.align = Align::kLeft, .elastic = true},
               {.align = Align::kLeft, .elastic = true},
               {Align::kLeft}});
  table.row({"fault", "", "simulated", "live", ""});
  for (const AgreementLine& line : found.lines) {
    const std::string word = line.is_time  ? (line.agrees ? "within 15 %" : "beyond 15 %")
                             : line.agrees ? "agrees"
                                           : "DIFFERS";
    table.row({printable(line.fault, style.unicode), line.what,
               printable(line.simulated, style.unicode), printable(line.live, style.unicode), word},
              line.agrees || line.is_time ? Colour::kPlain : Colour::kBad);
  }
  out += table.text(style, 0);
  if (const AgreementLine* first = found.first_difference()) {
    out += fmt::format("\nfirst difference: {}: simulated {}, live {}\n", part_words(*first, style),
                       printable(first->simulated, style.unicode),
                       printable(first->live, style.unicode));
  } else {
    out += "\nthe live run decided and charged as the simulated one did\n";
  }
  return out + times_text(found, style);
}

nlohmann::ordered_json agreement_json(const RecordedRun& simulated, const RecordedRun& live) {
  const Agreement found = agreement(simulated, live);
  nlohmann::ordered_json json = {{"simulated", simulated.path},
                                 {"live", live.path},
                                 {"backend", live.backend},
                                 {"speed", live.speed},
                                 {"agrees", found.first_difference() == nullptr},
                                 {"times_agree", std::ranges::none_of(found.lines, beyond_band)},
                                 {"lines", nlohmann::ordered_json::array()}};
  for (const AgreementLine& line : found.lines) {
    json["lines"].push_back({{"fault", line.fault},
                             {"what", line.what},
                             {"simulated", line.simulated},
                             {"live", line.live},
                             {"agrees", line.agrees},
                             {"is_time", line.is_time}});
  }
  return json;
}

}  // namespace aftershock::reports
