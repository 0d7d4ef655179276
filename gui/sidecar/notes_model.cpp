#include "gui/sidecar/notes_model.h"

#include <algorithm>
#include <array>
#include <utility>

#include "gui/trace/display_text.h"
#include "reports/render/format.h"

namespace aftershock::gui {

namespace {

constexpr std::array kTitles{"Time", "What", "Text", "Lane"};

// How far two times are apart; they may be anything that a file holds.
std::uint64_t apart(std::int64_t a, std::int64_t b) {
  const auto [low, high] = std::minmax(a, b);
  return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
}

// As it can be shown; what is edited is the text itself.
QString fit(const QString& text, int role) {
  return role == Qt::EditRole ? text
                              : QString::fromStdString(display_text(text.toStdString(), 2000));
}

}  // namespace

void NotesModel::set_all(std::vector<Note> notes, std::vector<Bookmark> bookmarks) {
  beginResetModel();
  notes_ = std::move(notes);
  bookmarks_ = std::move(bookmarks);
  put_in_order();
  endResetModel();
}

std::int64_t NotesModel::time_of(const Row& row) const {
  return row.is_note ? notes_.at(row.index).begin_us : bookmarks_.at(row.index).view.cursor_us;
}

void NotesModel::put_in_order() {
  std::ranges::stable_sort(notes_, {}, &Note::begin_us);
  std::ranges::stable_sort(bookmarks_, {}, [](const Bookmark& one) { return one.view.cursor_us; });
  rows_.clear();
  for (std::size_t i = 0; i < notes_.size(); ++i) {
    rows_.push_back({true, i});
  }
  for (std::size_t i = 0; i < bookmarks_.size(); ++i) {
    rows_.push_back({false, i});
  }
  std::ranges::stable_sort(rows_, {}, [this](const Row& row) { return time_of(row); });
}

int NotesModel::row_of(bool is_note, std::size_t index) const {
  const auto found = std::ranges::find_if(
      rows_, [&](const Row& row) { return row.is_note == is_note && row.index == index; });
  return static_cast<int>(found - rows_.begin());
}

int NotesModel::add(Note note) {
  beginResetModel();
  // Behind those of the same time.
  const auto at = std::ranges::upper_bound(notes_, note.begin_us, {}, &Note::begin_us);
  const auto index = static_cast<std::size_t>(at - notes_.begin());
  notes_.insert(at, std::move(note));
  put_in_order();
  endResetModel();
  Q_EMIT changed();
  return row_of(true, index);
}

int NotesModel::add(Bookmark bookmark) {
  beginResetModel();
  const auto at = std::ranges::upper_bound(bookmarks_, bookmark.view.cursor_us, {},
                                           [](const Bookmark& one) { return one.view.cursor_us; });
  const auto index = static_cast<std::size_t>(at - bookmarks_.begin());
  bookmarks_.insert(at, std::move(bookmark));
  put_in_order();
  endResetModel();
  Q_EMIT changed();
  return row_of(false, index);
}

void NotesModel::remove(int row) {
  if (row < 0 || row >= rowCount()) {
    return;
  }
  beginResetModel();
  const Row gone = rows_.at(static_cast<std::size_t>(row));
  const auto at = static_cast<std::ptrdiff_t>(gone.index);
  if (gone.is_note) {
    notes_.erase(notes_.begin() + at);
  } else {
    bookmarks_.erase(bookmarks_.begin() + at);
  }
  put_in_order();
  endResetModel();
  Q_EMIT changed();
}

std::optional<std::size_t> NotesModel::of_row(bool is_note, int row) const {
  if (row < 0 || row >= rowCount()) {
    return std::nullopt;
  }
  const Row& at = rows_.at(static_cast<std::size_t>(row));
  return at.is_note == is_note ? std::optional(at.index) : std::nullopt;
}

std::optional<std::size_t> NotesModel::note_of_row(int row) const { return of_row(true, row); }

std::optional<std::size_t> NotesModel::bookmark_of_row(int row) const { return of_row(false, row); }

SavedView NotesModel::view_at(int row) const {
  const Row& at = rows_.at(static_cast<std::size_t>(row));
  if (!at.is_note) {
    return bookmarks_.at(at.index).view;
  }
  const Note& note = notes_.at(at.index);
  return {.begin_us = note.begin_us,
          .end_us = note.end_us,
          .cursor_us = note.begin_us,
          .lane = note.lane};
}

int NotesModel::nearest(std::int64_t t_us) const {
  const auto found = std::ranges::min_element(
      rows_, {}, [&](const Row& row) { return apart(time_of(row), t_us); });
  return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

int NotesModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int NotesModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QVariant NotesModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::EditRole)) {
    return {};
  }
  const Row& row = rows_.at(static_cast<std::size_t>(index.row()));
  const Note* note = row.is_note ? &notes_.at(row.index) : nullptr;
  const Bookmark* bookmark = row.is_note ? nullptr : &bookmarks_.at(row.index);
  switch (index.column()) {
    case kTime:
      return QString::fromStdString(reports::format_duration(time_of(row)));
    case kWhat:
      return bookmark != nullptr              ? tr("bookmark")
             : note->begin_us == note->end_us ? tr("note")
                                              : tr("note on a range");
    case kText:
      return fit(note != nullptr ? note->text : bookmark->name, role);
    default:
      return fit(note != nullptr ? note->lane : bookmark->view.lane, role);
  }
}

QVariant NotesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 ||
      section >= kColumns) {
    return {};
  }
  return tr(kTitles.at(static_cast<std::size_t>(section)));
}

Qt::ItemFlags NotesModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
  return index.isValid() && index.column() == kText ? flags | Qt::ItemIsEditable : flags;
}

bool NotesModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || index.column() != kText || role != Qt::EditRole) {
    return false;
  }
  if (value.toString().trimmed().isEmpty()) {
    return false;
  }
  const Row& row = rows_.at(static_cast<std::size_t>(index.row()));
  (row.is_note ? notes_.at(row.index).text : bookmarks_.at(row.index).name) = value.toString();
  Q_EMIT dataChanged(index, index);
  Q_EMIT changed();
  return true;
}

}  // namespace aftershock::gui
