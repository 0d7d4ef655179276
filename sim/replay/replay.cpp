#include "sim/replay/replay.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "policies/registry.h"
#include "reports/recording/reader.h"
#include "reports/recording/sink.h"
#include "sim/replay/recorded_run.h"
#include "sim/simulate/simulate.h"

namespace aftershock::sim::replay {

namespace {

/// A line that a run counts, of which only the beginning is looked at.
bool counts(std::string_view line) {
  // In the order of reports::LineKind; all members before it are numbers.
  const std::size_t at = line.find(R"("r":")");
  if (at == line.npos) {
    return false;
  }
  const std::string_view word = line.substr(at + 5, line.find('"', at + 5) - at - 5);
  constexpr std::string_view kCounted[] = {"begin",    "end",   "instant",
                                           "decision", "fault", "counter"};
  return std::ranges::find(kCounted, word) != std::end(kCounted);
}

std::int64_t time_in(const std::string& line) {
  const auto json = policies::json_or_discarded(line);
  return json.is_object() && json.contains("t") && json["t"].is_number_integer()
             ? json["t"].get<std::int64_t>()
             : 0;
}

std::string job_in(const std::string& line) {
  const auto json = policies::json_or_discarded(line);
  if (!json.is_object() || !json.contains("on") || !json["on"].is_string()) {
    return {};
  }
  std::string on = json["on"];
  return on.starts_with("job:") || on.starts_with("experiment:") || on.starts_with("trial:")
             ? on
             : std::string();
}

/// Holds the lines of a run against those of a recording, as they come.
class ComparingSink final : public reports::LineSink {
 public:
  explicit ComparingSink(reports::RecordingReader& reader) : reader_(reader) {}

  void boundary() override {}

  /// The next line of the recording that its run counts; null at its end.
  const reports::Record* next_recorded() {
    const reports::Record* record = reader_.next();
    while (record != nullptr && !is_counted(record->kind)) {
      record = reader_.next();
    }
    return record;
  }

  void differ(std::string recorded, std::string replayed) {
    const std::string& first = recorded.empty() ? replayed : recorded;
    const std::int64_t recorded_us = recorded.empty() ? time_in(replayed) : time_in(recorded);
    const std::int64_t replayed_us = replayed.empty() ? recorded_us : time_in(replayed);
    difference = ReplayDifference{.t_us = std::min(recorded_us, replayed_us),
                                  .line = reader_.result().line,
                                  .job = job_in(first),
                                  .recorded = std::move(recorded),
                                  .replayed = std::move(replayed)};
    if (difference->job.empty()) {
      difference->job = job_in(difference->replayed);
    }
  }

  std::optional<ReplayDifference> difference;
  std::string header;
  std::int64_t records = 0;
  std::int64_t t_us = 0;
  bool over = false;  ///< the recording has no more, and was cut short

 private:
  void take(std::string_view line) override {
    if (header.empty()) {
      header = line;
    }
    if (difference || over || !counts(line)) {
      return;
    }
    const reports::Record* record = next_recorded();
    if (record == nullptr) {
      over = reader_.result().state != reports::ReadState::kComplete;
      if (!over) {
        differ({}, std::string(line));
      }
    } else if (record->text != line) {
      differ(std::string(record->text), std::string(line));
    } else {
      ++records;
      t_us = record->t_us;
    }
  }

  reports::RecordingReader& reader_;
};

std::string policies_of(const reports::RecordingHeader& header) {
  std::vector<std::string_view> names;
  for (const reports::HeaderPolicy& policy : header.policies) {
    names.emplace_back(policy.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Why the installed code that is here plays no run of the installed code that decided then; empty:
/// it is of the same version, or none decided.
std::string other_version(const RecordedRun& recorded) {
  const auto& maker = recorded.scenario->policies;
  if (maker == nullptr || !maker->title().ends_with(policies::kInstalledProfile)) {
    return {};
  }
  std::vector<std::string> here;
  for (const control::PolicyHost& host : simulate::make_hosts(*recorded.scenario)) {
    here.push_back(fmt::format("{}@{}", host.info().name, host.info().profile));
  }
  const std::string now = fmt::format("{}", fmt::join(here, ", "));
  const std::string then = policies_of(recorded.header);
  return now == then ? std::string()
                     : fmt::format(
                           "{} decided then, and {} would now; expected that version, as by "
                           "--python",
                           then, now);
}

}  // namespace

std::variant<Replay, std::string> replay(const std::string& path,
                                         const scenario::ReadOptions& makers) {
  auto opened = open_recorded_run(path, makers);
  if (auto* problem = std::get_if<std::string>(&opened)) {
    return std::move(*problem);
  }
  const auto& recorded = std::get<RecordedRun>(opened);
  if (auto problem = other_version(recorded); !problem.empty()) {
    return fmt::format("{}: {}", path, problem);
  }
  reports::RecordingReader& reader = *recorded.reader;
  ComparingSink sink(reader);
  simulate::SimulateOptions options;
  options.sink = &sink;
  const reports::RunSummary summary = simulate::simulate(recorded.scenario, options);
  if (!sink.difference && !sink.over) {
    if (const reports::Record* more = sink.next_recorded()) {
      sink.differ(std::string(more->text), {});
    }
  }
  const reports::ReadResult& end = reader.result();
  if (!end.readable()) {
    return end.message;
  }
  Replay result;
  result.scenario = recorded.scenario->name;
  result.records = sink.records;
  result.t_us = sink.t_us;
  result.whole = sink.difference || end.state == reports::ReadState::kComplete;
  result.hash = fmt::format("{:016x}", summary.hash);
  result.recorded_by = policies_of(recorded.header);
  if (const auto header = reports::parse_header(sink.header)) {
    result.replayed_by = policies_of(*header);
  }
  if (summary.verdict == reports::Verdict::kPolicyFailed) {
    result.failure = summary.verdict_reason;
  }
  result.note = other_build_note(recorded.header);
  result.difference = std::move(sink.difference);
  return result;
}

}  // namespace aftershock::sim::replay
