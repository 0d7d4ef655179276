#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policies/api/config.h"
#include "sim/import/moment.h"
#include "sim/import/rows.h"
#include "sim/import/trace.h"
#include "sim/scenario/faults/fault_catalogue.h"

namespace aftershock::sim::imports {

namespace {

enum class Column : std::uint8_t { kNode, kDown, kUp, kKind, kNotice, kCause };
constexpr std::size_t kColumns = 6;
constexpr std::array<std::string_view, kColumns> kColumnNames{"node", "down",   "up",
                                                              "kind", "notice", "cause"};
constexpr std::size_t kMostOutages = 200'000;

class OutagesCsvReader {
 public:
  OutagesCsvReader(const std::string& name, Trace& trace) : name_(name), trace_(trace) {}

  /// False: no more is wanted.
  bool take(const Row& row) {
    if (!header_) {
      read_header(row);
    } else if (row.cells.size() > cells_) {
      wrong(error_at(name_, row, fmt::format("{} columns", row.cells.size()),
                     fmt::format("at most {}, as in the first row", cells_)));
    } else if (trace_.outages.size() >= kMostOutages) {
      wrong(error_at(name_, row, fmt::format("more than {} outages", kMostOutages),
                     "a shorter trace"));
      return false;
    } else {
      read_row(row);
    }
    constexpr std::size_t kMostErrors = 20;
    return errors_.size() < kMostErrors && (header_ || errors_.empty());
  }

  std::vector<scenario::ScenarioError> finish() {
    if (!header_ && errors_.empty()) {
      scenario::ScenarioError error;
      error.file = name_;
      error.message = "the file is empty";
      error.expected = "a first row such as node,down,up,cause";
      errors_.push_back(std::move(error));
    }
    return std::move(errors_);
  }

 private:
  void wrong(scenario::ScenarioError error) { errors_.push_back(std::move(error)); }

  void read_header(const Row& row) {
    at_.fill(std::numeric_limits<std::size_t>::max());
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const auto found = std::ranges::find(kColumnNames, row.cells[i].text);
      if (found == kColumnNames.end()) {
        wrong(error_at(name_, row, row.cells[i],
                       {fmt::format("unknown column {}", scenario::in_quotes(row.cells[i].text)),
                        fmt::format("one of {}", fmt::join(kColumnNames, ", ")),
                        std::string(policies::nearest_name(row.cells[i].text, kColumnNames))}));
        continue;
      }
      std::size_t& at = at_[static_cast<std::size_t>(found - kColumnNames.begin())];
      if (at < row.cells.size()) {
        wrong(error_at(name_, row, row.cells[i],
                       {fmt::format("a second column {}", *found), "one of each", {}}));
      }
      at = i;
    }
    for (const Column needed : {Column::kNode, Column::kDown}) {
      if (at_[static_cast<std::size_t>(needed)] >= row.cells.size() && errors_.empty()) {
        wrong(error_at(name_, row,
                       fmt::format("no column {}", kColumnNames[static_cast<std::size_t>(needed)]),
                       "a first row such as node,down,up,cause"));
      }
    }
    cells_ = row.cells.size();
    header_ = errors_.empty();
  }

  /// The cell of a column; null where there is none or it is empty.
  const Cell* cell(const Row& row, Column column) const {
    const std::size_t at = at_[static_cast<std::size_t>(column)];
    return at < row.cells.size() && !row.cells[at].text.empty() ? &row.cells[at] : nullptr;
  }

  std::optional<std::int64_t> moment_in(const Row& row, const Cell& cell) {
    auto parsed = parse_moment(cell.text);
    if (auto* problem = std::get_if<scenario::TextProblem>(&parsed)) {
      wrong(error_at(name_, row, cell, std::move(*problem)));
      return std::nullopt;
    }
    const auto moment = std::get<Moment>(parsed);
    if (!dated_) {
      dated_ = moment.dated;
    }
    if (*dated_ != moment.dated) {
      wrong(error_at(
          name_, row, cell,
          {fmt::format("{} is {}, and the times above are {}", scenario::in_quotes(cell.text),
                       moment.dated ? "a date" : "since a beginning",
                       *dated_ ? "dates" : "since a beginning"),
           "one kind of times in a file",
           {}}));
      return std::nullopt;
    }
    trace_.first_us = trace_.rows == 0 ? moment.us : std::min(trace_.first_us, moment.us);
    trace_.last_us = trace_.rows == 0 ? moment.us : std::max(trace_.last_us, moment.us);
    ++trace_.rows;
    return moment.us;
  }

