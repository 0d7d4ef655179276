#include "sim/cli/search/matrix_outputs.h"

#include <optional>

#include "reports/baseline/baseline.h"
#include "reports/matrix/outputs.h"
#include "sim/cli/command.h"
#include "sim/cli/files.h"

namespace aftershock::sim::cli {

bool may_write(const MatrixOutputs& outputs, const std::string& scenario,
               const std::string& store) {
  return files_apart({{"the scenario", scenario}},
                     {{"--junit", outputs.junit}, {"--html", outputs.html}, {"--out", store}}) &&
         (outputs.html.empty() || may_write_page("--html", outputs.html));
}

bool write_outputs(const MatrixOutputs& outputs, const reports::MatrixReport& report) {
  bool good = true;
  const auto write = [&good](const std::string& path, const std::string& text) {
    if (const auto problem = path.empty() ? std::nullopt : reports::write_whole(path, text)) {
      complain(*problem);
      good = false;
    }
  };
  write(outputs.junit, outputs.junit.empty() ? "" : reports::matrix_junit(report));
  write(outputs.html, outputs.html.empty() ? "" : reports::matrix_page(report));
  return good;
}

}  // namespace aftershock::sim::cli
