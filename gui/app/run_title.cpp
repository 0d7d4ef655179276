#include "gui/app/run_title.h"

#include <QFileInfo>

#include <nlohmann/json.hpp>

#include "gui/app/run_progress.h"
#include "gui/compare/scenario_difference.h"
#include "reports/json/json_as_text.h"
#include "reports/recording/header.h"
#include "reports/recording/reader.h"
#include "reports/render/format.h"

namespace aftershock::gui {

namespace {

constexpr int kCommitDigits = 12;
constexpr std::size_t kNameColumns = 80;

QString shown(const std::string& text) {
  return QString::fromStdString(
      reports::shorten(reports::printable(text, true), kNameColumns, true));
}

/// A value of a scenario without what JSON needs around it, and a time as one reads it: resolved
/// scenarios have them in microseconds.
QString value_text(const nlohmann::json& value) {
  if (!value.is_string()) {
    return shown(reports::text_from_json(value));
  }
  const auto& text = value.get_ref<const std::string&>();
  const auto us = text.ends_with("us") ? duration_us(text) : std::nullopt;
  return shown(us ? reports::format_duration(*us) : text);
}

}  // namespace

std::optional<RunTitle> read_run_title(const std::string& path) {
  std::optional<RunTitle> out;
  reports::read_recording(path, [&](const reports::Record& record) {
    const auto header = reports::parse_header(record.text);
    if (!header) {
      return false;
    }
    const auto scenario = reports::json_or_discarded(header->scenario_json);
    const bool named = scenario.is_object() && scenario.contains("name") &&
                       scenario["name"].is_string() && scenario["name"] != "";
    out = RunTitle{
        .name = shown(named ? scenario["name"].get<std::string>()
                            : QFileInfo(QString::fromStdString(path)).fileName().toStdString()),
        .policy = shown(header->policy),
        .commit = shown(header->commit),
        .scenario = QString::fromStdString(header->scenario_json),
        .seed = header->seed,
        .live = header->live.has_value()};
    return false;
  });
  return out;
}

QString one_line(const RunTitle& title) {
  QString line = QStringLiteral("%1, seed %2").arg(title.name).arg(title.seed);
  if (!title.policy.isEmpty()) {
    line += QStringLiteral(", ") + title.policy;
  }
  if (title.live) {
    line += QStringLiteral(", live");
  }
  if (!title.commit.isEmpty()) {
    line += QStringLiteral(" (%1)").arg(title.commit.left(kCommitDigits));
  }
  return line;
}

QString one_line_beside(const RunTitle& title, const RunTitle& other) {
  constexpr std::size_t kMost = 3;
  QString line = one_line(title);
  reports::RecordingHeader own;
  reports::RecordingHeader others;
  own.scenario_json = title.scenario.toStdString();
  others.scenario_json = other.scenario.toStdString();
  const auto scenario = reports::json_or_discarded(own.scenario_json);
  for (const std::string& pointer : compare_scenarios(own, others, kMost).pointers) {
    const nlohmann::json::json_pointer at(pointer);
    // A member with parts of its own is too much for a title; a policy's profile is in its name.
    if (at.back() != "profile" && scenario.contains(at) && scenario[at].is_primitive()) {
      line += QStringLiteral(", %1 %2").arg(shown(at.back()), value_text(scenario[at]));
    }
  }
  return line;
}

}  // namespace aftershock::gui
