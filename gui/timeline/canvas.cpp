#include "gui/timeline/canvas.h"

#include <QImage>
#include <algorithm>
#include <cstring>

#include "base/assert.h"

namespace aftershock::gui {

Canvas::Canvas(QImage& picture)
    : picture_(&picture),
      own_(std::in_place, &picture),
      painter_(&*own_),
      width_(picture.width()),
      height_(picture.height()),
      bits_(reinterpret_cast<std::byte*>(picture.bits())),
      row_bytes_(picture.bytesPerLine()) {
  AFTERSHOCK_ASSERT(picture.depth() == 32);
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

Rgb* Canvas::row_at(int y, std::size_t last_pixels) {
  return reinterpret_cast<Rgb*>(bits_ + y * row_bytes_) + width_ - last_pixels;
}

void Canvas::fill_rows(int top, int bottom, std::span<const Rgb> row, std::span<const Rgb> under) {
  AFTERSHOCK_ASSERT(row.size() <= static_cast<std::size_t>(width_));
  AFTERSHOCK_ASSERT(under.empty() || under.size() == row.size());
  const int left = width_ - static_cast<int>(row.size());
  if (picture_ != nullptr) {
    for (int y = std::max(top, 0); y < std::min(bottom, height_); ++y) {
      std::memcpy(row_at(y, row.size()), row.data(), row.size_bytes());
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

void Canvas::fill_steps(int bottom, std::span<const Step> steps, Rgb line, Rgb area) {
  AFTERSHOCK_ASSERT(steps.size() <= static_cast<std::size_t>(width_));
  const int left = width_ - static_cast<int>(steps.size());
  for (std::size_t begin = 0; begin < steps.size();) {
    const Step step = steps[begin];
    std::size_t end = begin + 1;
    while (end < steps.size() && steps[end] == step) {
      ++end;
    }
    if (step != kNoStep && picture_ == nullptr) {
      const int x = left + static_cast<int>(begin);
      const int width = static_cast<int>(end - begin);
      painter_->fillRect(x, step.top, width, bottom - step.top, QColor(area));
      painter_->fillRect(x, step.top, width, step.line_end - step.top, QColor(line));
    } else if (step != kNoStep) {
      const int last = std::min(std::max(bottom, step.line_end), height_);
      for (int y = std::max(step.top, 0); y < last; ++y) {
        std::fill_n(row_at(y, steps.size()) + begin, end - begin, y < step.line_end ? line : area);
      }
    }
    begin = end;
  }
}

}  // namespace aftershock::gui
