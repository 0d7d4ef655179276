#include "sim/cli/run_again.h"

#include <tuple>

#include <fmt/format.h>

#include "reports/render/format.h"
#include "sim/cli/command.h"
#include "sim/sweep/scale_rates.h"

namespace aftershock::sim::cli {

std::optional<std::string> run_command(const std::string& path, const std::string& flags,
                                       const Point& parameters, std::uint64_t seed) {
  std::string command = "aftershock run " + reports::shell_path(path);
  for (const auto& [name, value] : parameters) {
    if (name == "policy") {
      command += " --policy " + reports::shell_word(value);
    }
  }
  command += flags;
  for (const auto& [name, value] : parameters) {
    if (name == kRates && rate_factor(value) != 1.0) {
      return std::nullopt;
    }
    if (name != kRates && name != "policy") {
      command += " --set " + reports::shell_word(name + "=" + value);
    }
  }
  return command + fmt::format(" --seed {}", seed);
}

void PolicyFailures::see(const reports::RunRow& row) {
  const auto place = [](const reports::RunRow& of) { return std::tuple(of.cell, of.replica); };
  if (row.verdict == reports::Verdict::kPolicyFailed && (!first_ || place(row) < place(*first_))) {
    first_ = row;
  }
}

void PolicyFailures::complain_of(const reports::StoreHeader& header) const {
  const reports::Cell& cell = header.cells[first_->cell];
  complain(printable(fmt::format("{}{}seed {}: {}", cell.label, cell.label.empty() ? "" : ", ",
                                 first_->seed, reports::why_of(*first_))));
  if (const auto command = run_command(header.path, header.flags, cell.parameters, first_->seed)) {
    complain("look at it: " + *command);
  }
}

}  // namespace aftershock::sim::cli
