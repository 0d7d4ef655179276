#pragma once

#include <QBrush>
#include <QPainter>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>

#include "gui/lod/scanline.h"
#include "gui/timeline/layout.h"

class QImage;

namespace aftershock::gui {

/// A column of pixels of a counter: the line in the rows [top, line_end), below it the area.
struct Step {
  int top = 0;
  int line_end = 0;

  friend bool operator==(const Step&, const Step&) = default;
};
/// A column in which nothing is known.
inline constexpr Step kNoStep{std::numeric_limits<int>::max(), 0};

/// The target of a frame's drawing: a picture, whose pixels are filled row by row, or a drawing of
/// vectors in which they are rectangles, one for each run of one colour.
class Canvas {
 public:
  /// A picture of 32 bits a pixel, with its device pixel ratio.
  explicit Canvas(QImage& picture);
  /// A drawing of the layout's size. Shapes beyond its border are cut off by the program that shows
  /// it: in an SVG of Qt's nothing is clipped.
  Canvas(QPainter& painter, const Layout& layout);
  ~Canvas() { painter_->restore(); }
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  /// For the next part of a frame: as if it had just been opened.
  QPainter& painter();
  /// Whether it is one of vectors: that has hatches of lines instead of pixels.
  [[nodiscard]] bool is_drawing() const { return picture_ == nullptr; }
  /// In device pixels.
  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }

  /// All of it.
  void fill(Rgb colour);
  /// Puts a row of pixels on the rows [top, bottom), all in device pixels; it ends at the right
  /// border. `under` is what is there already: a drawing leaves out what is the same.
  void fill_rows(int top, int bottom, std::span<const Rgb> row, std::span<const Rgb> under = {});
  /// Draws a counter, a step for each of the last columns up to the right border; areas go down to
  /// `bottom`.
  void fill_steps(int bottom, std::span<const Step> steps, Rgb line, Rgb area);

 private:
  [[nodiscard]] Rgb* row_at(int y, std::size_t last_pixels);

  QImage* picture_ = nullptr;
  std::optional<QPainter> own_;
  QPainter* painter_;
  int width_ = 0;
  int height_ = 0;
  std::byte* bits_ = nullptr;  ///< of the picture, ...
  qsizetype row_bytes_ = 0;    ///< ... and how far its rows are apart
};

}  // namespace aftershock::gui
