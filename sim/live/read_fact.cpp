#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "reports/json/json_value.h"
#include "sim/live/fact.h"

namespace aftershock::sim::live {

namespace {

using reports::flag_in;
using reports::integer_in;
using reports::JsonValue;
using reports::list_in;
using reports::part;
using reports::text_in;

// A year: no live run is longer, and sums of such times stay in range.
constexpr std::int64_t kLatestUs = 366LL * 24 * 3600 * 1'000'000;
constexpr std::int64_t kMost = 1'000'000'000;

/// Reads members, and keeps the first that is missing or out of range.
struct Reader {
  const JsonValue& from;
  std::string problem{};

  std::string text(const char* key) {
    if (!part(from, key).is_string()) {
      complain(key, "a text");
    }
    return text_in(from, key);
  }
  std::int64_t count(const char* key) {
    const auto number = integer_in(from, key);
    if (!number || *number < 0 || *number > kMost) {
      complain(key, "a whole number from 0 to 1000000000");
      return 0;
    }
    return *number;
  }
  std::string one_of(const char* key, std::initializer_list<std::string_view> words) {
    std::string word = text(key);
    if (std::ranges::find(words, word) == words.end()) {
      complain(key, fmt::format("one of {}", fmt::join(words, ", ")));
    }
    return word;
  }
  void complain(std::string_view key, std::string_view expected) {
    if (problem.empty()) {
      problem = fmt::format("\"{}\": expected {}", key, expected);
    }
  }
};

std::vector<std::string> texts_in(const JsonValue& object, const char* key) {
  std::vector<std::string> texts;
  for (const JsonValue& text : list_in(object, key)) {
    if (text.is_string()) {
      texts.push_back(text.get<std::string>());
    }
  }
  return texts;
}

std::optional<std::uint32_t> fault_in(Reader& reader, std::size_t faults, bool needed) {
  const auto number = integer_in(reader.from, "fault");
  if (!number && !needed) {
    return std::nullopt;
  }
  if (!number || *number < 0 || static_cast<std::uint64_t>(*number) >= faults) {
    reader.complain("fault", fmt::format("the place of one of the scenario's {} faults", faults));
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(*number);
}

std::int64_t rank_in(Reader& reader, std::int64_t ranks) {
  const std::int64_t rank = reader.count("rank");
  if (rank >= ranks) {
    reader.complain("rank", fmt::format("one of the job's {} ranks", ranks));
  }
  return rank;
}

std::int64_t ranks_of_attempt(Reader& reader, std::int64_t ranks) {
  const std::int64_t here = reader.count("ranks");
  if (here > ranks) {
    reader.complain("ranks", fmt::format("at most the job's {}", ranks));
  }
  return here;
}

Begun begun(Reader& reader) {
  Begun begun{.backend = reader.text("backend"),
              .policy = reader.text("policy"),
              .versions = {},
              .isolation = reader.one_of("isolation", {"namespaces", "guardian"}),
              .clock = reader.text("clock"),
              .addresses = reader.one_of("addresses", {"one", "several"})};
  const JsonValue& versions = part(reader.from, "versions");
  if (!versions.is_object()) {
    reader.complain("versions", "an object");
    return begun;
  }
  for (const auto& [name, version] : versions.items()) {
    begun.versions.emplace_back(name, version.is_string() ? version.get<std::string>() : "");
  }
  return begun;
}

Rules rules(Reader& reader) {
  Rules told{.rules = {},
             .states = texts_in(reader.from, "states"),
             .budgets = texts_in(reader.from, "budgets")};
  for (const JsonValue& rule : list_in(reader.from, "rules")) {
    told.rules.push_back({text_in(rule, "id"), text_in(rule, "sentence"), text_in(rule, "source")});
  }
  return told;
}

PhaseEntered phase(Reader& reader, std::int64_t ranks) {
  PhaseEntered entered;
  const std::string word = reader.text("phase");
  const auto* const found = std::ranges::find(scenario::kPhaseNames, word);
  if (found == scenario::kPhaseNames.end()) {
    reader.complain("phase", "the name of a phase");
  } else {
    entered.phase = static_cast<scenario::Phase>(found - scenario::kPhaseNames.begin());
  }
  if (!part(reader.from, "rank").is_null()) {
    entered.rank = rank_in(reader, ranks);
    entered.attempt = reader.count("attempt");
  }
  entered.step = integer_in(reader.from, "step").value_or(0);
  return entered;
}

WorkerChange worker(Reader& reader, std::int64_t ranks) {
  WorkerChange change{.attempt = reader.count("attempt"),
                      .rank = rank_in(reader, ranks),
                      .node = text_in(reader.from, "node"),
                      .code = integer_in(reader.from, "code")};
  change.ended = reader.one_of("what", {"launched", "ended"}) == "ended";
  return change;
}

BudgetMoved moved(const JsonValue& told) {
  return {.name = text_in(told, "name"),
          .cause = text_in(told, "cause"),
          .used = std::clamp<std::int64_t>(integer_in(told, "used").value_or(0), 0, kMost),
          .limit = integer_in(told, "limit"),
          .charged = flag_in(told, "charged", true),
          .exhausted = flag_in(told, "exhausted", false)};
}

Decided decided(Reader& reader, std::size_t faults, bool mere_state) {
  Decided decided{.by = reader.text("by"),
                  .rule = mere_state ? std::string() : reader.text("rule"),
                  .word = text_in(reader.from, "word"),
                  .from = reader.text("from"),
                  .to = reader.text("to"),
                  .saw = texts_in(reader.from, "saw"),
                  .fault = fault_in(reader, faults, false),
                  .budgets = {},
                  .commands = texts_in(reader.from, "commands")};
  for (const JsonValue& told : list_in(reader.from, "budgets")) {
    decided.budgets.push_back(moved(told));
  }
  return decided;
}

using About = decltype(Fact::about);

About about(Reader& reader, std::string_view kind, const FactLimits& limits) {
  if (kind == "begin") return begun(reader);
  if (kind == "rules") return rules(reader);
  if (kind == "node") {
    return NodeChange{reader.text("node"), reader.one_of("what", {"up", "lost", "cut", "healed",
                                                                  "draining", "added", "removed"})};
  }
  if (kind == "attempt") {
    return AttemptBegun{reader.count("attempt"), ranks_of_attempt(reader, limits.ranks),
                        texts_in(reader.from, "nodes")};
  }
  if (kind == "worker") return worker(reader, limits.ranks);
  if (kind == "phase") return phase(reader, limits.ranks);
  if (kind == "step") {
    return StepDone{reader.count("attempt"), rank_in(reader, limits.ranks), reader.count("step")};
  }
  if (kind == "checkpoint") {
    return CheckpointTold{reader.one_of("what", {"committed", "loaded", "unreadable"}),
                          reader.count("step")};
  }
  if (kind == "fault") {
    return FaultTold{fault_in(reader, limits.faults, true).value_or(0),
                     reader.one_of("what", {"struck", "missed", "over"}),
                     text_in(reader.from, "on"), text_in(reader.from, "why")};
  }
  if (kind == "state") return decided(reader, limits.faults, true);
  if (kind == "decision") return decided(reader, limits.faults, false);
  if (kind == "end") {
    return Ended{reader.one_of("outcome", {"completed", "failed", "aborted", "running"}),
                 text_in(reader.from, "state"), text_in(reader.from, "reason")};
  }
  if (kind == "invalid") return Invalid{reader.text("why")};
  reader.complain("fact", "the name of a fact");
  return Invalid{};
}

}  // namespace

std::variant<Fact, std::string> read_fact(std::string_view line, const FactLimits& limits) {
  const JsonValue told = reports::parsed(line);
  if (!told.is_object()) {
    return "is not a JSON object";
  }
  Reader reader{told};
  Fact fact;
  const auto t_us = integer_in(told, "t_us");
  const std::string kind = reader.text("fact");
  // Words about the rules are of no time.
  if (t_us ? *t_us < 0 || *t_us > kLatestUs : kind != "rules") {
    reader.complain("t_us", "microseconds since the job was submitted");
  }
  fact.t_us = t_us.value_or(0);
  fact.about = about(reader, kind, limits);
  if (!reader.problem.empty()) {
    return reader.problem;
  }
  return fact;
}

}  // namespace aftershock::sim::live
