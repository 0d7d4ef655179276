#pragma once

#include <QAbstractTableModel>
#include <QDialog>
#include <QString>
#include <vector>

class QLabel;
class QLineEdit;
class QTreeView;

namespace aftershock::gui {

/// Something to be picked by parts of its name.
struct PickItem {
  QString text;
  QString keys = {};    ///< shown beside it
  QString detail = {};  ///< shown behind it
  QString also = {};    ///< searched as well, for less
};

/// The items that answer to what was typed, the best first, at most kPicksMax of them.
class PickModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;

  /// Replaces all items and forgets what was typed.
  void set_items(std::vector<PickItem> items);
  /// The text to look for.
  void set_typed(const QString& typed);
  /// The item that a row shows, as an index into what set_items got.
  [[nodiscard]] int item_at(int row) const;
  /// How many items answer, shown or not.
  [[nodiscard]] int found() const { return found_; }

  [[nodiscard]] int rowCount(const QModelIndex& parent) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

 private:
  std::vector<PickItem> items_;
  std::vector<int> rows_;
  int found_ = 0;
};

/// So many are shown: who does not find it among these types one letter more.
inline constexpr int kPicksMax = 200;

/// A field to type in above what answers to it: the palette, the search for lanes. Up and Down
/// move, Enter picks, Esc closes.
class Picker : public QDialog {
  Q_OBJECT

 public:
  /// `prompt` stands in the empty field.
  Picker(const QString& title, const QString& prompt, QWidget* parent);

  /// Opens it over its parent with these items.
  void pick_from(std::vector<PickItem> items);

 Q_SIGNALS:
  /// The index of the item among what pick_from got; the picker has closed.
  void picked(int item);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void type(const QString& typed);
  void take();

  PickModel* model_;
  QLineEdit* field_;
  QTreeView* list_;
  QLabel* nothing_;
};

}  // namespace aftershock::gui
