#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/ledger/summary.h"
#include "sim/control/external/external_source.h"
#include "sim/control/external/transcript.h"
#include "sim/simulate/simulate.h"

// `run --transcript` and `run --verify-policy`: what is said to an external policy.
namespace aftershock::sim::cli {

/// Hears all that is said in a run, from the reading of the scenario on.
class TranscriptWriter {
 public:
  explicit TranscriptWriter(std::shared_ptr<control::ExternalSource> source);
  ~TranscriptWriter();
  TranscriptWriter(const TranscriptWriter&) = delete;
  TranscriptWriter& operator=(const TranscriptWriter&) = delete;

  /// Finds out when triggers strike, in processes of which nothing is heard; none where the runs
  /// that tell it are in this one. Before the run.
  std::optional<simulate::TriggerOffsets> offsets(
      const std::shared_ptr<const scenario::Scenario>& scenario,
      const simulate::SimulateOptions& options);
  /// Writes what was heard to a file; an error in words where that cannot be.
  std::optional<std::string> write(const std::string& path, const scenario::Scenario& scenario,
                                   const control::RunHow& how,
                                   const reports::RunSummary& summary) const;
  /// Runs the scenario again, so often, as long as the policy says the same; else what it said
  /// otherwise, in words.
  std::optional<std::string> differs(const std::shared_ptr<const scenario::Scenario>& scenario,
                                     const simulate::SimulateOptions& options, int times);
  /// The same before the run, in processes of their own: SimGrid has one engine in each. The run is
  /// then held to what was said in the first of them.
  std::optional<std::string> rehearse(const std::shared_ptr<const scenario::Scenario>& scenario,
                                      const simulate::SimulateOptions& options, int times);

 private:
  void listen();
  [[nodiscard]] control::Exchanges tape() const;
  struct Heard {
    std::size_t policy = 0;
    control::Exchange exchange;
  };

  std::shared_ptr<control::ExternalSource> source_;
  std::vector<Heard> heard_;
  control::Exchanges rehearsed_;
};

}  // namespace aftershock::sim::cli
