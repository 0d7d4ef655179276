#include <cstring>
#include <utility>

#include "reports/baseline/decision_trace.h"

namespace aftershock::reports {
namespace {

void put_number(std::string& bytes, std::uint64_t value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

template <class Number>
void put_numbers(std::string& bytes, const std::vector<Number>& values) {
  put_number(bytes, values.size());
  for (const Number value : values) {
    put_number(bytes, static_cast<std::uint64_t>(value));
  }
}

/// Takes from the front; once something is missing everything is.
class TraceTaker {
 public:
  explicit TraceTaker(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    if (bytes_.size() < sizeof(value)) {
      good_ = false;
      bytes_ = {};
      return 0;
    }
    std::memcpy(&value, bytes_.data(), sizeof(value));
    bytes_.remove_prefix(sizeof(value));
    return value;
  }

  /// A length of what follows, each at least a byte.
  std::size_t length() {
    const std::uint64_t value = number();
    if (value > bytes_.size()) {
      good_ = false;
      return 0;
    }
    return static_cast<std::size_t>(value);
  }

  std::string text() {
    const std::size_t size = length();
    std::string taken(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    return taken;
  }

  template <class Number>
  std::vector<Number> numbers() {
    std::vector<Number> values(length());
    for (Number& value : values) {
      value = static_cast<Number>(number());
    }
    return values;
  }

  [[nodiscard]] bool finished() const { return good_ && bytes_.empty(); }

 private:
  std::string_view bytes_;
  bool good_ = true;
};

}  // namespace

std::string to_bytes(const TimedTrace& trace) {
  std::string bytes;
  put_number(bytes, static_cast<std::uint64_t>(trace.trace.count));
  put_number(bytes, trace.trace.hash);
  put_number(bytes, trace.trace.first.size());
  for (const KeptDecision& kept : trace.trace.first) {
    put_number(bytes, static_cast<std::uint64_t>(kept.times));
    put_number(bytes, kept.text.size());
    bytes += kept.text;
  }
  put_numbers(bytes, trace.trace.marks);
  put_numbers(bytes, trace.at_us);
  put_numbers(bytes, trace.mark_us);
  return bytes;
}

std::optional<TimedTrace> trace_from_bytes(std::string_view bytes) {
  TraceTaker taker(bytes);
  TimedTrace trace;
  trace.trace.count = static_cast<std::int64_t>(taker.number());
  trace.trace.hash = taker.number();
  trace.trace.first.resize(taker.length());
  for (KeptDecision& kept : trace.trace.first) {
    kept.times = static_cast<std::int64_t>(taker.number());
    kept.text = taker.text();
  }
  trace.trace.marks = taker.numbers<std::uint64_t>();
  trace.at_us = taker.numbers<std::int64_t>();
  trace.mark_us = taker.numbers<std::int64_t>();
  return taker.finished() ? std::optional(std::move(trace)) : std::nullopt;
}

}  // namespace aftershock::reports
