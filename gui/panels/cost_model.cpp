#include "gui/panels/cost_model.h"

#include <QColor>
#include <QFont>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "gui/panels/cost_words.h"
#include "gui/panels/event_words.h"

namespace aftershock::gui {

namespace {

constexpr std::array kCostTitles{"Of", "What", "A", "B", "B − A", "%, B is"};

double difference(const CostLine& line) {
  return line.a && line.b ? static_cast<double>(*line.b) - static_cast<double>(*line.a) : 0;
}

double part(const CostLine& line) {
  return difference(line) / std::max(1.0, std::abs(static_cast<double>(line.a.value_or(0))));
}

/// The key by which a column is sorted: a word or a number.
std::pair<QString, double> key_of(const CostLine& line, int column) {
  switch (column) {
    case CostModel::kEntity:
      return {shown_text(line.entity), 0};
    case CostModel::kWhat:
      return {what_words(line), 0};
    case CostModel::kA:
      return {{}, static_cast<double>(line.a.value_or(0))};
    case CostModel::kB:
      return {{}, static_cast<double>(line.b.value_or(0))};
    case CostModel::kDifference:
      return {{}, difference(line)};
    default:
      return {{}, part(line)};
  }
}

}  // namespace

void CostModel::set_lines(std::vector<CostLine> lines) {
  beginResetModel();
  lines_ = std::move(lines);
  order_.resize(lines_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  // Jobs stay together: within each the largest difference counts.
  std::vector<std::size_t> group(lines_.size());
  for (std::size_t i = 1; i < lines_.size(); ++i) {
    const bool same = lines_[i].entity == lines_[i - 1].entity && lines_[i].is_bucket;
    group[i] = same && lines_[i - 1].is_bucket ? group[i - 1] : i;
  }
  std::ranges::stable_sort(order_, {}, [&](std::size_t i) {
    return std::pair(group[i], lines_[i].is_bucket ? -std::abs(difference(lines_[i])) : 0.0);
  });
  endResetModel();
}

void CostModel::set_theme(Theme theme) {
  theme_ = theme;
  if (rowCount() > 0) {
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1), {Qt::ForegroundRole});
  }
}

void CostModel::set_narrow(bool narrow) {
  if (std::exchange(narrow_, narrow) != narrow && rowCount() > 0) {
    Q_EMIT dataChanged(index(0, kDifference), index(rowCount() - 1, kDifference));
  }
}

bool CostModel::has_entities() const {
  return std::ranges::any_of(lines_, [this](const CostLine& line) {
    return !line.entity.empty() && line.entity != lines_.back().entity;
  });
}

const CostLine& CostModel::line(int row) const {
  return lines_.at(order_.at(static_cast<std::size_t>(row)));
}

int CostModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(lines_.size());
}

int CostModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QVariant CostModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) {
    return {};
  }
  const CostLine& of = line(index.row());
  if (role == Qt::ToolTipRole) {
    return QStringLiteral("<p style='white-space:pre'>%1</p>").arg(line_words(of).toHtmlEscaped());
  }
  if (role == Qt::TextAlignmentRole && index.column() >= kA) {
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  }
  if (role == Qt::FontRole && index.column() == kWhat && !of.is_bucket) {
    QFont bold;
    bold.setBold(true);
    return bold;
  }
  const int judging = narrow_ ? kDifference : kPercent;
  if (role == Qt::ForegroundRole && index.column() == judging && judged(of) == Judgement::kWorse) {
    return QColor(inks(theme_).warning);
  }
  if (role != Qt::DisplayRole) {
    return {};
  }
  switch (index.column()) {
    case kEntity:
      return shown_text(of.entity);
    case kWhat:
      return what_words(of);
    case kA:
    case kB:
      return value_words(of, index.column() == kB);
    case kDifference: {
      const QString difference = difference_words(of);
      const QString gap = difference.isEmpty() ? QString() : QStringLiteral("\n");
      return narrow_ ? difference + gap + judgement_words(of) : difference;
    }
    default:
      return judgement_words(of);
  }
}

QVariant CostModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) {
    return {};
  }
  if (role == Qt::TextAlignmentRole && section >= kA) {
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  }
  return role == Qt::DisplayRole ? QVariant(tr(kCostTitles.at(static_cast<std::size_t>(section))))
                                 : QVariant();
}

void CostModel::sort(int column, Qt::SortOrder order) {
  if (column < 0 || column >= kColumns) {
    return;
  }
  Q_EMIT layoutAboutToBeChanged();
  const QModelIndexList before = persistentIndexList();
  std::vector<std::size_t> lines;
  for (const QModelIndex& each : before) {
    lines.push_back(order_.at(static_cast<std::size_t>(each.row())));
  }
  std::ranges::sort(order_);
  const auto buckets =
      std::ranges::stable_partition(order_, [this](std::size_t i) { return !lines_[i].is_bucket; });
  const auto less = [&](std::size_t x, std::size_t y) {
    const auto key_x = key_of(lines_[x], column);
    const auto key_y = key_of(lines_[y], column);
    return order == Qt::AscendingOrder ? key_x < key_y : key_y < key_x;
  };
  std::ranges::stable_sort(buckets, less);
  QModelIndexList after;
  for (qsizetype i = 0; i < before.size(); ++i) {
    const auto row = std::ranges::find(order_, lines[static_cast<std::size_t>(i)]) - order_.begin();
    after << index(static_cast<int>(row), before[i].column());
  }
  changePersistentIndexList(before, after);
  Q_EMIT layoutChanged();
}

}  // namespace aftershock::gui
