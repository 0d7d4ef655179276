#pragma once

#include <QWidget>

class QLabel;
class QPushButton;
class QTableView;

namespace aftershock::gui {

class NotesModel;

/// Notes and bookmarks as a list: Enter and a double click go there, F2 edits the text, Delete
/// deletes; a button for each.
class NotesList : public QWidget {
  Q_OBJECT

 public:
  explicit NotesList(QWidget* parent = nullptr);

  /// Shows these, which outlive it or are replaced before they go; null: none.
  void set_model(NotesModel* model);
  /// The row that is selected; -1 for none.
  [[nodiscard]] int row() const;
  /// Selects a row; -1: none.
  void select(int row);
  /// Whether there is something deleted that can be put back.
  void set_can_put_back(bool can);
  [[nodiscard]] QTableView& table() { return *table_; }

 Q_SIGNALS:
  /// Another row is selected, or none.
  void row_changed();
  void go_to(int row);
  void delete_asked(int row);
  void put_back_asked();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void edit();
  void fit_rows();
  void show_state();

  QTableView* table_;
  QLabel* nothing_;
  QPushButton* go_;
  QPushButton* edit_;
  QPushButton* delete_;
  QPushButton* put_back_;
};

}  // namespace aftershock::gui
