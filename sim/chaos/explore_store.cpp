#include "sim/chaos/explore_store.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "sim/chaos/coverage.h"

namespace aftershock::sim::chaos {
namespace {

using reports::Database;
using reports::Statement;

constexpr std::int64_t kSearchId = 0x41465345;  // "AFSE"

/// Nothing was ever written to it: a file that somebody made, or whose writer was killed at once.
bool never_begun(Database& database) {
  return database.number("select count(*) from sqlite_master") == 0 &&
         database.number("pragma application_id") == 0;
}

/// Why that file may not be written: it is somebody else's.
std::optional<std::string> no_search(Database& database, const std::string& path) {
  const bool ours = database.number("pragma application_id") == kSearchId;
  if (database.busy()) {
    return fmt::format("{}: is being written by another search", path);
  }
  if (database.good() && (ours || never_begun(database))) {
    return std::nullopt;
  }
  return fmt::format(
      "{}: is not the file of a search; expected one that `aftershock explore` or `matrix --pairs` "
      "wrote{}",
      path, database.good() ? "" : fmt::format(" ({})", database.problem()));
}

void make_tables(Database& database, const std::string& digest,
                 const std::vector<std::string>& names) {
  database.execute(fmt::format("pragma application_id = {}", kSearchId));
  database.execute(
      "create table search (digest text not null);"
      "create table seed (seed integer primary key, state integer not null, why text not null) "
      "without rowid;"
      "create table failure (seed integer primary key, id text not null, words text not null, "
      "known integer not null);"
      "create table mark (number integer primary key, name text not null, runs integer not null, "
      "first_seed integer not null);");
  Statement search = database.prepare("insert into search values (?)");
  search.bind_text(1, digest);
  database.run(search);
  Statement mark = database.prepare("insert into mark values (?, ?, 0, 0)");
  for (std::size_t i = 0; i < names.size(); ++i) {
    mark.bind(1, static_cast<std::int64_t>(i));
    mark.bind_text(2, names[i]);
    database.run(mark);
  }
}

}  // namespace

std::variant<ExploreStore, std::string> ExploreStore::open(const std::string& path,
                                                           const std::string& digest,
                                                           const std::vector<std::string>& names) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  const bool there = std::filesystem::exists(status);
  if (there && !std::filesystem::is_regular_file(status)) {
    return fmt::format("{}: is not a file; expected one of a search", path);
  }
  if (there) {
    Database looked_at(path, Database::Mode::kRead);
    if (auto problem = no_search(looked_at, path)) {
      return *std::move(problem);
    }
  }
  ExploreStore store;
  store.database_ =
      std::make_unique<Database>(path, there ? Database::Mode::kWrite : Database::Mode::kCreate);
  Database& database = *store.database_;
  // A killed writer loses nothing that it committed; a machine that loses its power may.
  database.execute("pragma locking_mode = exclusive; pragma synchronous = off; begin exclusive");
  if (auto problem = no_search(database, path)) {
    return *std::move(problem);
  }
  if (never_begun(database)) {
    make_tables(database, digest, names);
  }
  if (const auto differs =
          other_columns(database, {{"search", {"digest"}},
                                   {"seed", {"seed", "state", "why"}},
                                   {"failure", {"seed", "id", "words", "known"}},
                                   {"mark", {"number", "name", "runs", "first_seed"}}})) {
    return fmt::format(
        "{}: was written by another build: {}; go on with that build, or choose another name", path,
        *differs);
  }
  Statement search = database.prepare("select digest from search");
  if (!database.good() || !search.step()) {
    return database.good()
               ? fmt::format("{}: says nothing about its search: it was never begun", path)
               : database.problem();
  }
  if (search.text(0) != digest) {
    return fmt::format(
        "{}: holds another search: its scenario, its policy or the program differ; choose another "
        "name",
        path);
  }
  store.read(names.size());
  if (!database.good()) {
    return database.problem();
  }
  return store;
}

void ExploreStore::read(std::size_t names) {
  covered_.resize(names);
  Statement seeds = database_->prepare("select seed from seed");
  while (database_->good() && seeds.step()) {
    const auto seed = static_cast<std::size_t>(seeds.whole(0));
    if (has_.size() <= seed) {
      has_.resize(seed + 1);
    }
    has_[seed] = true;
    ++runs_;
  }
  Statement marks = database_->prepare("select number, runs, first_seed from mark");
  while (database_->good() && marks.step()) {
    const auto number = static_cast<std::size_t>(marks.whole(0));
    if (number < names) {
      covered_[number] = {marks.whole(1), static_cast<std::uint64_t>(marks.whole(2))};
    }
  }
  insert_run_ = database_->prepare("insert or ignore into seed values (?, ?, ?)");
  insert_failure_ = database_->prepare("insert or replace into failure values (?, ?, ?, ?)");
  update_mark_ = database_->prepare("update mark set runs = ?, first_seed = ? where number = ?");
  database_->execute("commit; begin exclusive");
}

bool ExploreStore::has(std::uint64_t seed) const { return seed < has_.size() && has_[seed]; }

void ExploreStore::add(std::uint64_t seed, const FoundRun& run) {
  if (has(seed)) {
    return;
  }
  if (has_.size() <= seed) {
    has_.resize(seed + 1);
  }
  has_[seed] = true;
  ++runs_;
  insert_run_.bind(1, static_cast<std::int64_t>(seed));
  insert_run_.bind(2, std::int64_t{run.state});
  insert_run_.bind_text(3, run.why);
  database_->run(insert_run_);
  if (const auto& failed = run.failure) {
    insert_failure_.bind(1, static_cast<std::int64_t>(seed));
    insert_failure_.bind_text(2, failed->failure.id);
    insert_failure_.bind_text(3, failed->failure.words);
    insert_failure_.bind(4, std::int64_t{failed->known ? 1 : 0});
    database_->run(insert_failure_);
  }
  for (const std::size_t number : marked_in(run.marks)) {
    Covered& mark = covered_.at(number);
    mark.first_seed = mark.runs == 0 ? seed : std::min(mark.first_seed, seed);
    ++mark.runs;
    changed_.insert(number);
  }
}

void ExploreStore::commit() {
  for (const std::size_t number : changed_) {
    update_mark_.bind(1, covered_[number].runs);
    update_mark_.bind(2, static_cast<std::int64_t>(covered_[number].first_seed));
    update_mark_.bind(3, static_cast<std::int64_t>(number));
    database_->run(update_mark_);
  }
  changed_.clear();
  database_->execute("commit; begin exclusive");
}

std::vector<KeptRun> ExploreStore::stored() {
  std::vector<KeptRun> runs;
  Statement rows = database_->prepare("select seed, state, why from seed order by seed");
  while (database_->good() && rows.step()) {
    runs.push_back({static_cast<std::uint64_t>(rows.whole(0)),
                    static_cast<std::uint8_t>(rows.whole(1)), rows.text(2)});
  }
  return runs;
}

std::vector<FoundFailure> ExploreStore::failures() {
  std::vector<FoundFailure> found;
  Statement rows = database_->prepare("select seed, id, words, known from failure order by seed");
  while (database_->good() && rows.step()) {
    found.push_back({static_cast<std::uint64_t>(rows.whole(0)),
                     {rows.text(1), rows.text(2)},
                     rows.whole(3) != 0});
  }
  return found;
}

}  // namespace aftershock::sim::chaos
