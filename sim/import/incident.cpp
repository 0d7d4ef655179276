#include "sim/import/incident.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "policies/api/config.h"
#include "policies/api/json_as_text.h"
#include "sim/import/moment.h"
#include "sim/import/rows.h"
#include "sim/scenario/faults/fault_catalogue.h"

namespace aftershock::sim::imports {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 4> kHeader{"time", "kind", "target", "detail"};
constexpr std::size_t kMostRows = 200'000;
constexpr std::string_view kRecovered = "recovered";

struct IncidentRow {
  std::int64_t at_us = 0;
  std::string kind;
  std::string target;
  Json parameters = Json::object();
  std::string label;
  std::optional<std::int64_t> lasts_us;
  FaultOrigin origin;
};

bool takes_node_down(std::string_view kind) {
  return kind == scenario::name_of(scenario::FaultKind::kNodeCrash) ||
         kind == scenario::name_of(scenario::FaultKind::kPreemption);
}

/// Whether what it does goes on until it ends.
bool goes_on(std::string_view kind) {
  const auto catalogue = scenario::fault_catalogue();
  const auto entry = std::ranges::find(catalogue, kind, &scenario::FaultEntry::name);
  return entry != catalogue.end() &&
         std::ranges::any_of(entry->parameters,
                             [](const scenario::Key& key) { return key.name == "lasts"; });
}

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  const std::size_t last = text.find_last_not_of(" \t");
  return first == text.npos ? std::string() : std::string(text.substr(first, last - first + 1));
}

/// "true", "137" and the like as what they are, all else as text.
Json value_of(const std::string& text) {
  const Json parsed = policies::json_or_discarded<Json>(text);
  return parsed.is_boolean() || parsed.is_number() ? parsed : Json(text);
}

class IncidentReader {
 public:
  IncidentReader(const std::string& name, const scenario::Scenario& base, const SiteNames& sites)
      : name_(name), base_(base), sites_(sites) {
    if (!base.start.empty()) {
      const auto parsed = parse_moment(base.start);
      start_us_ = std::get<Moment>(parsed).us;
      zone_us_ = zone_us(base.start).value_or(0);
    }
  }

  bool take(const Row& row) {
    if (!header_) {
      read_header(row);
    } else if (row.cells.size() < 3 || row.cells.size() > kHeader.size()) {
      wrong(
          error_at(name_, row, fmt::format("{} columns", row.cells.size()),
                   fmt::format("{}; a detail with a comma is in quotes", fmt::join(kHeader, ","))));
    } else if (rows_.size() >= kMostRows) {
      wrong(error_at(name_, row, fmt::format("more than {} rows", kMostRows), "a shorter one"));
      return false;
    } else {
      read_row(row);
    }
    constexpr std::size_t kMostErrors = 20;
    return errors_.size() < kMostErrors && (header_ || errors_.empty());
  }

  std::vector<scenario::ScenarioError> take_errors() {
    if (!header_ && errors_.empty()) {
      scenario::ScenarioError error;
      error.file = name_;
      error.message = "the file is empty";
      error.expected = fmt::format("a first row {}", fmt::join(kHeader, ","));
      errors_.push_back(std::move(error));
    }
    return std::move(errors_);
  }

  std::vector<IncidentRow>& rows() { return rows_; }
  std::vector<Dropped>& dropped() { return dropped_; }

 private:
  void wrong(scenario::ScenarioError error) { errors_.push_back(std::move(error)); }

