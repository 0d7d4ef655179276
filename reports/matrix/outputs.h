#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "reports/matrix/matrix.h"
#include "reports/render/style.h"

// A matrix for those who read it: a terminal, a CI system, a program, a browser.
namespace aftershock::reports {

/// For people: the field as a table of counts, then what is red, each with the command that shows
/// it, then how cells ended and why others cannot be.
std::string matrix_text(const MatrixReport& report, const Style& style);

/// The table of counts in GitHub's Markdown.
std::string matrix_markdown(const MatrixReport& report);

/// One row a cell: {id, phase, fault, state, verdict, hash, why}.
nlohmann::ordered_json matrix_rows(const MatrixReport& report);

/// JUnit's XML: a suite a phase, a case a cell; what cannot be is skipped and says why.
std::string matrix_junit(const MatrixReport& report);

/// {schema, scenario, policy, seed, verdict, exit_code, counts, rows[], columns[], cells[]}.
nlohmann::ordered_json matrix_json(const MatrixReport& report);

/// The field as a heat map on one HTML page, with every cell that is not green in a table.
std::string matrix_page(const MatrixReport& report);

/// The command that prints the scenario of a cell.
std::string cell_command(const MatrixReport& report, const CellOutcome& cell);

}  // namespace aftershock::reports
