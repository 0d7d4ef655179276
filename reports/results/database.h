#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reports/results/metrics.h"

struct sqlite3;
struct sqlite3_stmt;

// As much of SQLite as results need, with its errors as values.
namespace aftershock::reports {

/// A statement that is being made good use of; it must not outlive its database.
class Statement {
 public:
  Statement() = default;
  /// `ticks`: counts the work of a step, for the database that ends it when it is too much.
  Statement(sqlite3_stmt* statement, std::int64_t* ticks) : statement_(statement), ticks_(ticks) {}

  /// Parameters count from 1. Text is copied.
  void bind(int parameter, const MetricValue& value);
  void bind(int parameter, std::int64_t value) { bind(parameter, MetricValue{value}); }
  void bind_text(int parameter, std::string_view text);

  /// True: there is a row to look at. False: there is none any more, or `Database::problem` says
  /// what is wrong.
  bool step();
  /// Ready to be stepped from the start, with its bindings.
  void reset();

  /// The kind of value that a row has in a column, whatever the column was made for.
  enum class Holds : std::uint8_t { kNothing, kWhole, kReal, kText, kBytes };

  /// Columns count from 0. SQLite makes of a value what is asked for; rows that others may have
  /// written are read by a CheckedRow.
  [[nodiscard]] Holds holds(int column) const;
  [[nodiscard]] std::int64_t whole(int column) const;
  [[nodiscard]] MetricValue value(int column) const;
  [[nodiscard]] std::string text(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  std::int64_t* ticks_ = nullptr;
};

/// An open SQLite file, which anybody may have made: views and triggers of it are not run, and a
/// step of a statement that goes on for ever ends as a problem. The first problem stays in
/// `problem`, and nothing is done any more.
class Database {
 public:
  /// The purpose for which it is opened.
  enum class Mode : std::uint8_t { kCreate, kWrite, kRead };

  Database(const std::string& path, Mode mode);

  /// Nothing went wrong so far.
  [[nodiscard]] bool good() const { return problem_.empty(); }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// In SQLite's words, behind the path.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  /// Somebody else is writing the file.
  [[nodiscard]] bool busy() const { return busy_; }

  /// Statements without results, separated by semicolons.
  void execute(const std::string& sql);
  [[nodiscard]] Statement prepare(const std::string& sql);
  /// After a statement gave no more rows: whether that was its end. If not, `problem` says why.
  bool ended_well();
  /// Steps a statement to its end and resets it.
  void run(Statement& statement);
  /// The first value of the first row; none where there is none.
  [[nodiscard]] std::optional<std::int64_t> number(const std::string& sql);

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  void check(int code);

  std::string path_;
  std::string problem_;
  bool busy_ = false;
  std::unique_ptr<std::int64_t> ticks_;  ///< of the step that is made, where SQLite finds it
  std::unique_ptr<sqlite3, Close> database_;
};

/// A table, and the names of its columns.
struct TableColumns {
  std::string table;
  std::vector<std::string> columns;
};
/// The first in which the file's tables differ from these, in words: builds of a program may write
/// tables of the same name with other columns, and others a view in the place of a table. None:
/// they are the same.
std::optional<std::string> other_columns(Database& database,
                                         const std::vector<TableColumns>& expected);

/// A name as SQL writes it.
std::string quoted_name(std::string_view name);

}  // namespace aftershock::reports
