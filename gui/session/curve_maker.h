#pragma once

#include <atomic>
#include <future>
#include <string>

#include "base/assert.h"
#include "gui/curves/curves.h"

namespace aftershock::gui {

/// Reckons a recording's curves in a thread of its own: it reads lines of the file again, which a
/// window need not wait for.
class CurveMaker {
 public:
  /// `trace` outlives it and does not change.
  CurveMaker(const Trace& trace, std::string path);
  /// Stops.
  ~CurveMaker();
  CurveMaker(const CurveMaker&) = delete;
  CurveMaker& operator=(const CurveMaker&) = delete;

  /// Waits so long for the curves; whether they are there.
  [[nodiscard]] bool wait_ms(int ms) const;
  /// The curves, once; waits for them.
  Reckoned take() {
    AFTERSHOCK_ASSERT(made_.valid());
    return made_.get();
  }

 private:
  std::atomic<bool> stop_ = false;
  std::future<Reckoned> made_;
};

}  // namespace aftershock::gui
