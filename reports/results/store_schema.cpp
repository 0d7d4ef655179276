#include "reports/results/store_schema.h"

#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/json/json_as_text.h"

namespace aftershock::reports {
namespace {

using Json = nlohmann::ordered_json;

std::string_view direction(Better better) {
  return better == Better::kHigher ? "higher" : better == Better::kLower ? "lower" : "neither";
}

Json to_json(const StoreHeader& header) {
  return {{"scenario", header.scenario},
          {"path", header.path},
          {"flags", header.flags},
          {"version", header.version},
          {"text", header.text},
          {"digest", fmt::format("{:016x}", header.digest)},
          {"first_seed", header.first_seed},
          {"replicas", header.replicas},
          {"until", header.until},
          {"keep", header.keep},
          {"pointers", header.pointers},
          {"shard", header.shard},
          {"shards", header.shards}};
}

void from_json(const Json& json, StoreHeader& header) {
  header.scenario = json.at("scenario").get<std::string>();
  header.path = json.at("path").get<std::string>();
  header.flags = json.at("flags").get<std::string>();
  header.version = json.at("version").get<std::string>();
  header.text = json.at("text").get<std::string>();
  const auto digest = json.at("digest").get<std::string>();
  std::from_chars(digest.data(), digest.data() + digest.size(), header.digest, 16);
  header.first_seed = json.at("first_seed").get<std::uint64_t>();
  header.replicas = json.at("replicas").get<std::uint32_t>();
  header.until = json.at("until").get<std::string>();
  header.keep = json.value("keep", std::string());
  header.pointers = json.at("pointers").get<std::vector<std::string>>();
  header.shard = json.at("shard").get<std::uint32_t>();
  header.shards = json.at("shards").get<std::uint32_t>();
}

void write_cells(Database& database, const StoreHeader& header) {
  Statement statement = database.prepare("insert into cell values (?, ?, ?, ?)");
  for (std::size_t i = 0; i < header.cells.size(); ++i) {
    const Cell& cell = header.cells[i];
    Json parameters = Json::object();
    for (const auto& [pointer, value] : cell.parameters) {
      parameters[pointer] = value;
    }
    statement.bind(1, static_cast<std::int64_t>(i));
    statement.bind_text(2, cell.label);
    statement.bind_text(3, cell.policy);
    statement.bind_text(4, text_from_json(parameters));
    database.run(statement);
  }
}

void read_cells(Database& database, StoreHeader& header) {
  Statement statement =
      database.prepare("select label, policy, parameters from cell order by cell");
  while (database.good() && statement.step()) {
    Cell cell;
    cell.label = statement.text(0);
    cell.policy = statement.text(1);
    const Json parameters = json_from_text<Json>(statement.text(2));
    for (const auto& [pointer, value] : parameters.get_ref<const Json::object_t&>()) {
      cell.parameters.emplace_back(pointer, value.get<std::string>());
    }
    header.cells.push_back(std::move(cell));
  }
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
    about.bind_text(1, text_from_json(to_json(header)));
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
  Statement statement = database.prepare("select about, complete from sweep");
  if (!database.good() || !statement.step()) {
    return fmt::format("{}: says nothing about its sweep: it was never begun", path);
  }
  try {
    from_json(json_from_text<Json>(statement.text(0)), header);
    complete = statement.whole(1) != 0;
    read_cells(database, header);
  } catch (const Json::exception&) {
    return fmt::format("{}: what it says about its sweep cannot be read", path);
  }
  if (!database.good()) {
    return database.problem();
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