  void read_row(const Row& row) {
    const Cell* node = cell(row, Column::kNode);
    const Cell* down = cell(row, Column::kDown);
    const Cell* up = cell(row, Column::kUp);
    if (node == nullptr || down == nullptr) {
      wrong(error_at(name_, row, node == nullptr ? "no node is named" : "no time is given",
                     "both in every row"));
      return;
    }
    Outage outage;
    outage.line = row.line;
    const auto from = moment_in(row, *down);
    const auto to = up == nullptr ? std::nullopt : moment_in(row, *up);
    if (!from || (up != nullptr && !to)) {
      return;
    }
    outage.down_us = *from;
    outage.up_us = to;
    if (const Cell* cause = cell(row, Column::kCause)) {
      outage.cause = cause->text;
    }
    if (!read_kind(row, outage)) {
      return;
    }
    if (to && *to < *from) {
      wrong(error_at(name_, row, *up, {"it was back before it went", "a later time", {}}));
      return;
    }
    if (to && *to == *from) {
      drop(trace_.dropped, "an outage of no length", row.line);
      return;
    }
    outage.node = node_of(node->text);
    trace_.outages.push_back(std::move(outage));
  }

  bool read_kind(const Row& row, Outage& outage) {
    if (const Cell* kind = cell(row, Column::kKind)) {
      const std::string_view known[] = {scenario::name_of(scenario::FaultKind::kNodeCrash),
                                        scenario::name_of(scenario::FaultKind::kPreemption)};
      if (std::ranges::find(known, kind->text) == std::end(known)) {
        wrong(error_at(name_, row, *kind,
                       {fmt::format("unknown kind of outage {}", scenario::in_quotes(kind->text)),
                        fmt::format("{}", fmt::join(known, " or ")),
                        std::string(policies::nearest_name(kind->text, known))}));
        return false;
      }
      outage.kind = kind->text == known[0] ? scenario::FaultKind::kNodeCrash
                                           : scenario::FaultKind::kPreemption;
    }
    const Cell* notice = cell(row, Column::kNotice);
    if (notice == nullptr) {
      return true;
    }
    auto parsed = scenario::parse_duration(notice->text);
    if (auto* problem = std::get_if<scenario::TextProblem>(&parsed)) {
      wrong(error_at(name_, row, *notice, std::move(*problem)));
      return false;
    }
    outage.notice_us = std::get<std::int64_t>(parsed);
    if (outage.kind != scenario::FaultKind::kPreemption) {
      wrong(error_at(name_, row, *notice,
                     {"only a preemption has a notice", "kind preemption beside it", {}}));
      return false;
    }
    return true;
  }

  std::uint32_t node_of(const std::string& name) {
    const auto [found, is_new] =
        nodes_.try_emplace(name, static_cast<std::uint32_t>(trace_.nodes.size()));
    if (is_new) {
      trace_.nodes.push_back(name);
    }
    return found->second;
  }

 public:
  [[nodiscard]] bool dated() const { return dated_.value_or(false); }

 private:
  const std::string& name_;
  Trace& trace_;
  std::vector<scenario::ScenarioError> errors_;
  std::array<std::size_t, kColumns> at_{};
  std::size_t cells_ = 0;
  bool header_ = false;
  std::optional<bool> dated_;
  std::map<std::string, std::uint32_t> nodes_;
};

}  // namespace

TraceResult read_outages_csv(const std::string& text, const std::string& name) {
  Trace trace;
  trace.format = "csv";
  OutagesCsvReader reader(name, trace);
  auto broken = for_rows(text, name, [&](const Row& row) { return reader.take(row); });
  if (broken) {
    return std::vector{std::move(*broken)};
  }
  if (auto errors = reader.finish(); !errors.empty()) {
    return errors;
  }
  trace.rows = trace.outages.size();
  trace.counts = {{"outages", static_cast<std::int64_t>(trace.outages.size())}};
  if (reader.dated()) {
    // Clock zero is the whole second of the first of them.
    constexpr std::int64_t kSecond = 1'000'000;
    trace.zero_us = trace.first_us / kSecond * kSecond;
    for (Outage& outage : trace.outages) {
      outage.down_us -= *trace.zero_us;
      if (outage.up_us) {
        *outage.up_us -= *trace.zero_us;
      }
    }
    trace.first_us -= *trace.zero_us;
    trace.last_us -= *trace.zero_us;
  }
  std::ranges::stable_sort(trace.outages, {}, &Outage::down_us);
  return trace;
}

}  // namespace aftershock::sim::imports
