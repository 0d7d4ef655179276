#pragma once

#include <QAbstractTableModel>
#include <cstdint>
#include <optional>
#include <vector>

#include "gui/sidecar/sidecar.h"

namespace aftershock::gui {

/// Notes and bookmarks in the order of time, as a table: time, what, text, lane. The text of a note
/// and the name of a bookmark can be edited in it; shown they have no control characters,
/// and empty text does not take the place of another.
class NotesModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  /// Columns, in their order.
  enum Column { kTime, kWhat, kText, kLane, kColumns };

  using QAbstractTableModel::QAbstractTableModel;

  /// Replaces all, without a `changed`.
  void set_all(std::vector<Note> notes, std::vector<Bookmark> bookmarks);
  /// The notes to keep, each in the order of time.
  [[nodiscard]] const std::vector<Note>& notes() const { return notes_; }
  [[nodiscard]] const std::vector<Bookmark>& bookmarks() const { return bookmarks_; }

  /// Adds one and returns its row.
  int add(Note note);
  int add(Bookmark bookmark);
  /// Takes the row away; nothing happens where there is none.
  void remove(int row);
  /// The row of a note, by its number among them.
  [[nodiscard]] int row_of_note(std::size_t note) const { return row_of(true, note); }
  /// The number of the note of a row; none for bookmarks, and where there is no such row.
  [[nodiscard]] std::optional<std::size_t> note_of_row(int row) const;
  [[nodiscard]] std::optional<std::size_t> bookmark_of_row(int row) const;
  /// The place to go to for a row; a note's view is its range.
  [[nodiscard]] SavedView view_at(int row) const;
  /// The row of a note or bookmark at this time or nearest to it, or -1 where there is none.
  [[nodiscard]] int nearest(std::int64_t t_us) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 Q_SIGNALS:
  /// A user changed something: it is time to save.
  void changed();

 private:
  /// One row: an index into notes_ or bookmarks_.
  struct Row {
    bool is_note;
    std::size_t index;
  };

  [[nodiscard]] std::int64_t time_of(const Row& row) const;
  void put_in_order();
  [[nodiscard]] int row_of(bool is_note, std::size_t index) const;
  [[nodiscard]] std::optional<std::size_t> of_row(bool is_note, int row) const;

  std::vector<Note> notes_;
  std::vector<Bookmark> bookmarks_;
  std::vector<Row> rows_;
};

}  // namespace aftershock::gui
