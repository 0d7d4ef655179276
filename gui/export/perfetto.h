#pragma once

#include "gui/export/choice.h"
#include "gui/why/decision_titles.h"

namespace aftershock::gui {

/// Writes what is chosen as a trace that ui.perfetto.dev and trace_processor open (protobuf, see
/// perfetto/trace/trace_packet.proto). Each lane is a track, with another one for every span that
/// is there at the same time: of a track no two overlap. A fault is tied by flows to what it
/// brought about. Counters and curves are counter tracks. A span that was never ended lasts until
/// the last record, and says so. Streams: what it keeps is a number for each effect. False where
/// the sink refused.
bool write_perfetto(const Scene& scene, const DecisionTitles& titles, const Choice& choice,
                    const ByteSink& sink);

}  // namespace aftershock::gui
