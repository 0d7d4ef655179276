#include "gui/sidecar/sidecar.h"

#include <QJsonArray>
#include <algorithm>
#include <array>
#include <utility>

namespace aftershock::gui {

namespace {

const std::array kMembers{QLatin1StringView("notes"),  QLatin1StringView("bookmarks"),
                          QLatin1StringView("slots"),  QLatin1StringView("view"),
                          QLatin1StringView("height"), QLatin1StringView("pins"),
                          QLatin1StringView("hidden"), QLatin1StringView("expanded")};

QJsonValue number(std::int64_t value) { return {static_cast<qint64>(value)}; }

QJsonObject view_json(const SavedView& view) {
  QJsonObject json{{QStringLiteral("begin_us"), number(view.begin_us)},
                   {QStringLiteral("end_us"), number(view.end_us)},
                   {QStringLiteral("cursor_us"), number(view.cursor_us)}};
  if (!view.lane.isEmpty()) {
    json.insert(QStringLiteral("lane"), view.lane);
  }
  if (!view.top.isEmpty()) {
    json.insert(QStringLiteral("top"), view.top);
  }
  return json;
}

/// Reads members of objects and remembers the first that is not what it should be.
class Reader {
 public:
  explicit Reader(QString& problem) : problem_(problem) {}

  std::int64_t time(const QJsonObject& json, QLatin1StringView member) {
    const QJsonValue value = json.value(member);
    if (!value.isDouble()) {
      wrong(member, "a number of microseconds");
    }
    return value.toInteger();
  }
  QString text(const QJsonObject& json, QLatin1StringView member) {
    const QJsonValue value = json.value(member);
    if (!value.isUndefined() && !value.isString()) {
      wrong(member, "text");
    }
    return value.toString();
  }
  QStringList texts(const QJsonObject& json, QLatin1StringView member) {
    QStringList all;
    for (const auto& value : array(json, member)) {
      if (value.isString()) {
        all << value.toString();
      } else {
        wrong(member, "a list of names");
      }
    }
    return all;
  }
  QJsonArray array(const QJsonObject& json, QLatin1StringView member) {
    const QJsonValue value = json.value(member);
    if (!value.isUndefined() && !value.isArray()) {
      wrong(member, "a list");
    }
    return value.toArray();
  }
  std::vector<QJsonObject> objects(const QJsonObject& json, QLatin1StringView member) {
    std::vector<QJsonObject> all;
    for (const auto& value : array(json, member)) {
      if (value.isObject()) {
        all.push_back(value.toObject());
      } else {
        wrong(member, "a list of objects");
      }
    }
    return all;
  }
  SavedView view(const QJsonObject& json) {
    return {.begin_us = time(json, QLatin1StringView("begin_us")),
            .end_us = time(json, QLatin1StringView("end_us")),
            .cursor_us = time(json, QLatin1StringView("cursor_us")),
            .lane = text(json, QLatin1StringView("lane")),
            .top = text(json, QLatin1StringView("top"))};
  }
  void wrong(QLatin1StringView member, const char* expected) {
    if (problem_.isEmpty()) {
      problem_ = QStringLiteral("\"%1\" is not %2").arg(member, QLatin1StringView(expected));
    }
  }

