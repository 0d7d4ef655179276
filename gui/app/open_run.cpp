#include "gui/app/open_run.h"

#include <QFile>
#include <QRegularExpression>

#include "gui/app/run_again_dialog.h"

namespace aftershock::gui {

namespace {

bool write(const QString& path, const QString& text) {
  QFile file(path);
  const QByteArray bytes = text.toUtf8();
  return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.flush();
}

}  // namespace

std::optional<RunRequest> request_again(const RunTitle& title, const RunAgain& wish,
                                        const QString& folder) {
  RunRequest request;
  request.scenario = folder + QStringLiteral("/again.json");
  if (!write(request.scenario, title.scenario)) {
    return std::nullopt;
  }
  if (!wish.policy.isEmpty()) {
    request.options << QStringLiteral("--policy") << wish.policy;
  }
  if (!wish.config.isEmpty()) {
    const QString config = folder + QStringLiteral("/config.json");
    if (!write(config, wish.config)) {
      return std::nullopt;
    }
    request.options << QStringLiteral("--policy-config") << config;
  }
  if (!wish.seed.isEmpty()) {
    request.options << QStringLiteral("--seed") << wish.seed;
  }
  return request;
}

bool opens_both(const OpenRun& first, const OpenRun& second) {
  // A scenario would be run with the first one's options, so it must have had the same.
  const auto options = [](const OpenRun& run) { return run.reopen.mid(0, run.reopen.size() - 1); };
  return !first.reopen.isEmpty() && !second.reopen.isEmpty() &&
         (options(first) == options(second) || !second.temporary);
}

QStringList reproducing_command(const OpenRun& first, const OpenRun& second,
                                const QStringList& view) {
  if (first.reopen.isEmpty()) {
    return {};
  }
  QStringList words{QStringLiteral("aftershock-viewer")};
  words += view;
  words += first.reopen;
  if (opens_both(first, second)) {
    words << second.reopen.last();
  }
  return words;
}

QString shell_command(const QStringList& words) {
  static const QRegularExpression kPlain(QStringLiteral("^[A-Za-z0-9_@%+=:,./-]+$"));
  QStringList quoted;
  for (const QString& word : words) {
    QString inner = word;
    quoted << (kPlain.match(word).hasMatch()
                   ? word
                   : u'\'' + inner.replace(u'\'', QStringLiteral("'\\''")) + u'\'');
  }
  return quoted.join(u' ');
}

QString named_words(const OpenRun& run, const QString& words) {
  if (run.inputs == nullptr || !run.title) {
    return words;
  }
  // Line numbers of it say nothing either.
  const QRegularExpression file(QRegularExpression::escape(run.inputs->path()) +
                                QStringLiteral("/[a-z]+\\.json(:\\d+)*"));
  QString named = words;
  for (QRegularExpressionMatch found = file.match(named); found.hasMatch();
       found = file.match(named)) {
    named.replace(found.capturedStart(), found.capturedLength(), run.title->name);
  }
  return named;
}

}  // namespace aftershock::gui
