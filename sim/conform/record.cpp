#include "sim/conform/record.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "policies/api/json_as_text.h"

namespace aftershock::sim::conform {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;

/// The text of a member; none where it is something else.
std::optional<std::string> text_in(const Json& object, const char* name) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  return found == object.end() || !found->is_string() ? std::nullopt
                                                      : std::optional(found->get<std::string>());
}

std::optional<Record> head_in(const Json& told) {
  auto policy = text_in(told, "policy");
  auto installed = text_in(told, "installed");
  auto host = text_in(told, "host");
  if (!policy || !installed || !host || told.value("conform", Json()) != Json(kSchema)) {
    return std::nullopt;
  }
  return Record{.policy = *std::move(policy),
                .installed = *std::move(installed),
                .host = *std::move(host),
                .runs = {}};
}

std::optional<RecordedRun> run_in(const Json& told) {
  auto scenario = text_in(told, "scenario");
  auto digest = text_in(told, "digest");
  if (!scenario || !digest || !told.contains("seed") || !told.at("seed").is_number_unsigned() ||
      !told.contains("view") || !told.at("view").is_object()) {
    return std::nullopt;
  }
  return RecordedRun{.scenario = *std::move(scenario),
                     .seed = told.at("seed").get<std::uint64_t>(),
                     .digest = *std::move(digest),
                     .view = told.at("view")};
}

}  // namespace

const RecordedRun* Record::find(std::string_view scenario, std::uint64_t seed,
                                std::string_view digest) const {
  const RecordedRun* other = nullptr;
  for (const RecordedRun& run : runs) {
    if (run.scenario != scenario || run.seed != seed) {
      continue;
    }
    if (run.digest == digest) {
      return &run;
    }
    other = &run;
  }
  return other;
}

std::string record_text(const Record& record) {
  std::string text = policies::text_from_json(Json{{"conform", kSchema},
                                                   {"policy", record.policy},
                                                   {"installed", record.installed},
                                                   {"host", record.host}}) +
                     "\n";
  for (const RecordedRun& run : record.runs) {
    text += policies::text_from_json(Json{{"scenario", run.scenario},
                                          {"seed", run.seed},
                                          {"digest", run.digest},
                                          {"view", run.view}}) +
            "\n";
  }
  return text;
}

std::variant<Record, std::string> read_record(std::string_view text) {
  std::optional<Record> record;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const Json told = policies::json_or_discarded<Json>(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!record) {
      record = head_in(told);
      if (!record) {
        return "line 1: expected the head of a record, as `policies conform --record` writes it";
      }
    } else if (auto run = run_in(told)) {
      record->runs.push_back(*std::move(run));
    } else {
      return fmt::format("line {}: expected a recorded run", line);
    }
  }
  if (!record) {
    return "is empty; expected the head of a record, as `policies conform --record` writes it";
  }
  return *std::move(record);
}

}  // namespace aftershock::sim::conform
