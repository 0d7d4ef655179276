#include "sim/scenario/yaml/yaml.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <yaml.h>

#include "sim/scenario/yaml/scalar.h"

namespace aftershock::sim::scenario {
namespace {

constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";

/// The share of the limit that a text takes: aliases repeat long texts as well as many values.
std::size_t values_in(std::string_view text) { return 1 + text.size() / 256; }

/// A value that an anchor names, and how much each of its aliases adds.
struct Anchored {
  LocatedValue value;
  std::size_t values = 1;
  std::size_t levels = 0;  ///< of lists and objects
};

/// Offsets of characters, which libyaml counts, in bytes. Asked for in the order of the text.
class ByteCursor {
 public:
  explicit ByteCursor(std::string_view text) : text_(text) {}

  std::size_t offset_of(std::size_t character) {
    if (character < character_) character_ = offset_ = 0;
    for (; character_ < character && offset_ < text_.size(); ++character_) {
      ++offset_;
      while (offset_ < text_.size() &&
             (static_cast<unsigned char>(text_[offset_]) & 0xC0U) == 0x80U) {
        ++offset_;
      }
    }
    return offset_;
  }

 private:
  std::string_view text_;
  std::size_t character_ = 0;
  std::size_t offset_ = 0;
};

/// libyaml's parser of a text, and the event that it is at.
class EventSource {
 public:
  explicit EventSource(std::string_view text) {
    ready_ = yaml_parser_initialize(&parser_) != 0;
    if (!ready_) return;
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  ~EventSource() {
    yaml_event_delete(&event_);
    if (ready_) yaml_parser_delete(&parser_);
  }
  EventSource(const EventSource&) = delete;
  EventSource& operator=(const EventSource&) = delete;

  /// False: the text is not YAML.
  bool next() {
    yaml_event_delete(&event_);
    return ready_ && yaml_parser_parse(&parser_, &event_) != 0;
  }
  [[nodiscard]] const yaml_event_t& event() const { return event_; }
  [[nodiscard]] const yaml_parser_t& parser() const { return parser_; }

 private:
  yaml_parser_t parser_{};
  yaml_event_t event_{};
  bool ready_ = false;
};

std::string text_of(const yaml_char_t* text) {
  return text == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(text));
}

/// The kind of a tag behind the prefix of YAML's own; "!" is text.
std::optional<std::string> own_tag(const yaml_char_t* tag) {
  const std::string text = text_of(tag);
  if (text == "!") return "str";
  if (text.starts_with(kTagPrefix)) return text.substr(kTagPrefix.size());
  return text.empty() ? std::optional<std::string>(text) : std::nullopt;
}

class DocumentsReader {
 public:
  DocumentsReader(const Sources& sources, std::uint32_t source)
      : sources_(sources),
        source_(source),
        events_(sources.at(source).text),
        cursor_(sources.at(source).text) {}

  std::variant<std::vector<LocatedValue>, ScenarioError> read() {
    for (bool more = true; more;) {
      if (!events_.next()) return syntax_error();
      more = events_.event().type != YAML_STREAM_END_EVENT;
      if (!take(events_.event())) return *std::move(error_);
    }
    return std::move(documents_);
  }

 private:
  struct Frame {
    LocatedValue value;
    std::string anchor{};
    std::size_t values = 1;
    std::size_t levels = 1;
    std::optional<LocatedMember> member{};  ///< its value comes next
    std::set<std::string, std::less<>> keys{};
  };

  Place place_of(const yaml_mark_t& mark) { return {source_, cursor_.offset_of(mark.index)}; }

  bool take(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_ALIAS_EVENT:
        return alias(event);
      case YAML_SCALAR_EVENT:
        return scalar(event);
      case YAML_SEQUENCE_START_EVENT:
        return open(event, event.data.sequence_start.anchor, event.data.sequence_start.tag, "seq",
                    LocatedValue::List{});
      case YAML_MAPPING_START_EVENT:
        return open(event, event.data.mapping_start.anchor, event.data.mapping_start.tag, "map",
                    LocatedValue::Members{});
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        return close();
      case YAML_DOCUMENT_START_EVENT:
        anchors_.clear();
        return true;
      default:
        return true;
    }
  }

