#include "gui/panels/sorted_table.h"

#include <QHeaderView>
#include <QTableView>

#include "gui/actions/inner_buttons.h"
#include "gui/panels/row_space.h"

namespace aftershock::gui {

void make_sorted(QTableView& table, int column, Qt::SortOrder order) {
  name_inner_buttons(table);
  table.setSelectionBehavior(QAbstractItemView::SelectRows);
  table.setSelectionMode(QAbstractItemView::SingleSelection);
  table.setShowGrid(false);
  table.setAlternatingRowColors(true);
  table.setTabKeyNavigation(false);
  table.setWordWrap(false);
  table.setSortingEnabled(true);
  table.sortByColumn(column, order);
  table.verticalHeader()->hide();
  table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + kRowSpace);
  table.horizontalHeader()->setHighlightSections(false);
  table.horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table.horizontalHeader()->setStretchLastSection(true);
}

}  // namespace aftershock::gui
