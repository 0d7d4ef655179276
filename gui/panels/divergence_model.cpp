#include "gui/panels/divergence_model.h"

#include <QStringList>
#include <array>
#include <utility>

#include "gui/panels/cost_words.h"
#include "gui/panels/event_words.h"

namespace aftershock::gui {

namespace {

constexpr std::array kDivergenceTitles{"Time", "Fault", "Job", "A did", "B did"};

/// `whole`: with the policy's name before the rule's, which all of a run's begin with.
QString step_words(const std::optional<reports::DecisionStep>& step, bool whole) {
  if (!step) {
    return DivergenceModel::tr("nothing further");
  }
  QStringList commands;
  for (const reports::OrderedCommand& each : step->commands) {
    commands << shown_text(each.type).replace(u'_', u' ');
  }
  const std::string_view rule = step->rule;
  const auto dot = rule.find('.');
  return shown_text(whole || dot == std::string_view::npos ? rule : rule.substr(dot + 1)) + u'\n' +
         (commands.isEmpty() ? DivergenceModel::tr("no order")
                             : commands.join(QStringLiteral(", ")));
}

/// The time in A, and how much later it was in B.
QString time_text(const reports::Divergence& of) {
  std::int64_t later_us = 0;
  if (of.a_us == of.b_us || __builtin_sub_overflow(of.b_us, of.a_us, &later_us)) {
    return time_words(of.a_us);
  }
  const QString sign = later_us > 0 ? QStringLiteral("+") : QString();
  return DivergenceModel::tr("%1\nB %2").arg(time_words(of.a_us), sign + brief_time(later_us));
}

}  // namespace

void DivergenceModel::set_divergences(std::vector<reports::Divergence> divergences) {
  beginResetModel();
  divergences_ = std::move(divergences);
  endResetModel();
}

int DivergenceModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(divergences_.size());
}

int DivergenceModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QVariant DivergenceModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) {
    return {};
  }
  const reports::Divergence& of = divergences_.at(static_cast<std::size_t>(index.row()));
  if (role == Qt::ToolTipRole) {
    const QString text = index.column() == kA   ? step_words(of.a, true)
                         : index.column() == kB ? step_words(of.b, true)
                                                : data(index, Qt::DisplayRole).toString();
    return QStringLiteral("<p style='white-space:pre'>%1</p>").arg(text.toHtmlEscaped());
  }
  if (role != Qt::DisplayRole) {
    return {};
  }
  switch (index.column()) {
    case kTime:
      return time_text(of);
    case kFault:
      return shown_text(of.fault);
    case kJob:
      return shown_text(of.owner);
    case kA:
      return step_words(of.a, false);
    default:
      return step_words(of.b, false);
  }
}

QVariant DivergenceModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 ||
      section >= kColumns) {
    return {};
  }
  return tr(kDivergenceTitles.at(static_cast<std::size_t>(section)));
}

}  // namespace aftershock::gui
