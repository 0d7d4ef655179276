#include "gui/app/settings_table.h"

#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <utility>

#include "gui/actions/inner_buttons.h"
#include "gui/panels/row_space.h"

namespace aftershock::gui {

QJsonValue typed_value(const QString& text) {
  const QString typed = text.trimmed();
  if (typed.isEmpty()) {
    return QJsonValue::Undefined;
  }
  // A document is a list or an object: a value that stands alone becomes the only one of a list.
  const QJsonDocument document = QJsonDocument::fromJson('[' + typed.toUtf8() + ']');
  const QJsonArray list = document.array();
  return document.isArray() && list.size() == 1 ? list.first() : QJsonValue(typed);
}

QString value_text(const QJsonValue& value) {
  if (value.isUndefined()) {
    return {};
  }
  // Text that would be read as something else keeps its quotes.
  if (value.isString() && typed_value(value.toString()).isString() &&
      typed_value(value.toString()) == value) {
    return value.toString();
  }
  const QByteArray list = QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact);
  return QString::fromUtf8(list.mid(1, list.size() - 2));
}

SettingsTable::SettingsTable(QWidget* parent) : QTableWidget(0, kColumns, parent) {
  setAccessibleName(tr("Settings of the policy"));
  name_inner_buttons(*this);
  setHorizontalHeaderLabels({tr("Setting"), tr("Value"), tr("Type and default")});
  setSelectionMode(QAbstractItemView::SingleSelection);
  setTabKeyNavigation(false);
  setWordWrap(false);
  setShowGrid(false);
  setAlternatingRowColors(true);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + kRowSpace);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  horizontalHeader()->setStretchLastSection(true);
  connect(this, &QTableWidget::itemChanged, this, &SettingsTable::tell_edited);
}

void SettingsTable::set_settings(const PolicySettings& settings) {
  silent_ = true;
  setRowCount(static_cast<int>(settings.settings.size()));
  for (int row = 0; row < rowCount(); ++row) {
    const PolicySetting& of = settings.settings[static_cast<std::size_t>(row)];
    const QString texts[] = {of.name, QString(), tr("%1; %2").arg(of.type, of.default_words)};
    for (int column = 0; column < kColumns; ++column) {
      auto* item = new QTableWidgetItem(texts[column]);
      item->setToolTip(of.meaning);
      item->setFlags(column == kValue
                         ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable
                         : Qt::ItemIsEnabled | Qt::ItemIsSelectable);
      setItem(row, column, item);
    }
  }
  resizeColumnsToContents();
  silent_ = false;
}

void SettingsTable::set_config(const QJsonObject& config) {
  silent_ = true;
  for (int row = 0; row < rowCount(); ++row) {
    item(row, kValue)->setText(value_text(config[item(row, kSetting)->text()]));
  }
  silent_ = false;
}

void SettingsTable::tell_edited(QTableWidgetItem* item) {
  if (!silent_ && item->column() == kValue) {
    Q_EMIT edited(this->item(item->row(), kSetting)->text(), typed_value(item->text()));
  }
}

}  // namespace aftershock::gui
