#include "gui/sidecar/sidecar_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QSaveFile>
#include <QStandardPaths>
#include <algorithm>
#include <optional>

namespace aftershock::gui {

namespace {

constexpr int kSchema = 1;
// A sidecar is written by hand of one person: what is larger is something else.
constexpr qint64 kBytesMax = qint64{16} << 20U;

/// A sidecar's file as it is.
struct File {
  bool exists = false;
  QJsonObject root;
  QString problem;

  [[nodiscard]] qint64 revision() const {
    return root.value(QLatin1StringView("revision")).toInteger();
  }
};

File read_file(const QString& path) {
  File out;
  QFile file(path);
  out.exists = !path.isEmpty() && QFileInfo::exists(path);
  if (!out.exists) {
    return out;
  }
  if (!file.open(QIODevice::ReadOnly)) {
    out.problem = QStringLiteral("%1: %2").arg(path, file.errorString());
    return out;
  }
  if (file.size() > kBytesMax) {
    out.problem = QStringLiteral("%1: is larger than 16 MiB, so it holds no notes").arg(path);
    return out;
  }
  QJsonParseError error{};
  const QJsonDocument document = QJsonDocument::fromJson(file.readAll(), &error);
  if (!document.isObject()) {
    out.problem =
        QStringLiteral("%1: is not what the viewer keeps its notes in: %2")
            .arg(path, error.error == QJsonParseError::NoError ? QStringLiteral("no JSON object")
                                                               : error.errorString());
    return out;
  }
  const QJsonValue schema = document.object().value(QLatin1StringView("schema"));
  if (schema.toInt() != kSchema) {
    out.problem = QStringLiteral("%1: is of another version of the viewer").arg(path);
    return out;
  }
  out.root = document.object();
  return out;
}

QString set_aside(const QString& path) {
  for (int i = 1; i < 1000; ++i) {
    const QString aside = QStringLiteral("%1.unread-%2").arg(path).arg(i);
    if (!QFileInfo::exists(aside)) {
      return QFile::rename(path, aside)
                 ? QString()
                 : QStringLiteral("%1: cannot be set aside, so it is left as it is").arg(path);
    }
  }
  return QStringLiteral("%1: too many files were set aside").arg(path);
}

QString write_file(const QString& path, const QJsonObject& root) {
  QSaveFile file(path);
  const QByteArray text = QJsonDocument(root).toJson();
  if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit()) {
    return QStringLiteral("%1: %2").arg(path, file.errorString());
  }
  return {};
}

QString save_to(const QString& path, qint64 revision, const QString& key, const Sidecar& sidecar) {
  const File old = read_file(path);
  // A part that was read but for what is odd in it would lose that.
  QString odd = old.problem;
  if (odd.isEmpty()) {
    sidecar_of(old.root.value(QLatin1StringView("runs")).toObject().value(key).toObject(), odd);
  }
  if (!odd.isEmpty()) {
    if (const QString problem = set_aside(path); !problem.isEmpty()) {
      return problem;
    }
  }
  QJsonObject root = old.root;
  root.insert(QStringLiteral("schema"), kSchema);
  root.insert(QStringLiteral("revision"), revision);
  QJsonObject runs = root.value(QLatin1StringView("runs")).toObject();
  runs.insert(key, to_json(sidecar));
  root.insert(QStringLiteral("runs"), runs);
  return write_file(path, root);
}

}  // namespace

QString run_key(const reports::RecordingHeader& header) {
  return QStringLiteral("%1-%2").arg(QString::fromStdString(header.digest)).arg(header.seed);
}

QString sidecar_path(const QString& recording) {
  return recording.isEmpty() ? QString() : recording + QStringLiteral(".view.json");
}

QString fallback_path(const QString& key) {
  // The key comes from a file that anybody may have made.
  QString name;
  for (const QChar c : key.left(100)) {
    name += (c >= u'0' && c <= u'9') || (c >= u'a' && c <= u'z') || c == u'-' ? c : u'_';
  }
  return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
         QStringLiteral("/aftershock/views/%1.json").arg(name);
}

LoadedSidecar load_sidecar(const QString& recording, const QString& key) {
  const File beside = read_file(sidecar_path(recording));
  const File kept = read_file(fallback_path(key));
  const auto part = [&](const File& file) {
    return file.root.value(QLatin1StringView("runs")).toObject().value(key);
  };
  const bool kept_is_newer =
      part(kept).isObject() && (!part(beside).isObject() || kept.revision() > beside.revision());
  const File& chosen = kept_is_newer ? kept : beside;
  LoadedSidecar out;
  out.problem = beside.problem.isEmpty() ? kept.problem : beside.problem;
  QString problem;
  out.sidecar = sidecar_of(part(chosen).toObject(), problem);
  if (!problem.isEmpty() && out.problem.isEmpty()) {
    out.problem = QStringLiteral("%1: %2").arg(
        kept_is_newer ? fallback_path(key) : sidecar_path(recording), problem);
  }
  return out;
}

QString save_sidecar(const QString& recording, const QString& key, const Sidecar& sidecar) {
  const qint64 revision = 1 + std::max(read_file(sidecar_path(recording)).revision(),
                                       read_file(fallback_path(key)).revision());
  if (!recording.isEmpty() && save_to(sidecar_path(recording), revision, key, sidecar).isEmpty()) {
    return {};
  }
  const QString path = fallback_path(key);
  QDir().mkpath(QFileInfo(path).path());
  return save_to(path, revision, key, sidecar);
}

}  // namespace aftershock::gui
