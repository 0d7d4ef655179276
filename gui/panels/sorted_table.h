#pragma once

#include <QtCore/qnamespace.h>

class QTableView;

namespace aftershock::gui {

/// Gives a table that has its model the look of all tables here, of which one row is selected and
/// which the user sorts; at first by this column.
void make_sorted(QTableView& table, int column, Qt::SortOrder order = Qt::DescendingOrder);

}  // namespace aftershock::gui
