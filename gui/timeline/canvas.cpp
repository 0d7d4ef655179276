#include "gui/timeline/canvas.h"

#include <QImage>
#include <algorithm>

namespace aftershock::gui {

Canvas::Canvas(QImage& picture)
    : picture_(&picture),
      own_(std::in_place, &picture),
      painter_(&*own_),
      width_(picture.width()),
      height_(picture.height()) {
  painter_->save();
}

Canvas::Canvas(QPainter& painter, const Layout& layout)
    : painter_(&painter), width_(layout.width), height_(layout.height) {
  painter_->save();
}

QPainter& Canvas::painter() {
  painter_->restore();
  painter_->save();
  return *painter_;
}

void Canvas::fill(Rgb colour) {
  if (picture_ != nullptr) {
    picture_->fill(colour);
  } else {
    painter_->fillRect(0, 0, width_, height_, QColor(colour));
  }
}

void Canvas::fill_rows(int top, int bottom, std::span<const Rgb> row, std::span<const Rgb> under) {
  const int left = width_ - static_cast<int>(row.size());
  if (picture_ != nullptr) {
    for (int y = std::max(top, 0); y < std::min(bottom, height_); ++y) {
      std::ranges::copy(row, reinterpret_cast<Rgb*>(picture_->scanLine(y)) + left);
    }
    return;
  }
  for (std::size_t begin = 0; begin < row.size();) {
    const bool is_there = !under.empty() && under[begin] == row[begin];
    std::size_t end = begin + 1;
    while (end < row.size() && row[end] == row[begin] &&
           (!under.empty() && under[end] == row[end]) == is_there) {
      ++end;
    }
    if (!is_there) {
      painter_->fillRect(left + static_cast<int>(begin), top, static_cast<int>(end - begin),
                         bottom - top, QColor(row[begin]));
    }
    begin = end;
  }
}

}  // namespace aftershock::gui
