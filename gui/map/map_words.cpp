#include "gui/map/map_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>
#include <algorithm>
#include <string>

#include "gui/trace/display_text.h"

namespace aftershock::gui {

namespace {

QString shown(std::string_view text) { return QString::fromStdString(display_text(text)); }

QString state_text(PlaceState state) {
  const std::string_view name = name_of(state);
  return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

}  // namespace

QString counts_text(const Census& census) {
  QStringList parts;
  for (std::size_t i = 0; i < kPlaceStates; ++i) {
    if (census[i] > 0) {
      parts << QStringLiteral("%1 %2").arg(QLocale(QLocale::English).toString(qlonglong{census[i]}),
                                           state_text(static_cast<PlaceState>(i)));
    }
  }
  return parts.join(QStringLiteral(", "));
}

QString square_text(std::int64_t nodes) {
  return nodes <= 1 ? QCoreApplication::translate("ClusterMap", "a square is a node")
                    : QCoreApplication::translate("ClusterMap", "a square is %1 nodes").arg(nodes);
}

QString cell_text(const Directory& directory, const LaneKey& cell, const Census& census,
                  const std::optional<LaneKey>& owner) {
  const QString name = shown(label_of(directory, cell));
  const QString what = cell.run == 1
                           ? QStringLiteral("%1, %2").arg(name, state_text(worst_of(census)))
                           : QStringLiteral("%1: %2").arg(name, counts_text(census));
  if (!owner) {
    return what;
  }
  const QString whose = owner_text(directory, *owner);
  return what + (owner->section == Section::kJobs
                     ? QCoreApplication::translate("ClusterMap", ", job %1").arg(whose)
                     : QCoreApplication::translate("ClusterMap", ", experiment %1").arg(whose));
}

QString owner_text(const Directory& directory, const LaneKey& owner) {
  return shown(label_of(directory, owner));
}

QString short_name(const Directory& directory, const LaneKey& place) {
  const std::string name = label_of(directory, place);
  if (place.section != Section::kPools) {
    return shown(name);
  }
  std::size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') {
    --digits;
  }
  return shown(digits == name.size() ? name : name.substr(digits));
}

}  // namespace aftershock::gui
