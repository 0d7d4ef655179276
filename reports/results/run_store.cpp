#include "reports/results/run_store.h"

#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "base/assert.h"
#include "reports/results/store_schema.h"

namespace aftershock::reports {
namespace {

constexpr int kFixedColumns = 8;

std::string quoted_columns(const StoreHeader& header) {
  std::string columns;
  for (const std::string& name : value_columns(header)) {
    columns += ", " + quoted_name(name);
  }
  return columns;
}

std::string busy_words(const std::string& path) {
  return fmt::format("{}: is being written by another sweep", path);
}

/// The kind of thing under that name where SQLite could not work with it; none: a plain file, or
/// nothing.
std::optional<std::string> no_plain_file(const std::string& path, std::string_view expected) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status)) {
    return std::nullopt;
  }
  return fmt::format("{}: is {}; expected {}", path,
                     std::filesystem::is_directory(status) ? "a directory" : "a device or a pipe",
                     expected);
}

std::optional<std::string> read_rows(Database& database, const StoreHeader& header,
                                     const std::function<bool(RunRow&&)>& take) {
  Statement statement = database.prepare(fmt::format(
      "select cell, replica, seed, verdict, outcome, reason, verdict_reason, hash{} from run "
      "order by cell, replica",
      quoted_columns(header)));
  const std::size_t columns = metrics().size() + header.pointers.size();
  while (database.good() && statement.step()) {
    RunRow row;
    row.cell = static_cast<std::uint32_t>(statement.whole(0));
    row.replica = static_cast<std::uint32_t>(statement.whole(1));
    row.seed = static_cast<std::uint64_t>(statement.whole(2));
    const auto verdict = verdict_named(statement.text(3));
    const std::string hash = statement.text(7);
    const auto [end, problem] =
        std::from_chars(hash.data(), hash.data() + hash.size(), row.hash, 16);
    if (!verdict || problem != std::errc{} || row.cell >= header.cells.size()) {
      return fmt::format("run {} of cell {} cannot be read", row.replica, row.cell);
    }
    row.verdict = *verdict;
    row.outcome = statement.text(4);
    row.reason = statement.text(5);
    row.verdict_reason = statement.text(6);
    const bool may_have_none =
        row.verdict == Verdict::kInternalError || row.verdict == Verdict::kPolicyFailed;
    if (!may_have_none || statement.value(kFixedColumns).index() != 0) {
      for (std::size_t i = 0; i < columns; ++i) {
        row.values.push_back(statement.value(kFixedColumns + static_cast<int>(i)));
      }
    }
    if (!take(std::move(row))) {
      break;
    }
  }
  return database.ended_well() ? std::nullopt : std::optional(database.problem());
}

}  // namespace

std::optional<std::string> no_new_file(const std::string& path) {
  if (auto problem = no_plain_file(path, "the name of a file to make")) {
    return problem;
  }
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::symlink_status(path, ignored))
             ? std::optional(fmt::format("{}: is there already; choose another name", path))
             : std::nullopt;
}

std::variant<RunStore, std::string> RunStore::create(const std::string& path,
                                                     const StoreHeader& header) {
  if (auto problem = no_new_file(path)) {
    return *std::move(problem);
  }
  RunStore store;
  AFTERSHOCK_ASSERT(header.shard >= 1 && header.shard <= header.shards);
  store.header_ = header;
  store.database_ = std::make_unique<Database>(path, Database::Mode::kCreate);
  // A committed row outlives this process; a machine that loses power may lose the last second.
  store.database_->execute(
      "pragma locking_mode = exclusive; pragma synchronous = normal; begin exclusive");
  make_tables(*store.database_, header);
  store.prepare();
  store.commit();
  if (!store.database_->good()) {
    return store.problem();
  }
  return store;
}

std::variant<RunStore, std::string> RunStore::resume(const std::string& path,
                                                     const StoreHeader& header) {
  RunStore store;
  if (auto problem = no_plain_file(path, "a file of results")) {
    return *std::move(problem);
  }
  store.database_ = std::make_unique<Database>(path, Database::Mode::kWrite);
  if (!store.database_->good()) {
    return store.problem();
  }
  store.database_->execute(
      "pragma locking_mode = exclusive; pragma synchronous = normal; begin exclusive");
  if (store.database_->busy()) {
    return busy_words(path);
  }
  bool complete = false;
  if (store.database_->number("select count(*) from sqlite_master") == 0 &&
      store.database_->number("pragma application_id") == 0) {
    store.header_ = header;
    make_tables(*store.database_, header);
  } else if (auto problem = read_header(*store.database_, path, store.header_, complete)) {
    return *std::move(problem);
  }
  store.prepare();
  if (!store.database_->good()) {
    return store.problem();
  }
  return store;
}

