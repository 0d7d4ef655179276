#include "reports/results/database.h"

#include <algorithm>

#include <fmt/format.h>
#include <sqlite3.h>

namespace aftershock::reports {
namespace {

// A step of a statement of ours takes some hundred operations, and at most ten a row where a table
// is walked through. This many are some seconds.
constexpr int kOperationsATick = 1'000'000;
constexpr std::int64_t kMostTicks = 100;

// Texts of a file of results: a scenario's is the longest.
constexpr int kLongestValue = 128 << 20;

/// SQLite asks it at every tick whether to go on.
int tick(void* ticks) { return ++*static_cast<std::int64_t*>(ticks) > kMostTicks ? 1 : 0; }

/// A hostile file could otherwise run code of its own, or have more read than it holds.
void distrust(sqlite3* database, std::int64_t* ticks) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  // A column that is not there would be read as its name.
  sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, kLongestValue);
  sqlite3_progress_handler(database, kOperationsATick, tick, ticks);
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Statement::bind(int parameter, const MetricValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    sqlite3_bind_int64(statement_.get(), parameter, *whole);
  } else if (const auto* real = std::get_if<double>(&value)) {
    sqlite3_bind_double(statement_.get(), parameter, *real);
  } else {
    sqlite3_bind_null(statement_.get(), parameter);
  }
}

void Statement::bind_text(int parameter, std::string_view text) {
  sqlite3_bind_text64(statement_.get(), parameter, text.data(), text.size(), SQLITE_TRANSIENT,
                      SQLITE_UTF8);
}

bool Statement::step() {
  if (ticks_ != nullptr) {
    *ticks_ = 0;
  }
  return statement_ != nullptr && sqlite3_step(statement_.get()) == SQLITE_ROW;
}

void Statement::reset() { sqlite3_reset(statement_.get()); }

Statement::Holds Statement::holds(int column) const {
  switch (sqlite3_column_type(statement_.get(), column)) {
    case SQLITE_INTEGER:
      return Holds::kWhole;
    case SQLITE_FLOAT:
      return Holds::kReal;
    case SQLITE_TEXT:
      return Holds::kText;
    case SQLITE_BLOB:
      return Holds::kBytes;
    default:
      return Holds::kNothing;
  }
}

std::int64_t Statement::whole(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

MetricValue Statement::value(int column) const {
  switch (sqlite3_column_type(statement_.get(), column)) {
    case SQLITE_INTEGER:
      return whole(column);
    case SQLITE_FLOAT:
      return sqlite3_column_double(statement_.get(), column);
    default:
      return {};
  }
}

std::string Statement::text(int column) const {
  const auto* text = sqlite3_column_text(statement_.get(), column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return text == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(text), size);
}

void Database::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

Database::Database(const std::string& path, Mode mode)
    : path_(path), ticks_(std::make_unique<std::int64_t>(0)) {
  // A reader may have to take back first the half-done work of a killed writer; SQLite opens what
  // may not be written for reading by itself.
  const int flags =
      mode == Mode::kCreate ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE;
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &opened, flags, nullptr);
  database_.reset(opened);
  check(code);
  if (good()) {
    distrust(opened, ticks_.get());
    if (mode == Mode::kRead) {
      execute("pragma query_only = 1");
    }
  }
}

void Database::check(int code) {
  if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW || !good()) {
    return;
  }
  busy_ = (code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_LOCKED;
  const std::string_view why = code == SQLITE_INTERRUPT
                                   ? "reading it does not come to an end; it is damaged"
                               : database_ == nullptr ? sqlite3_errstr(code)
                                                      : sqlite3_errmsg(database_.get());
  problem_ = fmt::format("{}: {}", path_, why);
}

void Database::execute(const std::string& sql) {
  if (good()) {
    *ticks_ = 0;
    check(sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr));
  }
}

Statement Database::prepare(const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  if (good()) {
    *ticks_ = 0;
    check(sqlite3_prepare_v2(database_.get(), sql.c_str(), static_cast<int>(sql.size()) + 1,
                             &statement, nullptr));
  }
  return {statement, ticks_.get()};
}

void Database::run(Statement& statement) {
  if (!good()) {
    return;
  }
  while (statement.step()) {
  }
  ended_well();
  statement.reset();
}

bool Database::ended_well() {
  if (good()) {
    check(sqlite3_errcode(database_.get()));
  }
  return good();
}

std::optional<std::int64_t> Database::number(const std::string& sql) {
  Statement statement = prepare(sql);
  if (good() && statement.step()) {
    return statement.whole(0);
  }
  ended_well();
  return std::nullopt;
}

namespace {

/// Why that is not a table with columns of its own, in words.
std::optional<std::string> no_plain_table(Database& database, const std::string& table) {
  Statement statement = database.prepare(
      "select type, rootpage > 0, sql from sqlite_schema where name = ? and type <> 'trigger'");
  if (database.good()) {
    statement.bind_text(1, table);
  }
  if (!database.good() || !statement.step()) {
    return database.ended_well() ? fmt::format("it has no table {}", table) : database.problem();
  }
  const std::string type = statement.text(0);
  if (type != "table" || statement.whole(1) == 0) {
    return fmt::format("its {} is {}, not a table", table,
                       type == "table" ? "a virtual table" : "a " + type);
  }
  Statement computed = database.prepare("select name from pragma_table_xinfo(?) where hidden <> 0");
  if (database.good()) {
    computed.bind_text(1, table);
  }
  if (database.good() && computed.step()) {
    return fmt::format("its table {} computes the column {}", table, computed.text(0));
  }
  return database.ended_well() ? std::nullopt : std::optional(database.problem());
}

}  // namespace

std::optional<std::string> other_columns(Database& database,
                                         const std::vector<TableColumns>& expected) {
  for (const auto& [table, columns] : expected) {
    if (auto problem = no_plain_table(database, table)) {
      return problem;
    }
    std::vector<std::string> there;
    Statement statement = database.prepare("select name from pragma_table_info(?)");
    if (database.good()) {
      statement.bind_text(1, table);
    }
    while (database.good() && statement.step()) {
      there.push_back(statement.text(0));
    }
    if (!database.ended_well()) {
      return database.problem();
    }
    for (const std::string& column : columns) {
      if (std::ranges::find(there, column) == there.end()) {
        return fmt::format("its table {} has no column {}", table, column);
      }
    }
    const auto more = std::ranges::find_if(there, [&columns](const std::string& column) {
      return std::ranges::find(columns, column) == columns.end();
    });
    if (more != there.end()) {
      return fmt::format("its table {} has a column {}, which this one does not know", table,
                         *more);
    }
  }
  return std::nullopt;
}

std::string quoted_name(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) {
    quoted += c;
    if (c == '"') {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace aftershock::reports
