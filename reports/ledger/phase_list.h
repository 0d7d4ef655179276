#pragma once

// The one list of the phases of a job. Phase (sim/scenario/phase.h), Bucket
// (reports/ledger/bucket.h) and Kind (gui/trace/kind.h) take their enumerators and words from here.
// A row is an enumerator and the word for it in scenarios, recordings and pages; the order is that
// of summaries and pages.

/// The phases in which nothing is trained or saved. Each is a bucket of the ledger by its own name.
#define AFTERSHOCK_IDLE_PHASES(ROW)                \
  ROW(kUndetected, "undetected")                   \
  ROW(kDeciding, "deciding")                       \
  ROW(kDraining, "draining")                       \
  ROW(kSelfHealing, "self_healing")                \
  ROW(kTearingDown, "tearing_down")                \
  ROW(kBackingOff, "backing_off")                  \
  ROW(kWaitingForCapacity, "waiting_for_capacity") \
  ROW(kProvisioning, "provisioning")               \
  ROW(kLaunching, "launching")                     \
  ROW(kRendezvous, "rendezvous")                   \
  ROW(kRestoring, "restoring")                     \
  ROW(kWarmingUp, "warming_up")                    \
  ROW(kFinalizing, "finalizing")                   \
  ROW(kControllerDown, "controller_down")

/// All phases. Controller down: nobody decides, as the head is gone and no new driver runs yet.
/// Uploading and committing go on in the background, with spans and triggers alone; catching up,
/// from running until the high-water step, has triggers alone.
#define AFTERSHOCK_PHASES(ROW)         \
  ROW(kTraining, "training")           \
  ROW(kCheckpointing, "checkpointing") \
  AFTERSHOCK_IDLE_PHASES(ROW)          \
  ROW(kUploading, "uploading")         \
  ROW(kCommitting, "committing")       \
  ROW(kCatchingUp, "catching_up")

/// The buckets of a ledger: what becomes of training and checkpointing, and the idle phases.
#define AFTERSHOCK_BUCKETS(ROW)                   \
  ROW(kProductive, "productive")                  \
  ROW(kRolledBack, "rolled_back")                 \
  ROW(kStraggling, "straggling")                  \
  ROW(kCheckpointBlocking, "checkpoint_blocking") \
  AFTERSHOCK_IDLE_PHASES(ROW)                     \
  ROW(kPaused, "paused")

/// For ROW: the enumerators of an enumeration, and the words of an array.
#define AFTERSHOCK_ENUMERATOR(enumerator, word) enumerator,
#define AFTERSHOCK_WORD(enumerator, word) word,
