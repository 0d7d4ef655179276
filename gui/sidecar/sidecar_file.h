#pragma once

#include <QString>

#include "gui/sidecar/sidecar.h"
#include "reports/recording/header.h"

namespace aftershock::gui {

/// The key that tells one run from another, also before its end: the digest of the resolved
/// scenario, and the seed. Two runs of it by the same version are the same.
QString run_key(const reports::RecordingHeader& header);

/// Where the sidecar of a recording is: beside it, "run.aftershock.view.json". In all of these an
/// empty `recording` is one that will not stay: what is kept of it is in the data folder alone, and
/// it has no such path.
QString sidecar_path(const QString& recording);
/// Where it is when nothing can be written there: in the user's data folder, by the run's key.
QString fallback_path(const QString& key);

/// The kept state of a run.
struct LoadedSidecar {
  Sidecar sidecar;
  QString
      problem;  ///< the file that could not be read, with the path; empty where nothing is wrong
};

/// Reads what is kept of the run `key` in the sidecar of `recording`, or in the data folder: the
/// newer one of both. A missing file is fine. A sidecar may hold several runs: a recording that is
/// made again under its name has its own part.
LoadedSidecar load_sidecar(const QString& recording, const QString& key);

/// Puts it there, whole or not at all; other runs' parts stay as they are. A file that cannot be
/// read, or not all of this run's part, is not lost: it is set aside as "... .unread-1" first.
/// Returns what went wrong, with the path; empty where nothing did.
QString save_sidecar(const QString& recording, const QString& key, const Sidecar& sidecar);

}  // namespace aftershock::gui