  void read_header(const Row& row) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      if (i >= kHeader.size() || row.cells[i].text != kHeader[i]) {
        wrong(error_at(name_, row, row.cells[i],
                       {fmt::format("unknown column {}", scenario::in_quotes(row.cells[i].text)),
                        fmt::format("a first row {}", fmt::join(kHeader, ",")),
                        std::string(policies::nearest_name(row.cells[i].text, kHeader))}));
        return;
      }
    }
    if (row.cells.size() < 3) {
      wrong(error_at(name_, row, "columns are missing",
                     fmt::format("a first row {}", fmt::join(kHeader, ","))));
      return;
    }
    header_ = true;
  }

  std::optional<std::int64_t> time_of(const Row& row) {
    auto parsed = parse_moment(row.cells[0].text);
    if (auto* problem = std::get_if<scenario::TextProblem>(&parsed)) {
      wrong(error_at(name_, row, row.cells[0], std::move(*problem)));
      return std::nullopt;
    }
    const auto moment = std::get<Moment>(parsed);
    if (!moment.dated) {
      return moment.us;
    }
    if (!start_us_) {
      wrong(error_at(name_, row, row.cells[0],
                     {"a date, and the scenario does not say when it begins",
                      "\"start\" in the scenario, or seconds since then",
                      {}}));
      return std::nullopt;
    }
    return moment.us - *start_us_ - (moment.zoned ? 0 : zone_us_);
  }

  void read_row(const Row& row) {
    const auto at_us = time_of(row);
    if (!at_us) {
      return;
    }
    IncidentRow read;
    read.at_us = *at_us;
    read.kind = row.cells[1].text;
    read.target = with_nodes(sites_, row.cells[2].text);
    read.origin = {row.line, row.cells[1].column, row.cells[2].column,
                   row.cells.size() > 3 ? row.cells[3].column : row.cells[2].column};
    if (row.cells.size() > 3 && !read_detail(row, row.cells[3], read)) {
      return;
    }
    if (*at_us < 0) {
      drop(dropped_, fmt::format("before the scenario's start, {}", base_.start), row.line);
    } else if (base_.until_us && *at_us >= *base_.until_us) {
      drop(dropped_, fmt::format("after the scenario's end, {}", duration_text(*base_.until_us)),
           row.line);
    } else {
      rows_.push_back(std::move(read));
    }
  }

  bool read_detail(const Row& row, const Cell& cell, IncidentRow& read) {
    std::string_view rest = cell.text;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(';'), rest.size());
      const std::string part = trimmed(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      const std::size_t equals = part.find('=');
      if (equals == std::string::npos) {
        read.label += (read.label.empty() || part.empty() ? "" : "; ") + part;
        continue;
      }
      const std::string key = trimmed(std::string_view(part).substr(0, equals));
      const std::string value = trimmed(std::string_view(part).substr(equals + 1));
      if (key == "lasts" && value != "repair") {
        auto parsed = scenario::parse_duration(value);
        if (auto* problem = std::get_if<scenario::TextProblem>(&parsed)) {
          wrong(error_at(name_, row, cell, std::move(*problem)));
          return false;
        }
        read.lasts_us = std::get<std::int64_t>(parsed);
      } else {
        read.parameters[key] = key == "blames" ? Json(with_nodes(sites_, value)) : value_of(value);
      }
    }
    return true;
  }

  const std::string& name_;
  const scenario::Scenario& base_;
  const SiteNames& sites_;
  std::optional<std::int64_t> start_us_;
  std::int64_t zone_us_ = 0;
  bool header_ = false;
  std::vector<IncidentRow> rows_;
  std::vector<Dropped> dropped_;
  std::vector<scenario::ScenarioError> errors_;
};

/// Puts rows together that tell of one thing.
class IncidentMerger {
 public:
  explicit IncidentMerger(std::vector<Dropped>& dropped) : dropped_(dropped) {}

  void take(IncidentRow row) {
    if (row.kind == kRecovered) {
      recover(row);
      return;
    }
    const std::string key = key_of(row);
    const auto found = last_.find(key);
    IncidentRow* before = found == last_.end() ? nullptr : &kept_[found->second];
    if (before != nullptr && overlap(*before, row)) {
      ++merged_;
      if (before->lasts_us && row.lasts_us) {
        before->lasts_us = std::max(*before->lasts_us, row.at_us - before->at_us + *row.lasts_us);
      } else if (goes_on(row.kind)) {
        before->lasts_us.reset();  // until it recovers
      }
      if (!row.label.empty() && before->label.find(row.label) == std::string::npos) {
        before->label += (before->label.empty() ? "" : " + ") + row.label;
      }
      return;
    }
    last_[key] = kept_.size();
    if (goes_on(row.kind)) {
      ailing_[row.target] = kept_.size();
    }
    kept_.push_back(std::move(row));
  }