  /// Whether a key of an object is to come.
  [[nodiscard]] bool at_key() const {
    return !frames_.empty() && !frames_.back().member &&
           std::holds_alternative<LocatedValue::Members>(frames_.back().value.data);
  }

  bool scalar(const yaml_event_t& event) {
    const auto& data = event.data.scalar;
    const Place place = place_of(event.start_mark);
    const std::string_view text(reinterpret_cast<const char*>(data.value), data.length);
    const auto tag = own_tag(data.tag);
    if (!tag || !is_scalar_tag(*tag)) return unknown_tag(place, data.tag);
    const bool plain = data.style == YAML_PLAIN_SCALAR_STYLE && tag->empty();
    if (plain && at_key() && text == "<<") {
      return fail(place, "merge keys are not followed here", "the members themselves");
    }
    YamlScalar value{std::string(text)};
    if (plain || (!tag->empty() && *tag != "str" && *tag != "timestamp")) {
      auto resolved = plain_scalar(text);
      if (auto* problem = std::get_if<TextProblem>(&resolved)) {
        return fail(place, std::move(problem->message), std::move(problem->expected));
      }
      value = std::get<YamlScalar>(std::move(resolved));
      if (!plain && !is_of_tag(value, *tag)) {
        return fail(place, fmt::format("{} is not a {}", in_quotes(text), *tag), "another tag");
      }
    }
    if (at_key()) return key(place, std::move(value));
    return add(
        {std::visit([](auto&& held) { return decltype(LocatedValue::data)(held); }, value), place},
        text_of(data.anchor), values_in(text), 0);
  }

  static bool is_scalar_tag(std::string_view tag) {
    constexpr std::string_view kTags[] = {"", "str", "int", "bool", "float", "null", "timestamp"};
    return std::ranges::find(kTags, tag) != std::end(kTags);
  }

  static bool is_of_tag(const YamlScalar& value, std::string_view tag) {
    const bool whole =
        std::holds_alternative<std::int64_t>(value) || std::holds_alternative<std::uint64_t>(value);
    return tag == "int"     ? whole
           : tag == "float" ? whole || std::holds_alternative<double>(value)
           : tag == "bool"  ? std::holds_alternative<bool>(value)
                            : std::holds_alternative<std::nullptr_t>(value);
  }

  bool unknown_tag(Place place, const yaml_char_t* tag) {
    return fail(place, fmt::format("unknown tag {}", in_quotes(text_of(tag))),
                "no tag, or one of !!str, !!int, !!float, !!bool, !!null");
  }

  /// Keys of JSON are text; numbers and truths become it, as Kubernetes has them.
  bool key(Place place, YamlScalar value) {
    std::string text;
    if (auto* written = std::get_if<std::string>(&value)) {
      text = std::move(*written);
    } else if (const auto* number = std::get_if<std::int64_t>(&value)) {
      text = std::to_string(*number);
    } else if (const auto* truth = std::get_if<bool>(&value)) {
      text = *truth ? "true" : "false";
    } else {
      return fail(place, "this key is not text", "a key in quotes");
    }
    Frame& frame = frames_.back();
    if (!frame.keys.insert(text).second) {
      return fail(place, fmt::format("duplicate key {}", in_quotes(text)), "each key once");
    }
    values_ += values_in(text);
    frame.values += values_in(text);
    frame.member = LocatedMember{std::move(text), place, {}};
    return values_ <= kMostYamlValues || too_many(place);
  }

  bool alias(const yaml_event_t& event) {
    const Place place = place_of(event.start_mark);
    const std::string name = text_of(event.data.alias.anchor);
    const auto found = anchors_.find(name);
    if (at_key()) return fail(place, "this key is an alias", "a key that is text");
    if (found == anchors_.end()) {
      return fail(place, fmt::format("no value is called {} above", in_quotes(name)),
                  "the name of an anchor whose value has ended");
    }
    if (frames_.size() + found->second.levels > kDeepest) return too_deep(place);
    LocatedValue repeated = found->second.value;
    repeated.place = place;
    return add(std::move(repeated), {}, found->second.values, found->second.levels);
  }

