#include "sim/conform/case_list.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "policies/api/issue.h"
#include "policies/api/json_as_text.h"
#include "sim/scenario/text/located_json.h"
#include "sim/scenario/text/sources.h"

namespace aftershock::sim::conform {
namespace {

using nlohmann::json;
using policies::pointer_to;

constexpr std::uint64_t kMostSeeds = 1'000'000;

/// Takes a list apart; the first thing that is wrong with it stays in `problem`.
class ListReader {
 public:
  CaseList read(const json& told) {
    CaseList list;
    members(told, "", {"policy", "profile", "cases"});
    list.policy = text(told, "", "policy");
    list.profile = text(told, "", "profile");
    const json& cases = member(told, "cases");
    if (!cases.is_array() || cases.empty()) {
      wrong("/cases", "expected a list of cases");
      return list;
    }
    for (std::size_t i = 0; i < cases.size(); ++i) {
      list.cases.push_back(case_in(cases[i], fmt::format("/cases/{}", i)));
    }
    return list;
  }

  std::optional<std::string> problem;

 private:
  static const json& member(const json& object, const char* name) {
    static const json nothing;
    const auto found = object.is_object() ? object.find(name) : object.end();
    return found == object.end() ? nothing : *found;
  }

  void wrong(const std::string& place, std::string_view what) {
    if (!problem) {
      problem = fmt::format("{}: {}", place.empty() ? "the whole" : place, what);
    }
  }

  void members(const json& object, const std::string& place,
               std::initializer_list<std::string_view> names) {
    if (!object.is_object()) {
      wrong(place, "expected an object");
      return;
    }
    for (const auto& [name, value] : object.items()) {
      if (std::ranges::find(names, name) == names.end()) {
        wrong(pointer_to(place, name),
              fmt::format("is unknown; expected one of {}", fmt::join(names, ", ")));
      }
    }
  }

  std::string text(const json& object, const std::string& place, const char* name) {
    const json& value = member(object, name);
    if (!value.is_string() || value.get_ref<const std::string&>().empty()) {
      wrong(pointer_to(place, name), "expected a text");
      return {};
    }
    return value.get<std::string>();
  }

  /// 0 where it is not there.
  std::uint32_t count(const json& object, const std::string& place, const char* name) {
    const json& told = member(object, name);
    if (told.is_null()) {
      return 0;
    }
    if (!told.is_number_unsigned() || told.get<std::uint64_t>() == 0 ||
        told.get<std::uint64_t>() > kMostSeeds) {
      wrong(pointer_to(place, name),
            fmt::format("expected a whole number from 1 to {}", kMostSeeds));
      return 0;
    }
    return told.get<std::uint32_t>();
  }

  Case case_in(const json& told, const std::string& place) {
    Case found;
    members(told, place, {"scenario", "seeds", "sequences", "differs"});
    found.scenario = text(told, place, "scenario");
    found.seeds = count(told, place, "seeds");
    found.sequences = count(told, place, "sequences");
    if (found.seeds > 0 && found.sequences > 0) {
      wrong(place + "/sequences", "stand in the place of seeds");
    }
    const json& differs = member(told, "differs");
    if (differs.is_object()) {
      members(differs, place + "/differs", {"why", "kinds"});
      found.known.why = text(differs, place + "/differs", "why");
      found.known.kinds = kinds_in(member(differs, "kinds"), place + "/differs/kinds");
    } else if (!differs.is_null()) {
      found.known.why = text(told, place, "differs");
    }
    return found;
  }

  std::vector<Kind> kinds_in(const json& told, const std::string& place) {
    std::vector<Kind> kinds;
    if (!told.is_array() || told.empty()) {
      wrong(place, "expected a list of kinds of differences");
      return kinds;
    }
    for (std::size_t i = 0; i < told.size(); ++i) {
      const auto kind = told[i].is_string() ? kind_named(told[i].get<std::string>()) : std::nullopt;
      if (!kind) {
        std::vector<std::string_view> names;
        std::ranges::transform(kKinds, std::back_inserter(names), name_of);
        wrong(fmt::format("{}/{}", place, i),
              fmt::format("expected one of {}", fmt::join(names, ", ")));
      } else {
        kinds.push_back(*kind);
      }
    }
    return kinds;
  }
};

/// The place at which a text stops being JSON, in words.
std::string not_json(std::string_view text) {
  scenario::Sources sources;
  const std::uint32_t source = sources.add({.name = {}, .text = std::string(text)});
  const auto parsed = scenario::parse_located(sources, source);
  const auto* error = std::get_if<scenario::ScenarioError>(&parsed);
  return error == nullptr
             ? "is not JSON"
             : fmt::format("line {}, column {}: {}{}", error->line, error->column, error->message,
                           error->expected.empty() ? "" : "; expected ") +
                   error->expected;
}

}  // namespace

std::uint32_t runs_of(const Case& one) {
  const auto cells = static_cast<std::uint32_t>(one.cells.size());
  return std::max({one.seeds, one.sequences, cells, std::uint32_t{1}});
}

std::optional<std::uint64_t> first_seed(const Case& one) {
  const bool drawn = one.sequences > 0 || !one.cells.empty();
  return drawn           ? std::optional<std::uint64_t>(0)
         : one.seeds > 0 ? std::optional<std::uint64_t>(1)
                         : std::nullopt;
}

std::variant<CaseList, std::string> read_case_list(std::string_view text) {
  const json told = policies::json_or_discarded(text);
  if (told.is_discarded()) {
    return not_json(text);
  }
  ListReader reader;
  CaseList list = reader.read(told);
  if (reader.problem) {
    return *std::move(reader.problem);
  }
  return list;
}

}  // namespace aftershock::sim::conform
