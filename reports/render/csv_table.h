#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace aftershock::reports {

/// A list of JSON objects as a table of comma-separated values (RFC 4180): a line each, behind one
/// with the columns' names. A member of a member is a column of its own, "p_alive.low"; a list of
/// texts and numbers is a cell with blanks between, and one of objects is left out. Numbers are as
/// in the JSON, to the last digit; where a row has no value, its cell is empty.
std::string csv_table(const nlohmann::ordered_json& rows);

}  // namespace aftershock::reports
