#include "reports/results/run_row.h"

#include <cstring>
#include <type_traits>

namespace aftershock::reports {
namespace {

template <typename Value>
void put(std::string& bytes, Value value) {
  static_assert(std::is_trivially_copyable_v<Value>);
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void put_text(std::string& bytes, std::string_view text) {
  put(bytes, static_cast<std::uint32_t>(text.size()));
  bytes += text;
}

/// Takes from the front; once something is missing everything is.
class Taker {
 public:
  explicit Taker(std::string_view bytes) : bytes_(bytes) {}

  template <typename Value>
  Value take() {
    Value value{};
    if (bytes_.size() < sizeof(value)) {
      good_ = false;
      bytes_ = {};
      return value;
    }
    std::memcpy(&value, bytes_.data(), sizeof(value));
    bytes_.remove_prefix(sizeof(value));
    return value;
  }

  std::string take_text() {
    const auto size = take<std::uint32_t>();
    if (bytes_.size() < size) {
      good_ = false;
      return {};
    }
    std::string text(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    return text;
  }

  [[nodiscard]] bool finished() const { return good_ && bytes_.empty(); }
  [[nodiscard]] std::size_t left() const { return bytes_.size(); }

 private:
  std::string_view bytes_;
  bool good_ = true;
};

}  // namespace

std::optional<double> number_of(const RunRow& row, std::string_view metric) {
  const auto place = metric_named(metric);
  return place && *place < row.values.size() ? number_of(row.values[*place]) : std::nullopt;
}

const std::string& why_of(const RunRow& row) {
  return row.verdict_reason.empty() ? row.reason : row.verdict_reason;
}

RunRow row_of(const RunSummary& summary, std::span<const std::string> pointers) {
  RunRow row;
  row.seed = summary.seed;
  row.verdict = summary.verdict;
  row.hash = summary.hash;
  row.outcome = "completed";
  const auto look = [&row](const auto& part) {
    if (row.outcome == "completed" && part.outcome != "completed") {
      row.outcome = part.outcome;
      row.reason = part.reason;
    }
  };
  for (const JobSummary& job : summary.jobs) {
    look(job);
  }
  for (const ExperimentSummary& experiment : summary.experiments) {
    look(experiment);
  }
  if (row.verdict != Verdict::kPassed) {
    row.verdict_reason = summary.verdict_reason;
  }
  row.values = metric_values(summary);
  const std::vector<MetricValue> more = values_at(summary, pointers);
  row.values.insert(row.values.end(), more.begin(), more.end());
  return row;
}

std::string to_bytes(const RunRow& row) {
  std::string bytes;
  put(bytes, row.cell);
  put(bytes, row.replica);
  put(bytes, row.seed);
  put(bytes, static_cast<std::uint8_t>(row.verdict));
  put(bytes, row.hash);
  put_text(bytes, row.outcome);
  put_text(bytes, row.reason);
  put_text(bytes, row.verdict_reason);
  put_text(bytes, row.decisions);
  put_text(bytes, row.marks);
  put(bytes, static_cast<std::uint32_t>(row.values.size()));
  for (const MetricValue& value : row.values) {
    put(bytes, static_cast<std::uint8_t>(value.index()));
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
      put(bytes, *whole);
    } else if (const auto* real = std::get_if<double>(&value)) {
      put(bytes, *real);
    }
  }
  return bytes;
}

std::optional<RunRow> row_from_bytes(std::string_view bytes) {
  Taker taker(bytes);
  RunRow row;
  row.cell = taker.take<std::uint32_t>();
  row.replica = taker.take<std::uint32_t>();
  row.seed = taker.take<std::uint64_t>();
  const auto verdict = taker.take<std::uint8_t>();
  if (verdict > static_cast<std::uint8_t>(Verdict::kInconclusive)) {
    return std::nullopt;
  }
  row.verdict = static_cast<Verdict>(verdict);
  row.hash = taker.take<std::uint64_t>();
  row.outcome = taker.take_text();
  row.reason = taker.take_text();
  row.verdict_reason = taker.take_text();
  row.decisions = taker.take_text();
  row.marks = taker.take_text();
  const auto count = taker.take<std::uint32_t>();
  if (count > taker.left()) {
    return std::nullopt;
  }
  row.values.resize(count);
  for (MetricValue& value : row.values) {
    switch (taker.take<std::uint8_t>()) {
      case 0:
        break;
      case 1:
        value = taker.take<std::int64_t>();
        break;
      case 2:
        value = taker.take<double>();
        break;
      default:
        return std::nullopt;
    }
  }
  return taker.finished() ? std::optional(std::move(row)) : std::nullopt;
}

}  // namespace aftershock::reports