  template <class Container>
  bool open(const yaml_event_t& event, const yaml_char_t* anchor, const yaml_char_t* tag,
            std::string_view own, Container container) {
    const Place place = place_of(event.start_mark);
    const auto known = own_tag(tag);
    if (!known || !(known->empty() || *known == own)) return unknown_tag(place, tag);
    if (at_key()) return fail(place, "this key is a list or an object", "a key that is text");
    if (frames_.size() == kDeepest) return too_deep(place);
    frames_.push_back({.value = {std::move(container), place}, .anchor = text_of(anchor)});
    return true;
  }

  bool close() {
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    values_ -= frame.values - 1;  // the values within, which add() counts with their list or object
    return add(std::move(frame.value), std::move(frame.anchor), frame.values, frame.levels);
  }

  /// A whole value, which takes so much of the limit with all within it.
  bool add(LocatedValue value, std::string anchor, std::size_t values, std::size_t levels) {
    values_ += values;
    if (values_ > kMostYamlValues) return too_many(value.place);
    if (!anchor.empty()) anchors_[std::move(anchor)] = {value, values, levels};
    if (frames_.empty()) {
      if (!value.is_null()) documents_.push_back(std::move(value));
      return true;
    }
    Frame& frame = frames_.back();
    frame.values += values;
    frame.levels = std::max(frame.levels, levels + 1);
    if (auto* list = frame.value.get_if<LocatedValue::List>()) {
      list->push_back(std::move(value));
    } else {
      frame.member->value = std::move(value);
      std::get<LocatedValue::Members>(frame.value.data).push_back(*std::move(frame.member));
      frame.member.reset();
    }
    return true;
  }

  bool too_deep(Place place) {
    return fail(place, "too many levels of lists and objects", fmt::format("at most {}", kDeepest));
  }
  bool too_many(Place place) {
    return fail(place, "too many values or too much text, all that aliases repeat included",
                fmt::format("at most {} values", kMostYamlValues));
  }

  [[nodiscard]] std::string pointer() const {
    std::string pointer;
    for (const Frame& frame : frames_) {
      if (const auto* list = frame.value.get_if<LocatedValue::List>()) {
        append_to_pointer(pointer, std::to_string(list->size()));
      } else if (frame.member) {
        append_to_pointer(pointer, frame.member->key);
      }
    }
    return pointer;
  }

  bool fail(Place place, std::string message, std::string expected) {
    error_ = sources_.error_at(place);
    error_->kind = ErrorKind::kJson;
    error_->pointer = pointer();
    error_->message = std::move(message);
    error_->expected = std::move(expected);
    return false;
  }

  ScenarioError syntax_error() {
    const yaml_parser_t& parser = events_.parser();
    if (parser.error == YAML_READER_ERROR) {
      fail({source_, parser.problem_offset}, "what is here is not UTF-8, or a control character",
           "a text file in UTF-8");
    } else if (parser.problem == nullptr) {
      fail({source_, 0}, "memory has run out", "a shorter text");
    } else {
      std::string message = parser.context == nullptr ? "" : std::string(parser.context) + ": ";
      fail(place_of(parser.problem_mark), message + parser.problem, "YAML");
    }
    return *std::move(error_);
  }

  const Sources& sources_;
  std::uint32_t source_;
  EventSource events_;
  ByteCursor cursor_;
  std::vector<Frame> frames_;
  std::map<std::string, Anchored, std::less<>> anchors_;
  std::size_t values_ = 0;
  std::vector<LocatedValue> documents_;
  std::optional<ScenarioError> error_;
};

}  // namespace

std::variant<std::vector<LocatedValue>, ScenarioError> parse_yaml(const Sources& sources,
                                                                  std::uint32_t source) {
  if (sources.at(source).text.size() > kLongestYaml) {
    ScenarioError error = sources.error_at({source, 0});
    error.kind = ErrorKind::kJson;
    error.message = "the text is too long";
    error.expected = fmt::format("at most {} MiB of YAML", kLongestYaml >> 20U);
    return error;
  }
  return DocumentsReader(sources, source).read();
}

}  // namespace aftershock::sim::scenario
