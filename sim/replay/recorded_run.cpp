#include "sim/replay/recorded_run.h"

#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace aftershock::sim::replay {

std::variant<RecordedRun, std::string> open_recorded_run(const std::string& path,
                                                         const scenario::ReadOptions& makers) {
  reports::ReadResult opened;
  auto bytes = reports::open_recording(path, opened);
  if (bytes == nullptr) {
    return opened.message;
  }
  auto reader = std::make_unique<reports::RecordingReader>(std::move(bytes), path);
  const reports::Record* record = reader->next();
  if (record == nullptr || record->kind != reports::LineKind::kHeader) {
    return reader->result().message.empty() ? fmt::format("{}: is not a recording", path)
                                            : reader->result().message;
  }
  auto header = reports::parse_header(record->text);
  if (!header) {
    return fmt::format("{}: its header cannot be read", path);
  }
  if (header->live) {
    return fmt::format(
        "{}: is of real processes, which do not come again; `aftershock compare` "
        "holds it against a simulated run",
        path);
  }
  scenario::ReadOptions options;
  options.policies = makers.policies;
  options.installed = makers.installed;
  options.may_extend = false;
  auto read = scenario::read_scenario_text(header->scenario_json, path + ", its scenario", options);
  if (const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&read)) {
    const std::string note = other_build_note(*header);
    return scenario::format(errors->front()) + (note.empty() ? "" : "; ") + note;
  }
  return RecordedRun{std::move(reader),
                     std::make_shared<const scenario::Scenario>(
                         std::move(std::get<scenario::ReadScenario>(read).scenario)),
                     std::move(*header)};
}

std::string other_build_note(const reports::RecordingHeader& header) {
  const reports::RecordingHeader mine = reports::new_header();
  if (header.version == mine.version && header.commit == mine.commit) {
    return {};
  }
  return fmt::format("version {} ({}) wrote it, and this is {} ({})", header.version, header.commit,
                     mine.version, mine.commit);
}

}  // namespace aftershock::sim::replay
