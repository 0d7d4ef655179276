#include "sim/control/external/transcript.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json.h"
#include "policies/api/json_as_text.h"

namespace aftershock::sim::control {
namespace {

constexpr std::string_view kBeginning = R"({"transcript":1)";
constexpr std::string_view kTo = R"(,"to":)";
constexpr std::string_view kFrom = R"(,"from":)";
constexpr std::string_view kNone = R"(,"no_answer":)";

void fold(reports::RollingHash& hash, std::size_t policy, const Exchange& exchange) {
  hash.add(static_cast<std::uint64_t>(policy));
  hash.add(exchange.to);
  hash.add(exchange.from);
  if (!exchange.answered) {
    hash.add(kNone);
  }
}

std::string hex(const reports::RollingHash& hash) { return fmt::format("{:016x}", hash.value()); }

/// JSON is written as it was said, byte by byte; any other line as a string.
void append_said(std::string& line, std::string_view said) {
  if (said.starts_with('{') && nlohmann::json::accept(said)) {
    line += said;
  } else {
    policies::append_json_string(line, said);
  }
}

/// Nobody who walks through a message calls itself more often.
constexpr int kDeepest = 1000;

/// How deep objects and lists stand in each other, of a text that need not be JSON.
int depth_of(std::string_view text) {
  int depth = 0;
  int deepest = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    if (quoted) {
      at += letter == '\\' ? 1 : 0;
      quoted = letter != '"';
    } else {
      quoted = letter == '"';
      depth += letter == '{' || letter == '[' ? 1 : letter == '}' || letter == ']' ? -1 : 0;
      deepest = std::max(deepest, depth);
    }
  }
  return deepest;
}

/// Where the object or string that begins at `at` ends; the text is JSON.
std::size_t end_of_value(std::string_view text, std::size_t at) {
  int depth = 0;
  bool quoted = false;
  for (; at < text.size(); ++at) {
    const char letter = text[at];
    if (quoted) {
      at += letter == '\\' ? 1 : 0;
      quoted = letter != '"';
    } else {
      quoted = letter == '"';
      depth += letter == '{' || letter == '[' ? 1 : letter == '}' || letter == ']' ? -1 : 0;
    }
    if (!quoted && depth == 0) {
      return at + 1;
    }
  }
  return text.size();
}

/// The text of one of them, its quotes apart where it is a string.
std::string said_at(std::string_view line, std::size_t& at, std::string_view key) {
  // Cut out and not parsed: the hash is over the bytes as they were said.
  const std::size_t begin = line.find(key, at) + key.size();
  at = end_of_value(line, begin);
  const std::string_view raw = line.substr(begin, at - begin);
  return raw.starts_with('"') ? policies::json_from_text(raw).get<std::string>() : std::string(raw);
}

/// None where it is wrong.
std::optional<std::map<std::uint32_t, std::int64_t>> offsets_in(
    const nlohmann::ordered_json& list) {
  std::map<std::uint32_t, std::int64_t> offsets;
  for (const auto& pair : list) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number_unsigned() ||
        !pair[1].is_number_unsigned()) {
      return std::nullopt;
    }
    offsets[pair[0].get<std::uint32_t>()] = pair[1].get<std::int64_t>();
  }
  return list.is_array() ? std::optional(offsets) : std::nullopt;
}

/// False where it is wrong.
bool read_how(const nlohmann::ordered_json& head, RunHow& how) {
  if (head.contains("driver")) {
    how.simgrid = head["driver"] == "simgrid";
  }
  if (head.contains("max_events") && head["max_events"].is_number_integer()) {
    how.max_entries = head["max_events"].get<std::int64_t>();
  }
  if (head.contains("offsets_us")) {
    how.offsets_us = offsets_in(head["offsets_us"]);
    if (!how.offsets_us) {
      return false;
    }
  }
  return head.contains("driver") == how.simgrid &&
         head.contains("max_events") == how.max_entries.has_value() &&
         how.max_entries.value_or(1) > 0;
}

}  // namespace