void RunStore::prepare() {
  std::string places;
  for (std::size_t i = 0; i < kFixedColumns + value_columns(header_).size(); ++i) {
    places += i == 0 ? "?" : ", ?";
  }
  insert_ = database_->prepare(fmt::format(
      "insert or replace into run (cell, replica, seed, verdict, outcome, reason, verdict_reason, "
      "hash{}) "
      "values ({})",
      quoted_columns(header_), places));
}

void RunStore::set_replicas(std::uint32_t replicas) {
  header_.replicas = replicas;
  Statement statement =
      database_->prepare("update sweep set about = json_set(about, '$.replicas', ?), complete = 0");
  if (database_->good()) {
    statement.bind(1, std::int64_t{replicas});
    database_->run(statement);
  }
}

void RunStore::set_keep(const std::string& keep) {
  header_.keep = keep;
  database_->execute("delete from recording");
  Statement statement = database_->prepare("update sweep set about = json_set(about, '$.keep', ?)");
  if (database_->good()) {
    statement.bind_text(1, keep);
    database_->run(statement);
  }
}

std::optional<std::string> RunStore::each(const std::function<bool(RunRow&&)>& take) {
  return read_rows(*database_, header_, take);
}

void RunStore::add(const RunRow& row) {
  const std::size_t columns = metrics().size() + header_.pointers.size();
  AFTERSHOCK_ASSERT(row.cell < header_.cells.size());
  AFTERSHOCK_ASSERT(row.values.empty() || row.values.size() == columns);
  if (!database_->good()) {
    return;
  }
  insert_.bind(1, std::int64_t{row.cell});
  insert_.bind(2, std::int64_t{row.replica});
  insert_.bind(3, static_cast<std::int64_t>(row.seed));
  insert_.bind_text(4, name_of(row.verdict));
  insert_.bind_text(5, row.outcome);
  insert_.bind_text(6, row.reason);
  insert_.bind_text(7, row.verdict_reason);
  insert_.bind_text(8, fmt::format("{:016x}", row.hash));
  for (std::size_t i = 0; i < columns; ++i) {
    insert_.bind(kFixedColumns + 1 + static_cast<int>(i),
                 i < row.values.size() ? row.values[i] : MetricValue{});
  }
  database_->run(insert_);
}

void RunStore::trouble(std::uint32_t cell, std::uint32_t replica, const std::string& what) {
  Statement statement = database_->prepare("insert into trouble values (?, ?, ?)");
  if (database_->good()) {
    statement.bind(1, std::int64_t{cell});
    statement.bind(2, std::int64_t{replica});
    statement.bind_text(3, what);
    database_->run(statement);
  }
}

void RunStore::recording(std::uint32_t cell, std::uint32_t replica, const std::string& path) {
  Statement statement = database_->prepare("insert or replace into recording values (?, ?, ?)");
  if (database_->good()) {
    statement.bind(1, std::int64_t{cell});
    statement.bind(2, std::int64_t{replica});
    statement.bind_text(3, path);
    database_->run(statement);
  }
}

void RunStore::drop_from(std::uint32_t replica) {
  database_->execute(fmt::format("delete from run where replica >= {}", replica));
}

void RunStore::commit() { database_->execute("commit; begin exclusive"); }

void RunStore::finish() { database_->execute("update sweep set complete = 1; commit; begin"); }

std::variant<RunReader, std::string> RunReader::open(const std::string& path) {
  RunReader reader;
  if (auto problem = no_plain_file(path, "a file of results")) {
    return *std::move(problem);
  }
  reader.database_ = std::make_unique<Database>(path, Database::Mode::kRead);
  if (!reader.database_->good()) {
    return reader.database_->problem();
  }
  if (auto problem = read_header(*reader.database_, path, reader.header_, reader.complete_)) {
    return *std::move(problem);
  }
  return reader;
}

std::optional<std::string> RunReader::each(const std::function<bool(RunRow&&)>& take) {
  return read_rows(*database_, header_, take);
}

std::vector<RunReader::Trouble> RunReader::troubles() {
  std::vector<Trouble> all;
  Statement statement =
      database_->prepare("select cell, replica, what from trouble order by cell, replica, what");
  while (database_->good() && statement.step()) {
    all.push_back({static_cast<std::uint32_t>(statement.whole(0)),
                   static_cast<std::uint32_t>(statement.whole(1)), statement.text(2)});
  }
  return all;
}

std::vector<RunReader::Kept> RunReader::recordings() {
  std::vector<Kept> all;
  Statement statement =
      database_->prepare("select cell, replica, path from recording order by cell, replica");
  while (database_->good() && statement.step()) {
    all.push_back({static_cast<std::uint32_t>(statement.whole(0)),
                   static_cast<std::uint32_t>(statement.whole(1)), statement.text(2)});
  }
  return all;
}

}  // namespace aftershock::reports
