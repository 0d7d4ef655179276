#pragma once

namespace aftershock::sim::cli {

/// Work that keeps nothing until it is done, and need not be ended in an orderly way.
enum class Unkept { kEstimate, kCells, kPairs, kImport };

/// While it lives SIGINT, SIGTERM and SIGHUP end the program as inconclusive, with a word on
/// standard error about what was kept and how to go on. One at a time; crews of workers have ears
/// of their own.
class TellsInterrupt {
 public:
  explicit TellsInterrupt(Unkept work);
  ~TellsInterrupt();
  TellsInterrupt(const TellsInterrupt&) = delete;
  TellsInterrupt& operator=(const TellsInterrupt&) = delete;

 private:
  using Handler = void (*)(int);

  Handler at_interrupt_;  ///< as it was before
  Handler at_term_;
  Handler at_hangup_;
};

}  // namespace aftershock::sim::cli
