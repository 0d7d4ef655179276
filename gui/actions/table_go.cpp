#include "gui/actions/action.h"

namespace aftershock::gui {

namespace {

std::vector<ActionSpec> jump_actions() {
  using enum ActionId;
  using enum Scope;
  return {
      {kNextFault, "go.next_fault", "Go", "Why", "Next fault", "N", kTimeline,
       "Go to the next fault of the run."},
      {kPreviousFault, "go.previous_fault", "Go", "Why", "Previous fault", "Shift+N", kTimeline,
       "Go to the fault before."},
      {kNextDecision, "go.next_decision", "Go", "Why", "Next decision", "Y", kTimeline,
       "Go to the policy's next decision and open its card: why."},
      {kPreviousDecision, "go.previous_decision", "Go", "Why", "Previous decision", "Shift+Y",
       kTimeline, "Go to the policy's decision before and open its card."},
      {kToEffect, "go.effect", "Go", "Why", "To its effect", "]", kTimeline,
       "From a fault to what it was seen as, to the decision, to the recovery and its bill."},
      {kToCause, "go.cause", "Go", "Why", "To its cause", "[", kTimeline,
       "From a decision or a loss back to the fault behind it."},
      {kNextAttempt, "go.next_attempt", "Go", "Work", "Next attempt", "T", kTimeline,
       "Go to the next attempt of this job."},
      {kPreviousAttempt, "go.previous_attempt", "Go", "Work", "Previous attempt", "Shift+T",
       kTimeline, "Go to the attempt of this job before."},
      {kNextCheckpoint, "go.next_checkpoint", "Go", "Work", "Next checkpoint", "C", kTimeline,
       "Go to the next checkpoint of this job."},
      {kPreviousCheckpoint, "go.previous_checkpoint", "Go", "Work", "Previous checkpoint",
       "Shift+C", kTimeline, "Go to the checkpoint of this job before."},
      {kNextEvent, "go.next_event", "Go", "Events", "Next in this lane", "Right .", kTimeline,
       "Go to the next span or event of this lane."},
      {kPreviousEvent, "go.previous_event", "Go", "Events", "Previous in this lane", "Left ,",
       kTimeline, "Go to the span or event of this lane before."},
      {kStepForward, "go.step_forward", "Go", "Events", "Step forward", "Ctrl+Right", kTimeline,
       "Move the cursor to the next event of the whole run."},
      {kStepBack, "go.step_back", "Go", "Events", "Step back", "Ctrl+Left", kTimeline,
       "Move the cursor to the event of the whole run before."},
      {kGoToTime, "go.time", "Go", "Events", "Go to time…", "Ctrl+G", kWindow,
       "Move the cursor to a time that you type."},
  };
}

std::vector<ActionSpec> replay_actions() {
  using enum ActionId;
  using enum Scope;
  return {
      {kPlay, "replay.play", "Replay", "Play", "Play or pause", "Space", kTimeline,
       "Let the cursor run through the recording, or hold it."},
      {kReverse, "replay.reverse", "Replay", "Play", "Backwards", "J", kTimeline,
       "Play backwards; again for faster."},
      {kStop, "replay.stop", "Replay", "Play", "Stop", "K", kTimeline,
       "Hold the cursor where it is."},
      {kForward, "replay.forward", "Replay", "Play", "Forwards", "L", kTimeline,
       "Play forwards; again for faster."},
      {kSlower, "replay.slower", "Replay", "Speed", "Slower", "<", kTimeline,
       "Play at a lower speed."},
      {kFaster, "replay.faster", "Replay", "Speed", "Faster", ">", kTimeline,
       "Play at a higher speed."},
      {kLoop, "replay.loop", "Replay", "Speed", "Loop over selection", "", kWindow,
       "Play the selected range, or else what is in view, again and again.", Check::kToggle},
      {kPlayEvents, "replay.events", "Replay", "Speed", "Event by event", "", kWindow,
       "Play so many events a second instead of time: quiet days fly by.", Check::kToggle},
      {kSlowAtFaults, "replay.slow", "Replay", "Speed", "Slow near faults", "", kWindow,
       "Play no faster than 60x in the minute before and after a fault.", Check::kToggle},
  };
}

std::vector<ActionSpec> note_actions() {
  using enum ActionId;
  using enum Scope;
  return {
      {kNote, "notes.note", "Notes", "Notes", "Note at cursor…", "M", kTimeline,
       "Write a note at the cursor; notes are kept in a file beside the recording."},
      {kNoteRange, "notes.note_range", "Notes", "Notes", "Note on range…", "Shift+M", kTimeline,
       "Write a note on the selected range of time."},
      {kDeleteNote, "notes.delete", "Notes", "Notes", "Delete note or bookmark", "Del", kTimeline,
       "Delete the selected note or bookmark."},
      {kBookmark, "notes.bookmark", "Notes", "Bookmarks", "Bookmark this view", "B", kTimeline,
       "Keep this place: time, zoom and lane."},
  };
}

std::vector<ActionSpec> slot_actions() {
  std::vector<ActionSpec> all;
  for (int slot = 1; slot <= kSlots; ++slot) {
    const std::string digit = std::to_string(slot);
    all.push_back({go_slot(slot), "notes.go_" + digit, "Notes/Go to place", "Places",
                   "Place " + digit, digit, Scope::kTimeline,
                   "Go to the view that was stored as place " + digit + "."});
  }
  for (int slot = 1; slot <= kSlots; ++slot) {
    const std::string digit = std::to_string(slot);
    all.push_back({store_slot(slot), "notes.store_" + digit, "Notes/Store place", "Places",
                   "As place " + digit, "Ctrl+" + digit, Scope::kTimeline,
                   "Store this view as place " + digit + "."});
  }
  return all;
}

std::vector<ActionSpec> compare_actions() {
  using enum ActionId;
  using enum Scope;
  return {
      {kCompare, "compare.compare", "Compare", "Runs", "Compare", "V", kTimeline,
       "Show both runs, one above the other, or only the first.", Check::kToggle},
      {kOtherRun, "compare.other_run", "Compare", "Runs", "Other run", "O", kTimeline,
       "Move the keyboard to the other run."},
      {kSwap, "compare.swap", "Compare", "Runs", "Swap runs", "Shift+V", kTimeline,
       "Make the second run the first."},
      {kLinkCursors, "compare.link", "Compare", "Runs", "Link cursors", "Ctrl+L", kWindow,
       "Let the cursor and the view of one run follow those of the other.", Check::kToggle},
      {kAlignTime, "compare.align_time", "Compare", "Align", "By time", "", kWindow,
       "The same instant stands at the same place.", Check::kChoice},
      {kAlignFault, "compare.align_fault", "Compare", "Align", "By fault", "", kWindow,
       "The same fault stands at the same place.", Check::kChoice},
      {kAlignProgress, "compare.align_progress", "Compare", "Align", "By progress", "", kWindow,
       "The same step of training stands at the same place.", Check::kChoice},
      {kNextDivergence, "compare.next_divergence", "Compare", "Differences", "Next divergence", "X",
       kTimeline, "Go to the next point at which the runs part."},
      {kPreviousDivergence, "compare.previous_divergence", "Compare", "Differences",
       "Previous divergence", "Shift+X", kTimeline, "Go to the point before."},
  };
}

std::vector<ActionSpec> help_actions() {
  using enum ActionId;
  using enum Scope;
  return {
      {kPalette, "help.palette", "Help", "Help", "Command palette…", "Ctrl+Shift+P F1", kWindow,
       "Find an action by parts of its name and do it."},
      {kKeySheet, "help.keys", "Help", "Help", "Keys…", "?", kWindow,
       "Show every key and what it does."},
      {kLegend, "help.legend", "Help", "Help", "Colours and shapes…", "", kWindow,
       "Show what the colours, hatches and shapes stand for."},
      {kAbout, "help.about", "Help", "About", "About Aftershock", "", kWindow,
       "Show the version of this program."},
  };
}

}  // namespace

std::vector<ActionSpec> go_actions() {
  std::vector<ActionSpec> all;
  for (const auto& part : {jump_actions(), replay_actions(), note_actions(), slot_actions(),
                           compare_actions(), help_actions()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace aftershock::gui
