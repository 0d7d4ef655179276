#include "sim/cli/interrupted.h"

#include <csignal>
#include <string_view>

#include <unistd.h>

#include "reports/ledger/summary.h"

namespace aftershock::sim::cli {

namespace {

constexpr std::string_view words_of(Unkept work) {
  switch (work) {
    case Unkept::kEstimate:
      return "interrupted: nothing was kept: an estimate is made in one go; begin again, with less "
             "--effort or fewer --repetitions to be done sooner\n";
    case Unkept::kCells:
      return "interrupted: the cells were being prepared, and none was run; begin again with the "
             "same command\n";
    case Unkept::kPairs:
      return "interrupted: the pairs were being prepared, and what --out has is as it was; the "
             "same command goes on\n";
    case Unkept::kImport:
      break;
  }
  return "interrupted: nothing was written; begin again with the same command\n";
}

void tell(std::string_view words) {
  // There is nobody to tell that standard error took too little.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, words.data(), words.size());
}

/// Only what a signal's handler may do.
template <Unkept kWork>
void end_program(int /*signal*/) {
  // Behind what a terminal shows of the keys, or of the progress.
  if (::isatty(STDERR_FILENO) != 0) {
    tell("\n");
  }
  tell(words_of(kWork));
  ::_exit(reports::exit_code(reports::Verdict::kInconclusive));
}

constexpr auto handler_of(Unkept work) {
  switch (work) {
    case Unkept::kEstimate:
      return &end_program<Unkept::kEstimate>;
    case Unkept::kCells:
      return &end_program<Unkept::kCells>;
    case Unkept::kPairs:
      return &end_program<Unkept::kPairs>;
    case Unkept::kImport:
      break;
  }
  return &end_program<Unkept::kImport>;
}

}  // namespace

TellsInterrupt::TellsInterrupt(Unkept work)
    : at_interrupt_(std::signal(SIGINT, handler_of(work))),
      at_term_(std::signal(SIGTERM, handler_of(work))),
      at_hangup_(std::signal(SIGHUP, handler_of(work))) {
  if (at_hangup_ == SIG_IGN) {
    std::signal(SIGHUP, SIG_IGN);  // nohup
  }
}

TellsInterrupt::~TellsInterrupt() {
  std::signal(SIGINT, at_interrupt_);
  std::signal(SIGTERM, at_term_);
  std::signal(SIGHUP, at_hangup_);
}

}  // namespace aftershock::sim::cli
