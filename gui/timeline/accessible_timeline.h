#pragma once

class QAccessibleInterface;
class QObject;
class QString;

namespace aftershock::gui {

/// A timeline as a screen reader meets it: a list of the lanes that are seen, each with what it
/// shows at the cursor. All that is in a run is in the event table, which reads as a table. For
/// QAccessible::installFactory; null for other objects than timelines.
QAccessibleInterface* accessible_timeline(const QString& class_name, QObject* object);

}  // namespace aftershock::gui
