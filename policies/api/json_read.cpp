#include <algorithm>
#include <functional>
#include <limits>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/api/config.h"
#include "policies/api/json.h"
#include "policies/api/json_as_text.h"
#include "policies/api/json_reader.h"

namespace aftershock::policies {

using nlohmann::json;

namespace json_reader {
namespace {

/// A value as an error message shows it: short, whatever was in the file.
std::string shown(const json& value) {
  constexpr std::size_t kLongest = 60;
  std::string text = value.is_structured() ? std::string(value.type_name()) : text_from_json(value);
  if (text.size() > kLongest) {
    text.resize(kLongest);
    text += "...";
  }
  return text;
}

}  // namespace

std::string Place::pointer() const {
  if (parent == nullptr) {
    return {};
  }
  return pointer_to(parent->pointer(), is_index ? std::to_string(index) : std::string(key));
}

Problem wrong(const Place& place, const json& value, std::string expected) {
  return Issue{place.pointer(), "got " + shown(value), std::move(expected), {}};
}

Problem unknown(const Place& place, std::string_view kind, std::string_view word,
                std::span<const std::string_view> known) {
  std::string message = "unknown ";
  message += kind;
  message += " \"";
  message += word.substr(0, 80);
  message += '"';
  std::string expected = "one of ";
  constexpr std::size_t kMostShown = 100;
  for (std::size_t index = 0; index < known.size() && index < kMostShown; ++index) {
    expected += index == 0 ? "" : ", ";
    expected += known[index];
  }
  if (known.size() > kMostShown) {
    expected += " and " + std::to_string(known.size() - kMostShown) + " more";
  }
  return Issue{place.pointer(), std::move(message), std::move(expected),
               std::string(nearest_name(word, known))};
}

Problem read_ranks(const Place& place, const json& value, RankSet& out) {
  constexpr std::string_view kForm = "an array of ranks and [first, last] pairs";
  if (!value.is_array()) {
    return wrong(place, value, std::string(kForm));
  }
  // The end of an interval is one past its last rank and must be a rank too.
  constexpr Rank kHighest = std::numeric_limits<Rank>::max() - 1;
  for (std::size_t index = 0; index < value.size(); ++index) {
    const json& element = value[index];
    const Place here = place.at(index);
    Rank first = 0;
    Rank last = 0;
    if (element.is_array()) {
      if (element.size() != 2) {
        return wrong(here, element, "a rank or [first, last]");
      }
      if (auto problem = read_integer(here.at(0), element[0], first)) {
        return problem;
      }
      if (auto problem = read_integer(here.at(1), element[1], last)) {
        return problem;
      }
      if (last < first) {
        return Issue{here.pointer(), "the last rank is before the first", "[first, last]", {}};
      }
    } else {
      if (auto problem = read_integer(here, element, first)) {
        return problem;
      }
      last = first;
    }
    if (last > kHighest) {
      return wrong(here, element, "ranks up to " + std::to_string(kHighest));
    }
    out.add(first, last + 1);
  }
  return {};
}

}  // namespace json_reader

using json_reader::read_whole;

namespace {

/// The size of a JSON value by its text.
struct JsonText {
  std::size_t members = 0;  ///< as written, those with the same name too
  std::size_t depth = 0;
};

JsonText look_over(std::string_view text) {
  JsonText seen;
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    switch (text[at]) {
      case '"':
        for (++at; at < text.size() && text[at] != '"'; ++at) {
          at += text[at] == '\\' ? 1U : 0U;
        }
        break;
      case ':':
        ++seen.members;
        break;
      case '{':
      case '[':
        seen.depth = std::max(seen.depth, ++depth);
        break;
      case '}':
      case ']':
        --depth;
        break;
      default:
        break;
    }
  }
  return seen;
}

std::size_t members_of(const json& value) {
  std::size_t members = value.is_object() ? value.size() : 0;
  if (value.is_structured()) {
    for (const json& element : value) {
      members += members_of(element);
    }
  }
  return members;
}

/// Parses what may have two members with one name, and names the first of them.
ReadResult<json> parse_watchfully(std::string_view text) {
  std::vector<std::set<std::string, std::less<>>> open;
  std::string twice;
  const auto watch_keys = [&](int, json::parse_event_t event, const json& value) {
    if (event == json::parse_event_t::object_start) {
      open.emplace_back();
    } else if (event == json::parse_event_t::object_end) {
      open.pop_back();
    } else if (event == json::parse_event_t::key) {
      const auto& key = value.get_ref<const std::string&>();
      if (!open.back().insert(key).second && twice.empty()) {
        twice = key;
      }
    }
    return true;
  };
  try {
    json value = json::parse(text, watch_keys);
    if (!twice.empty()) {
      return Issue{{}, "the member \"" + twice + "\" is there twice", "each name once", {}};
    }
    return value;
  } catch (const json::parse_error& error) {
    return Issue{{}, "not JSON from byte " + std::to_string(error.byte) + " on", "JSON", {}};
  } catch (const json::out_of_range&) {
    return Issue{{}, "JSON with a number that is too large", "one that can be read", {}};
  } catch (const json::exception& error) {
    return Issue{{}, error.what(), "JSON", {}};
  }
}

}  // namespace

ReadResult<json> parse_json(std::string_view text) {
  // nlohmann keeps the last of two members with one name, and nobody means that. To hear of every
  // key takes it several times as long as to count them.
  json value = json_or_discarded<json>(text);
  if (value.is_discarded()) {
    return parse_watchfully(text);
  }
  constexpr std::size_t kDeepest = 500;  // a walk through it may recurse so often
  const JsonText seen = look_over(text);
  if (seen.depth > kDeepest) {
    return Issue{{}, "JSON in JSON more than " + std::to_string(kDeepest) + " times", "less", {}};
  }
  if (members_of(value) != seen.members) {
    return parse_watchfully(text);
  }
  return value;
}

ReadResult<RankSet> rank_set_from_json(const json& value) { return read_whole<RankSet>(value); }
ReadResult<Event> event_from_json(const json& value) { return read_whole<Event>(value); }
ReadResult<Command> command_from_json(const json& value) { return read_whole<Command>(value); }
ReadResult<Batch> batch_from_json(const json& value) { return read_whole<Batch>(value); }
ReadResult<Watch> watch_from_json(const json& value) { return read_whole<Watch>(value); }
ReadResult<Inventory> inventory_from_json(const json& value) {
  return read_whole<Inventory>(value);
}

}  // namespace aftershock::policies
