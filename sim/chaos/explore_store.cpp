#include "sim/chaos/explore_store.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "sim/chaos/coverage.h"

namespace aftershock::sim {
namespace {

using reports::Database;
using reports::Statement;

void make_tables(Database& database, const std::string& digest,
                 const std::vector<std::string>& names) {
  database.execute(
      "begin; create table search (digest text not null);"
      "create table seed (seed integer primary key) without rowid;"
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
  database.execute("commit");
}

}  // namespace

std::variant<ExploreStore, std::string> ExploreStore::open(const std::string& path,
                                                           const std::string& digest,
                                                           const std::vector<std::string>& names) {
  std::error_code ignored;
  const bool there = std::filesystem::exists(path, ignored);
  ExploreStore store;
  store.database_ =
      std::make_unique<Database>(path, there ? Database::Mode::kWrite : Database::Mode::kCreate);
  Database& database = *store.database_;
  // A killed writer loses nothing that it committed; a machine that loses its power may.
  database.execute("pragma journal_mode = wal; pragma synchronous = off");
  if (!there) {
    make_tables(database, digest, names);
  }
  Statement search = database.prepare("select digest from search");
  if (!database.good() || !search.step()) {
    return database.good() ? fmt::format("{}: is no file of a search", path) : database.problem();
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
  changed_.resize(names);
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
  insert_run_ = database_->prepare("insert or ignore into seed values (?)");
  insert_failure_ = database_->prepare("insert or replace into failure values (?, ?, ?, ?)");
  update_mark_ = database_->prepare("update mark set runs = ?, first_seed = ? where number = ?");
  database_->execute("begin");
}

bool ExploreStore::has(std::uint64_t seed) const { return seed < has_.size() && has_[seed]; }

void ExploreStore::add(std::uint64_t seed, std::string_view marks,
                       const std::optional<FoundFailure>& found) {
  if (has(seed)) {
    return;
  }
  if (has_.size() <= seed) {
    has_.resize(seed + 1);
  }
  has_[seed] = true;
  ++runs_;
  insert_run_.bind(1, static_cast<std::int64_t>(seed));
  database_->run(insert_run_);
  if (found) {
    insert_failure_.bind(1, static_cast<std::int64_t>(seed));
    insert_failure_.bind_text(2, found->failure.id);
    insert_failure_.bind_text(3, found->failure.words);
    insert_failure_.bind(4, std::int64_t{found->known ? 1 : 0});
    database_->run(insert_failure_);
  }
  for (std::size_t i = 0; i < covered_.size(); ++i) {
    if (!Coverage::has(marks, i)) {
      continue;
    }
    Covered& mark = covered_[i];
    mark.first_seed = mark.runs == 0 ? seed : std::min(mark.first_seed, seed);
    ++mark.runs;
    changed_[i] = true;
  }
}

void ExploreStore::commit() {
  for (std::size_t i = 0; i < covered_.size(); ++i) {
    if (changed_[i]) {
      changed_[i] = false;
      update_mark_.bind(1, covered_[i].runs);
      update_mark_.bind(2, static_cast<std::int64_t>(covered_[i].first_seed));
      update_mark_.bind(3, static_cast<std::int64_t>(i));
      database_->run(update_mark_);
    }
  }
  database_->execute("commit; begin");
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

}  // namespace aftershock::sim
