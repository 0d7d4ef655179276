#include "reports/results/store_schema.h"

#include <utility>

#include <fmt/format.h>

#include "reports/results/checked_row.h"
#include "reports/results/header_json.h"

namespace aftershock::reports {
namespace {

std::string_view direction(Better better) {
  return better == Better::kHigher ? "higher" : better == Better::kLower ? "lower" : "neither";
}

void write_cells(Database& database, const StoreHeader& header) {
  Statement statement = database.prepare("insert into cell values (?, ?, ?, ?)");
  for (std::size_t i = 0; i < header.cells.size(); ++i) {
    const Cell& cell = header.cells[i];
    statement.bind(1, static_cast<std::int64_t>(i));
    statement.bind_text(2, cell.label);
    statement.bind_text(3, cell.policy);
    statement.bind_text(4, parameters_json(cell));
    database.run(statement);
  }
}

/// An error in words where the cells are not numbered from 0, or one is not as it is written.
std::optional<std::string> read_cells(Database& database, StoreHeader& header) {
  Statement statement =
      database.prepare("select cell, label, policy, parameters from cell order by cell");
  while (database.good() && statement.step()) {
    const auto next = static_cast<std::int64_t>(header.cells.size());
    CheckedRow row(statement);
    row.whole(0, "cell", next, next);
    Cell cell;
    cell.label = row.text(1, "label");
    cell.policy = row.text(2, "policy");
    const std::string parameters = row.text(3, "parameters");
    if (!row.problem().empty()) {
      return fmt::format("its table cell, row {}: {}", next + 1, row.problem());
    }
    if (!read_parameters_json(parameters, cell)) {
      return fmt::format("its table cell, row {}: its parameters cannot be read", next + 1);
    }
    header.cells.push_back(std::move(cell));
  }
  if (!database.ended_well()) {
    return database.problem();
  }
  return header.cells.empty() ? std::optional<std::string>("it has no cells") : std::nullopt;
}

/// The row of the table `sweep`; an error in words where it is not one.
std::optional<std::string> read_sweep(Database& database, StoreHeader& header, bool& complete) {
  Statement statement = database.prepare("select about, complete from sweep");
  if (!database.good() || !statement.step()) {
    return database.ended_well() ? "says nothing about its sweep: it was never begun"
                                 : database.problem();
  }
  CheckedRow row(statement);
  const std::string about = row.text(0, "about");
  complete = row.whole(1, "complete", 0, 1) != 0;
  if (!row.problem().empty()) {
    return "its table sweep: " + row.problem();
  }
  if (auto problem = read_header_json(about, header)) {
    return problem;
  }
  return statement.step() ? std::optional<std::string>("its table sweep has several rows")
                          : std::nullopt;
}

}  // namespace

std::vector<std::string> value_columns(const StoreHeader& header) {
  const std::vector<std::string_view> names = metric_names();
  std::vector<std::string> columns(names.begin(), names.end());
  columns.insert(columns.end(), header.pointers.begin(), header.pointers.end());
  return columns;
}

void make_tables(Database& database, const StoreHeader& header) {
  std::string columns;
  for (const std::string& name : value_columns(header)) {
    columns += fmt::format(", {}", quoted_name(name));
  }
  database.execute(fmt::format(
      "pragma application_id = {}; pragma user_version = {};"
      "create table sweep (about text not null, complete integer not null);"
      "create table metric (name text primary key, better text not null, what text not null);"
      "create table cell (cell integer primary key, label text not null, policy text not null,"
      " parameters text not null);"
      "create table run (cell integer not null, replica integer not null, seed integer not null,"
      " verdict text not null, outcome text not null, reason text not null,"
      " verdict_reason text not null, hash text not null{},"
      " primary key (cell, replica)) without rowid;"
      "create table recording (cell integer not null, replica integer not null,"
      " path text not null, primary key (cell, replica)) without rowid;"
      "create table trouble (cell integer not null, replica integer not null,"
      " what text not null);",
      kApplicationId, kStoreSchema, columns));
  Statement about = database.prepare("insert into sweep values (?, 0)");
  if (database.good()) {
    about.bind_text(1, header_json(header));
    database.run(about);
  }
  Statement metric = database.prepare("insert into metric values (?, ?, ?)");
  for (const Metric& each : metrics()) {
    if (!database.good()) {
      return;
    }
    metric.bind_text(1, each.name);
    metric.bind_text(2, direction(each.better));
    metric.bind_text(3, each.what);
    database.run(metric);
  }
  if (database.good()) {
    write_cells(database, header);
  }
}

std::optional<std::string> read_header(Database& database, const std::string& path,
                                       StoreHeader& header, bool& complete) {
  const auto id = database.number("pragma application_id");
  if (database.busy()) {
    return fmt::format("{}: is being written by another sweep", path);
  }
  if (!database.good() || id != kApplicationId) {
    return fmt::format("{}: is not a file of results; expected one that `aftershock sweep` wrote{}",
                       path, database.good() ? "" : fmt::format(" ({})", database.problem()));
  }
  const auto schema = database.number("pragma user_version");
  if (schema != kStoreSchema) {
    return fmt::format("{}: is of schema {}, and this program knows schema {}", path,
                       schema.value_or(0), kStoreSchema);
  }
  // Of a problem of SQLite's the path is told already.
  const auto told = [&](const std::string& problem) {
    return database.good() ? fmt::format("{}: {}", path, problem) : database.problem();
  };
  if (const auto differs = other_columns(database, {{"sweep", {"about", "complete"}}})) {
    return told(*differs);
  }
  if (const auto problem = read_sweep(database, header, complete)) {
    return told(*problem);
  }
  if (const auto differs =
          other_columns(database, {{"cell", {"cell", "label", "policy", "parameters"}}})) {
    return told(*differs);
  }
  if (const auto problem = read_cells(database, header)) {
    return told(*problem);
  }
  std::vector<std::string> columns{"cell",    "replica", "seed",           "verdict",
                                   "outcome", "reason",  "verdict_reason", "hash"};
  const std::vector<std::string> values = value_columns(header);
  columns.insert(columns.end(), values.begin(), values.end());
  if (const auto differs = other_columns(database, {{"run", columns},
                                                    {"recording", {"cell", "replica", "path"}},
                                                    {"trouble", {"cell", "replica", "what"}}})) {
    return fmt::format(
        "{}: was written by another build, {}: {}; read it with that build, or sweep again into "
        "another file",
        path, header.version, *differs);
  }
  return database.good() ? std::nullopt : std::optional(database.problem());
}

}  // namespace aftershock::reports
