#include "reports/results/header_json.h"

#include <charconv>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <simdjson.h>

#include "reports/json/json_as_text.h"
#include "reports/results/shell_words.h"

namespace aftershock::reports {
namespace {

using Json = nlohmann::ordered_json;
namespace dom = simdjson::dom;

constexpr std::uint64_t kMostCounted = std::numeric_limits<std::uint32_t>::max();

/// Reads members of an object; the first that is something else stays in `problem`.
class Members {
 public:
  explicit Members(dom::object object) : object_(object) {}

  void text(std::string_view key, std::string& to) {
    std::string_view value;
    if (object_[key].get_string().get(value) == simdjson::SUCCESS) {
      to = value;
    } else {
      refuse(key, "text");
    }
  }

  /// Shown as part of a command, which somebody may give to a shell.
  void shell_words(std::string_view key, std::string& to) {
    text(key, to);
    if (!are_shell_words(to)) {
      refuse(key, "words for a shell, in quotes");
    }
  }

  void number(std::string_view key, std::uint64_t& to, std::uint64_t most) {
    if (object_[key].get_uint64().get(to) != simdjson::SUCCESS || to > most) {
      refuse(key, fmt::format("a whole number from 0 to {}", most));
    }
  }

  void count(std::string_view key, std::uint32_t& to) {
    std::uint64_t value = 0;
    number(key, value, kMostCounted);
    to = static_cast<std::uint32_t>(value);
  }

  void digest(std::string_view key, std::uint64_t& to) {
    constexpr std::size_t kDigits = 16;
    std::string digits;
    text(key, digits);
    const char* end = digits.data() + digits.size();
    const auto [stopped, problem] = std::from_chars(digits.data(), end, to, 16);
    if (digits.size() != kDigits || problem != std::errc{} || stopped != end) {
      refuse(key, "16 hexadecimal digits");
    }
  }

  /// JSON Pointers, each once: they are names of columns.
  void pointers(std::string_view key, std::vector<std::string>& to) {
    dom::array list;
    bool good = object_[key].get_array().get(list) == simdjson::SUCCESS;
    if (good) {
      std::set<std::string_view> known;
      for (const dom::element each : list) {
        std::string_view pointer;
        good = good && each.get_string().get(pointer) == simdjson::SUCCESS &&
               pointer.starts_with('/') && known.insert(pointer).second;
        to.emplace_back(pointer);
      }
    }
    if (!good) {
      refuse(key, "a list of JSON Pointers, each once");
    }
  }

  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  void refuse(std::string_view key, const std::string& expected) {
    if (problem_.empty()) {
      problem_ = fmt::format("its {} cannot be read; expected {}", key, expected);
    }
  }

  dom::object object_;
  std::string problem_;
};

}  // namespace

std::string header_json(const StoreHeader& header) {
  return text_from_json(Json{{"scenario", header.scenario},
                             {"path", header.path},
                             {"flags", header.flags},
                             {"version", header.version},
                             {"text", header.text},
                             {"digest", fmt::format("{:016x}", header.digest)},
                             {"first_seed", header.first_seed},
                             {"replicas", header.replicas},
                             {"until", header.until},
                             {"keep", header.keep},
                             {"pointers", header.pointers},
                             {"shard", header.shard},
                             {"shards", header.shards}});
}

std::optional<std::string> read_header_json(std::string_view text, StoreHeader& header) {
  dom::parser parser;
  dom::object object;
  const simdjson::padded_string padded(text);
  if (parser.parse(padded).get_object().get(object) != simdjson::SUCCESS) {
    return "what it says about its sweep cannot be read";
  }
  Members members(object);
  members.text("scenario", header.scenario);
  members.text("path", header.path);
  members.shell_words("flags", header.flags);
  members.text("version", header.version);
  members.text("text", header.text);
  members.digest("digest", header.digest);
  members.number("first_seed", header.first_seed, std::numeric_limits<std::uint64_t>::max());
  members.count("replicas", header.replicas);
  members.text("until", header.until);
  members.text("keep", header.keep);
  members.pointers("pointers", header.pointers);
  members.count("shard", header.shard);
  members.count("shards", header.shards);
  if (!members.problem().empty()) {
    return "what it says about its sweep cannot be read: " + members.problem();
  }
  if (header.shard < 1 || header.shard > header.shards) {
    return fmt::format("it is shard {} of {}; expected one from 1 to their number", header.shard,
                       header.shards);
  }
  return std::nullopt;
}

std::string parameters_json(const Cell& cell) {
  Json parameters = Json::object();
  for (const auto& [pointer, value] : cell.parameters) {
    parameters[pointer] = value;
  }
  return text_from_json(parameters);
}

bool read_parameters_json(std::string_view text, Cell& cell) {
  dom::parser parser;
  dom::object object;
  const simdjson::padded_string padded(text);
  if (parser.parse(padded).get_object().get(object) != simdjson::SUCCESS) {
    return false;
  }
  for (const auto& [pointer, value] : object) {
    std::string_view written;
    if (value.get_string().get(written) != simdjson::SUCCESS) {
      return false;
    }
    cell.parameters.emplace_back(pointer, written);
  }
  return true;
}

}  // namespace aftershock::reports
