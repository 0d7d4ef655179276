#pragma once

#include <functional>
#include <optional>
#include <string>

#include "reports/ledger/summary.h"
#include "reports/recording/file_sink.h"
#include "sim/live/backend.h"
#include "sim/live/driver.h"
#include "sim/live/live_run.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::cli {

/// The driver of a run, or the file that has its words: gives them one by one, and returns an empty
/// text, or why they came to no end.
using Facts = std::function<std::string(const live::TakeLine&)>;

/// Where the run and the words of its driver are written, if anywhere.
struct Kept {
  std::optional<reports::FileSink> recording;
  std::optional<reports::FileSink> facts;

  /// Hands to the system what has come, so that it outlives this process.
  void flush() {
    for (auto* const sink : {&recording, &facts}) {
      if (*sink) {
        (*sink)->boundary();
      }
    }
  }
};

/// Opens what was named, if anything. False, and said why, where a file cannot be written.
bool open_kept(const std::string& record, const std::string& keep_facts, Kept& kept);

/// Tells the run the facts, of the driver or of the `file` that kept them. Empty, or why the run
/// means nothing.
std::string drive(live::LiveRun& run, const scenario::Scenario& scenario, live::Backend backend,
                  const Facts& facts, const std::string& file, Kept& kept);

/// Closes the files; the exit code of a run with that verdict, or of a file that is not whole.
int finish(Kept& kept, reports::Verdict verdict);

}  // namespace aftershock::sim::cli
