#include "sim/cli/many/run_again.h"

#include <utility>

#include <fmt/format.h>

#include "reports/render/format.h"
#include "sim/cli/command.h"
#include "sim/sweep/scale_rates.h"

namespace aftershock::sim::cli {

std::optional<std::string> run_command(const std::string& path, const std::string& flags,
                                       const sweep::Point& parameters, std::uint64_t seed) {
  std::string command = "aftershock run " + reports::shell_path(path);
  for (const auto& [name, value] : parameters) {
    if (name == "policy") {
      command += " --policy " + reports::shell_word(value);
    }
  }
  command += flags;
  for (const auto& [name, value] : parameters) {
    if (name == sweep::kRates && sweep::rate_factor(value) != 1.0) {
      return std::nullopt;
    }
    if (name != sweep::kRates && name != "policy") {
      command += " --set " + reports::shell_word(name + "=" + value);
    }
  }
  return command + fmt::format(" --seed {}", seed);
}

std::function<bool(reports::RunRow&&)> up_to(reports::Verdict verdict,
                                             std::optional<reports::RunRow>& first) {
  return [verdict, &first](reports::RunRow&& row) {
    if (row.verdict == verdict) {
      first = std::move(row);
    }
    return !first;
  };
}

std::string why_of(const reports::StoreHeader& header, const reports::RunRow& run) {
  const std::string& label = header.cells[run.cell].label;
  return fmt::format("{}{}seed {}: {}", label, label.empty() ? "" : ", ", run.seed,
                     reports::why_of(run));
}

void complain_of_policy(const reports::StoreHeader& header, const reports::RunRow& run) {
  complain(printable(why_of(header, run)));
  const sweep::Point& parameters = header.cells[run.cell].parameters;
  if (const auto command = run_command(header.path, header.flags, parameters, run.seed)) {
    complain("look at it: " + *command);
  }
}

}  // namespace aftershock::sim::cli
