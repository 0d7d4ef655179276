#include "gui/app/tool_icons.h"

#include <QAction>
#include <QSvgRenderer>
#include <algorithm>
#include <array>

#include "gui/app/icon.h"

namespace aftershock::gui {

namespace {

/// Lines in a square of 24, two wide, as SVG has them.
struct Outline {
  ActionId id;
  const char* path;
};

constexpr std::array kOutlines{
    Outline{ActionId::kOpenFile, "M3 6h6l2 2h10v11H3z"},
    Outline{ActionId::kOpenSecond, "M3 4h12v10H3zM9 18h12V8"},
    Outline{ActionId::kRunAgain, "M19 12a7 7 0 1 1-2-5M19 3v5h-5"},
    Outline{ActionId::kReverse, "M18 5L7 12l11 7z"},
    Outline{ActionId::kPlay, "M7 5l11 7-11 7z"},
    Outline{ActionId::kSlower, "M19 6l-7 6 7 6M12 6l-7 6 7 6"},
    Outline{ActionId::kFaster, "M5 6l7 6-7 6M12 6l7 6-7 6"},
    Outline{ActionId::kPreviousFault, "M16 3l-6 10h5l-1 8 6-10h-5zM6 8l-4 4 4 4"},
    Outline{ActionId::kNextFault, "M9 3L3 13h5l-1 8 6-10H8zM18 8l4 4-4 4"},
    Outline{ActionId::kPreviousDecision, "M15 5l6 7-6 7-6-7zM6 8l-4 4 4 4"},
    Outline{ActionId::kNextDecision, "M9 5l6 7-6 7-6-7zM18 8l4 4-4 4"},
    Outline{ActionId::kZoomIn, "M10 4a6 6 0 1 1 0 12a6 6 0 1 1 0-12zM15 15l6 6M7 10h6M10 7v6"},
    Outline{ActionId::kZoomOut, "M10 4a6 6 0 1 1 0 12a6 6 0 1 1 0-12zM15 15l6 6M7 10h6"},
    Outline{ActionId::kFitAll, "M3 5v14M21 5v14M6 12h12M9 9l-3 3 3 3M15 9l3 3-3 3"},
    Outline{ActionId::kCompare, "M3 5h18v5H3zM3 14h18v5H3z"},
    Outline{ActionId::kLinkCursors, "M9 12h6M10 8H7a4 4 0 0 0 0 8h3M14 8h3a4 4 0 0 1 0 8h-3"},
    Outline{ActionId::kClusterMap, "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z"},
    Outline{ActionId::kFaultTable, "M3 6h18M3 12h12M3 18h7"},
    Outline{ActionId::kDrawer, "M8 6h13M8 12h13M8 18h13M3 6h1M3 12h1M3 18h1"},
};

constexpr const char* kPause = "M8 5v14M16 5v14";

QIcon drawn(const char* path, Theme theme) {
  const QString colour = QColor(inks(theme).text).name();
  QSvgRenderer drawing(
      QStringLiteral("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><path d='%1' "
                     "fill='none' stroke='%2' stroke-width='2' stroke-linecap='round' "
                     "stroke-linejoin='round'/></svg>")
          .arg(QString::fromUtf8(path), colour)
          .toUtf8());
  return icon_of(drawing, {16, 20, 24, 32, 48, 64});
}

}  // namespace

QIcon tool_icon(ActionId id, Theme theme) {
  const auto found = std::ranges::find(kOutlines, id, &Outline::id);
  return found == kOutlines.end() ? QIcon() : drawn(found->path, theme);
}

QIcon pause_icon(Theme theme) { return drawn(kPause, theme); }

void set_tool_icons(const ActionSet& actions, Theme theme) {
  for (const Outline& each : kOutlines) {
    QAction* action = actions.action(each.id);
    action->setIcon(drawn(each.path, theme));
    action->setIconVisibleInMenu(false);
  }
}

}  // namespace aftershock::gui
