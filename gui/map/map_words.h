#pragma once

#include <QString>
#include <optional>

#include "gui/cluster/cluster_states.h"
#include "gui/cluster/place_state.h"
#include "gui/lanes/directory.h"

namespace aftershock::gui {

/// "503 up, 8 down, 1 cut off": only what there is, all of it well first.
QString counts_text(const Census& census);

/// How much a square stands for: "a square is a node", "a square is 16 nodes".
QString square_text(std::int64_t nodes);

/// The words for a square of the map, for a tooltip and a screen reader: "gpu-3, down", or of
/// several "gpu-0..7: 6 up, 2 down"; with the owner of most of it, "gpu-3, up, job llm".
QString cell_text(const Directory& directory, const LaneKey& cell, const Census& census,
                  const std::optional<LaneKey>& owner = {});

/// The owner of nodes as a legend has it: "llm".
QString owner_text(const Directory& directory, const LaneKey& owner);

/// The part of a node's name by which it differs from its neighbours: its number, "3" of "gpu-3";
/// of a name without one, and of heads and storages, all of it.
QString short_name(const Directory& directory, const LaneKey& place);

}  // namespace aftershock::gui
