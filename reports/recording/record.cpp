#include "reports/recording/record.h"

#include <array>
#include <utility>

#include <simdjson.h>

#include "reports/recording/common_line.h"
#include "reports/recording/line_reader.h"

namespace aftershock::reports {

static_assert(kLinePadding >= simdjson::SIMDJSON_PADDING);

namespace {

namespace ondemand = simdjson::ondemand;

constexpr int kDepthMax = 64;

constexpr std::array<std::string_view, 12> kLineKinds{
    "header",  "begin",    "end",    "instant", "decision",   "fault",
    "counter", "snapshot", "ledger", "summary", "end_of_run", "holds"};

LineKind line_kind(std::string_view word) {
  for (std::size_t i = 0; i < kLineKinds.size(); ++i) {
    if (kLineKinds[i] == word) {
      return static_cast<LineKind>(i);
    }
  }
  return LineKind::kOther;
}

bool valid(ondemand::value value, int depth);

bool valid_array(ondemand::value value, int depth) {
  ondemand::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS) {
    return false;
  }
  for (auto entry : array) {
    ondemand::value item;
    if (std::move(entry).get(item) != simdjson::SUCCESS || !valid(item, depth + 1)) {
      return false;
    }
  }
  return true;
}

bool valid_object(ondemand::value value, int depth) {
  ondemand::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) {
    return false;
  }
  for (auto entry : object) {
    ondemand::field field;
    std::string_view key;
    if (std::move(entry).get(field) != simdjson::SUCCESS ||
        field.unescaped_key().get(key) != simdjson::SUCCESS || !valid(field.value(), depth + 1)) {
      return false;
    }
  }
  return true;
}

/// simdjson checks a value when it is read, and passes unread ones over: so each is read.
bool valid(ondemand::value value, int depth) {
  ondemand::json_type type{};
  if (depth > kDepthMax || value.type().get(type) != simdjson::SUCCESS) {
    return false;
  }
  switch (type) {
    case ondemand::json_type::object:
      return valid_object(value, depth);
    case ondemand::json_type::array:
      return valid_array(value, depth);
    case ondemand::json_type::number:
      return value.get_number().error() == simdjson::SUCCESS;
    case ondemand::json_type::string:
      return value.get_string().error() == simdjson::SUCCESS;
    case ondemand::json_type::boolean:
      return value.get_bool().error() == simdjson::SUCCESS;
    case ondemand::json_type::null: {
      bool is_null = false;
      return value.is_null().get(is_null) == simdjson::SUCCESS && is_null;
    }
  }
  return false;
}

bool read_text(ondemand::value value, std::string_view& to) {
  return value.get_string().get(to) == simdjson::SUCCESS;
}

bool read_integer(ondemand::value value, std::int64_t& to) {
  return value.get_int64().get(to) == simdjson::SUCCESS;
}

/// An id is a number for spans; a fault's is text, which is for whoever reads the whole line.
bool read_id(ondemand::value value, std::optional<std::uint64_t>& to) {
  ondemand::json_type type{};
  if (value.type().get(type) != simdjson::SUCCESS || type != ondemand::json_type::number) {
    return valid(value, 1);
  }
  return value.get_uint64().get(to.emplace()) == simdjson::SUCCESS;
}

/// A fault's number or what stands for none; in a decision `fault` is a text.
bool read_cause(ondemand::value value, std::optional<std::int64_t>& to) {
  ondemand::json_type type{};
  if (value.type().get(type) != simdjson::SUCCESS || type != ondemand::json_type::number) {
    return valid(value, 1);
  }
  ondemand::number number;
  if (value.get_number().get(number) != simdjson::SUCCESS) {
    return false;
  }
  if (number.is_int64()) {
    to = number.get_int64();
  }
  return true;
}

}  // namespace

class RecordParser::Json {
 public:
  ondemand::parser parser;
};

RecordParser::RecordParser() : json_(std::make_unique<Json>()) {}

RecordParser::~RecordParser() = default;

const char* RecordParser::parse(std::string_view line, Record& record) {
  record = Record{};
  record.text = line;
  schema_.reset();
  records_.reset();
  hash_ = {};
  if (read_common_line(line, record)) {
    return nullptr;
  }
  return parse_json(line, record);
}

const char* RecordParser::parse_json(std::string_view line, Record& record) {
  record = Record{};
  record.text = line;
  ondemand::document document;
  ondemand::object object;
  if (json_->parser.iterate(line, line.size() + kLinePadding).get(document) != simdjson::SUCCESS ||
      document.get_object().get(object) != simdjson::SUCCESS) {
    return "not a JSON object";
  }
  bool has_time = false;
  std::string_view kind;
  for (auto entry : object) {
    ondemand::field field;
    std::string_view key;
    if (std::move(entry).get(field) != simdjson::SUCCESS ||
        field.unescaped_key().get(key) != simdjson::SUCCESS) {
      return "not a JSON object";
    }
    ondemand::value& value = field.value();
    const bool good = key == "t"      ? (has_time = read_integer(value, record.t_us))
                      : key == "r"    ? read_text(value, kind)
                      : key == "on"   ? read_text(value, record.on)
                      : key == "what" ? read_text(value, record.what)
                      : key == "hash" ? read_text(value, hash_)
                      : key == "id"   ? read_id(value, record.id)
                      : key == "cause" || key == "fault" ? read_cause(value, record.cause)
                      : key == "schema"                  ? read_integer(value, schema_.emplace())
                      : key == "records"                 ? read_integer(value, records_.emplace())
                                                         : valid(value, 1);
    if (!good) {
      return "a value that is not JSON, or not what belongs there";
    }
  }
  if (document.current_location().error() != simdjson::OUT_OF_BOUNDS) {
    return "something after its JSON object";
  }
  record.kind = line_kind(kind);
  if (kind.empty()) {
    return "no \"r\", which says what a line is";
  }
  return has_time || record.kind == LineKind::kHeader ? nullptr : "no \"t\", the time";
}

}  // namespace aftershock::reports