 private:
  QString& problem_;
};

}  // namespace

namespace {

/// Elements that are in `theirs` and were not in `base` come in, those that are gone from it go.
template <class Value>
void merge(const std::vector<Value>& base, std::vector<Value>& mine,
           const std::vector<Value>& theirs) {
  if (theirs == base) {
    return;
  }
  const auto has = [](const std::vector<Value>& all, const Value& one) {
    return std::ranges::find(all, one) != all.end();
  };
  std::erase_if(mine, [&](const Value& one) { return has(base, one) && !has(theirs, one); });
  for (const Value& one : theirs) {
    if (!has(base, one) && !has(mine, one)) {
      mine.push_back(one);
    }
  }
}

}  // namespace

bool has_handiwork(const Sidecar& sidecar) {
  return !sidecar.notes.empty() || !sidecar.bookmarks.empty() || !sidecar.slots_by_digit.empty() ||
         !sidecar.pins.empty() || !sidecar.hidden.empty() || !sidecar.others.isEmpty();
}

Sidecar merged(const Sidecar& base, Sidecar mine, const Sidecar& theirs) {
  merge(base.notes, mine.notes, theirs.notes);
  merge(base.bookmarks, mine.bookmarks, theirs.bookmarks);
  if (mine.slots_by_digit == base.slots_by_digit) {
    mine.slots_by_digit = theirs.slots_by_digit;
  } else {
    // A place stored here stays; others may have stored further ones.
    mine.slots_by_digit.insert(theirs.slots_by_digit.begin(), theirs.slots_by_digit.end());
  }
  mine.others = theirs.others;
  return mine;
}

QJsonObject to_json(const Sidecar& sidecar) {
  QJsonObject json = sidecar.others;
  QJsonArray notes;
  for (const Note& note : sidecar.notes) {
    QJsonObject one{{QStringLiteral("begin_us"), number(note.begin_us)},
                    {QStringLiteral("end_us"), number(note.end_us)},
                    {QStringLiteral("text"), note.text}};
    if (!note.lane.isEmpty()) {
      one.insert(QStringLiteral("lane"), note.lane);
    }
    notes.append(one);
  }
  json.insert(QStringLiteral("notes"), notes);
  QJsonArray bookmarks;
  for (const Bookmark& bookmark : sidecar.bookmarks) {
    QJsonObject one = view_json(bookmark.view);
    one.insert(QStringLiteral("name"), bookmark.name);
    bookmarks.append(one);
  }
  json.insert(QStringLiteral("bookmarks"), bookmarks);
  QJsonObject places;
  for (const auto& [digit, view] : sidecar.slots_by_digit) {
    places.insert(QString::number(digit), view_json(view));
  }
  json.insert(QStringLiteral("slots"), places);
  if (sidecar.view) {
    json.insert(QStringLiteral("view"), view_json(*sidecar.view));
  }
  if (sidecar.lane_height > 0) {
    json.insert(QStringLiteral("height"), sidecar.lane_height);
  }
  json.insert(QStringLiteral("pins"), QJsonArray::fromStringList(sidecar.pins));
  json.insert(QStringLiteral("hidden"), QJsonArray::fromStringList(sidecar.hidden));
  json.insert(QStringLiteral("expanded"), QJsonArray::fromStringList(sidecar.expanded));
  return json;
}

Sidecar sidecar_of(const QJsonObject& json, QString& problem) {
  Reader read(problem);
  Sidecar sidecar;
  for (const QJsonObject& one : read.objects(json, QLatin1StringView("notes"))) {
    sidecar.notes.push_back({.begin_us = read.time(one, QLatin1StringView("begin_us")),
                             .end_us = read.time(one, QLatin1StringView("end_us")),
                             .lane = read.text(one, QLatin1StringView("lane")),
                             .text = read.text(one, QLatin1StringView("text"))});
  }
  for (const QJsonObject& one : read.objects(json, QLatin1StringView("bookmarks"))) {
    sidecar.bookmarks.push_back(
        {.name = read.text(one, QLatin1StringView("name")), .view = read.view(one)});
  }
  const QJsonValue places = json.value(QLatin1StringView("slots"));
  if (!places.isUndefined() && !places.isObject()) {
    read.wrong(QLatin1StringView("slots"), "an object");
  }
  for (int digit = 1; digit <= 9; ++digit) {
    const QJsonValue place = places.toObject().value(QString::number(digit));
    if (place.isObject()) {
      sidecar.slots_by_digit[digit] = read.view(place.toObject());
    }
  }
  if (const QJsonValue view = json.value(QLatin1StringView("view")); view.isObject()) {
    sidecar.view = read.view(view.toObject());
  }
  sidecar.lane_height = json.value(QLatin1StringView("height")).toInt();
  sidecar.pins = read.texts(json, QLatin1StringView("pins"));
  sidecar.hidden = read.texts(json, QLatin1StringView("hidden"));
  sidecar.expanded = read.texts(json, QLatin1StringView("expanded"));
  sidecar.others = json;
  for (const QLatin1StringView member : kMembers) {
    sidecar.others.remove(member);
  }
  return sidecar;
}

}  // namespace aftershock::gui