  std::vector<IncidentRow>& kept() { return kept_; }
  [[nodiscard]] std::uint64_t merged() const { return merged_; }

 private:
  static std::string key_of(const IncidentRow& row) {
    return (takes_node_down(row.kind) ? "down" : row.kind) + " " + row.target;
  }

  static bool overlap(const IncidentRow& before, const IncidentRow& row) {
    if (before.at_us == row.at_us) {
      return true;
    }
    const bool until_repaired = before.parameters.contains("lasts");
    return goes_on(row.kind) && !until_repaired &&
           (!before.lasts_us || before.at_us + *before.lasts_us >= row.at_us);
  }

  void recover(const IncidentRow& row) {
    const auto found = ailing_.find(row.target);
    IncidentRow* latest = found == ailing_.end() ? nullptr : &kept_[found->second];
    if (latest == nullptr) {
      drop(dropped_, "a recovery of what is not known to ail", row.origin.line);
      return;
    }
    if (latest->lasts_us || latest->at_us >= row.at_us) {
      drop(dropped_,
           latest->lasts_us
               ? "a recovery that changes nothing: \"lasts\" or an earlier row ends the fault"
               : "a recovery that is not later than its fault",
           row.origin.line);
      return;
    }
    latest->parameters.erase("lasts");
    latest->lasts_us = row.at_us - latest->at_us;
  }

  std::vector<Dropped>& dropped_;
  std::vector<IncidentRow> kept_;
  std::map<std::string, std::size_t> last_;    ///< of what and whom, in `kept_`
  std::map<std::string, std::size_t> ailing_;  ///< the newest of a target that goes on
  std::uint64_t merged_ = 0;
};

Json fault_of(const IncidentRow& row, const std::string& prefix) {
  Json fault;
  fault["id"] = fmt::format("{}-{}", prefix, row.origin.line);
  fault["kind"] = row.kind;
  if (!row.label.empty()) {
    fault["label"] = row.label;
  }
  fault["target"] = row.target;
  fault["at"] = duration_text(row.at_us);
  fault.update(row.parameters);
  if (row.lasts_us) {
    fault["lasts"] = duration_text(*row.lasts_us);
  }
  return fault;
}

}  // namespace

std::variant<ScriptedFaults, std::vector<scenario::ScenarioError>> read_incident(
    const std::string& text, const std::string& name, const scenario::Scenario& base,
    const std::string& prefix, const SiteNames& sites) {
  IncidentReader reader(name, base, sites);
  auto broken = for_rows(text, name, [&](const Row& row) { return reader.take(row); });
  if (broken) {
    return std::vector{std::move(*broken)};
  }
  if (auto errors = reader.take_errors(); !errors.empty()) {
    return errors;
  }
  ScriptedFaults result;
  result.dropped = std::move(reader.dropped());
  std::vector<IncidentRow>& rows = reader.rows();
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].at_us < rows[i - 1].at_us) {
      drop(result.dropped, "not dropped, but sorted: earlier than the row before",
           rows[i].origin.line);
    }
  }
  std::ranges::stable_sort(rows, {}, &IncidentRow::at_us);
  IncidentMerger merger(result.dropped);
  for (IncidentRow& row : rows) {
    merger.take(std::move(row));
  }
  result.merged = merger.merged();
  for (const IncidentRow& row : merger.kept()) {
    result.faults.push_back(fault_of(row, prefix));
    result.origins.push_back(row.origin);
  }
  return result;
}

}  // namespace aftershock::sim::imports
