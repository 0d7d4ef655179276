#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/results/database.h"
#include "reports/results/run_store.h"

// The tables of a file of results.
namespace aftershock::reports {

/// "ASRR" as SQLite's application id: `file` and this program know the file by it.
inline constexpr std::int64_t kApplicationId = 0x41535252;
/// Raised with every change of a table.
inline constexpr std::int64_t kStoreSchema = 4;

/// The names of the columns of values: metrics(), then the header's pointers.
std::vector<std::string> value_columns(const StoreHeader& header);

/// Makes the tables in an empty database and writes the header.
void make_tables(Database& database, const StoreHeader& header);
/// Looks whether the open file is one of results, and reads its header; an error in words where it
/// is not, or is of another schema.
std::optional<std::string> read_header(Database& database, const std::string& path,
                                       StoreHeader& header, bool& complete);

}  // namespace aftershock::reports