TranscriptText::TranscriptText(std::string_view scenario_json, const RunHow& how)
    : text_(kBeginning) {
  text_ += ',';
  if (how.simgrid) {
    text_ += R"("driver":"simgrid",)";
  }
  if (how.max_entries) {
    text_ += fmt::format(R"("max_events":{},)", *how.max_entries);
  }
  if (how.offsets_us) {
    text_ += fmt::format(R"("offsets_us":{},)",
                         policies::text_from_json(nlohmann::json(*how.offsets_us)));
  }
  text_ += R"("scenario":)";
  text_ += scenario_json;
  text_ += "}\n";
}

void TranscriptText::add(std::size_t policy, const Exchange& exchange) {
  fold(hash_, policy, exchange);
  std::string line = fmt::format(R"({{"policy":{})", policy);
  line += kTo;
  append_said(line, exchange.to);
  if (exchange.answered) {
    line += kFrom;
    append_said(line, exchange.from);
  } else {
    line += kNone;
    policies::append_json_string(line, exchange.from);
  }
  line += fmt::format(R"(,"hash":"{}"}})", hex(hash_));
  text_ += line + '\n';
}

std::string TranscriptText::finish(std::string_view verdict, std::string_view hash) && {
  text_ += fmt::format(R"({{"verdict":"{}","run_hash":"{}"}})", verdict, hash);
  text_ += '\n';
  return std::move(text_);
}

bool begins_transcript(std::string_view beginning) { return beginning.starts_with(kBeginning); }

std::variant<Transcript, std::string> read_transcript(std::string_view text) {
  Transcript transcript;
  reports::RollingHash hash;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (depth_of(line) > kDeepest) {
      return fmt::format("line {} has JSON in JSON more than {} times", number, kDeepest);
    }
    const auto json = policies::json_or_discarded<nlohmann::ordered_json>(line);
    if (!json.is_object()) {
      return fmt::format("line {} is not a JSON object", number);
    }
    if (number == 1) {
      if (!json.contains("transcript") || json["transcript"] != 1 || !json.contains("scenario")) {
        return "is not a transcript that `run --transcript` wrote";
      }
      transcript.scenario_json = policies::text_from_json(json["scenario"]);
      if (!read_how(json, transcript.how)) {
        return R"(line 1 has a "driver" other than "simgrid", a "max_events" that is not a )"
               R"(number above 0, or "offsets_us" that are not pairs)";
      }
      continue;
    }
    if (json.contains("run_hash") && json["run_hash"].is_string()) {
      transcript.hash = json["run_hash"].get<std::string>();
      transcript.verdict =
          policies::text_from_json(json.value("verdict", nlohmann::ordered_json()));
      continue;
    }
    if (!json.contains("policy") || !json["policy"].is_number_unsigned() || !json.contains("to") ||
        json.contains("from") == json.contains("no_answer") || !json.contains("hash")) {
      return fmt::format("line {} is not an exchange with a policy", number);
    }
    const auto policy = json["policy"].get<std::size_t>();
    // Policies are begun in the order of their numbers.
    if (policy > transcript.tape.size()) {
      return fmt::format("line {} is of policy {}, and there is none before it", number, policy);
    }
    transcript.tape.resize(std::max(transcript.tape.size(), policy + 1));
    std::size_t at = 0;
    Exchange exchange;
    exchange.to = said_at(line, at, kTo);
    exchange.answered = json.contains("from");
    exchange.from = said_at(line, at, exchange.answered ? kFrom : kNone);
    fold(hash, policy, exchange);
    if (json["hash"] != hex(hash)) {
      return fmt::format("line {} was changed: its hash is another one", number);
    }
    transcript.tape[policy].push_back(std::move(exchange));
    ++transcript.exchanges;
  }
  return transcript.scenario_json.empty()
             ? std::variant<Transcript, std::string>("is empty")
             : std::variant<Transcript, std::string>(std::move(transcript));
}

}  // namespace aftershock::sim::control
