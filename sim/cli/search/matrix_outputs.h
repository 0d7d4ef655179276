#pragma once

#include <string>

#include "reports/matrix/matrix.h"

namespace aftershock::sim::cli {

/// Where a matrix, or its pairs, are written beside standard output. Empty: nowhere.
struct MatrixOutputs {
  std::string junit;  ///< JUnit's XML, a case a cell
  std::string html;   ///< the page with the heat map
};

/// False, with a word on standard error, where one of them may not be written: it is the scenario,
/// the other one or `store` (a file of results, or empty), or it exists and is not a page of ours.
bool may_write(const MatrixOutputs& outputs, const std::string& scenario, const std::string& store);

/// Writes them; false, with a word on standard error, where that does not go.
bool write_outputs(const MatrixOutputs& outputs, const reports::MatrixReport& report);

}  // namespace aftershock::sim::cli
