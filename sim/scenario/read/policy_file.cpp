#include "sim/scenario/read/policy_file.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "policies/registry.h"
#include "reports/recording/open_file.h"
#include "sim/scenario/yaml/yaml.h"

namespace aftershock::sim::scenario {
namespace {

using Documents = std::vector<LocatedValue>;

bool is_yaml(const Source& source) {
  const std::string_view name(source.name);
  if (name.ends_with(".json")) return false;
  const std::size_t first = source.text.find_first_not_of(" \t\r\n");
  const bool like_json =
      first != std::string::npos &&
      std::string_view("{[\"").find(source.text[first]) != std::string_view::npos;
  return name.ends_with(".yaml") || name.ends_with(".yml") || !like_json;
}

std::string_view text_in(const LocatedValue& document, std::string_view key) {
  const LocatedValue* value = document.find(key);
  const auto* text = value == nullptr ? nullptr : value->get_if<std::string>();
  return text == nullptr ? std::string_view() : std::string_view(*text);
}

std::string_view group_of(const LocatedValue& document) {
  const std::string_view version = text_in(document, "apiVersion");
  return version.substr(0, version.find('/'));
}

/// The documents, and in place of a List its items.
Documents items_of(Documents documents) {
  Documents all;
  for (LocatedValue& document : documents) {
    LocatedValue* items = document.find("items");
    auto* list = items == nullptr ? nullptr : items->get_if<LocatedValue::List>();
    if (list == nullptr || !text_in(document, "kind").ends_with("List")) {
      all.push_back(std::move(document));
    } else {
      std::ranges::move(*list, std::back_inserter(all));
    }
  }
  return all;
}

ScenarioError refuse(ScenarioError error, std::string message, std::string expected) {
  error.message = std::move(message);
  error.expected = std::move(expected);
  return error;
}

std::string words_for(const policies::ManifestKind& kind) {
  return fmt::format("{} of {}", kind.kind, kind.group);
}

/// The document of the policy's kinds among several.
std::variant<PolicyText, ScenarioError> choose(const Sources& sources, Documents documents,
                                               std::string_view policy) {
  const policies::PolicyEntry* entry = policies::shipped_policy(policy);
  std::vector<policies::ManifestKind> kinds;
  if (entry != nullptr) kinds = entry->manifests;
  std::vector<std::string> expected;
  for (const policies::ManifestKind& kind : kinds) expected.push_back(words_for(kind));
  const auto is_ours = [&](const LocatedValue& document) {
    return std::ranges::any_of(kinds, [&](const policies::ManifestKind& kind) {
      return text_in(document, "kind") == kind.kind && group_of(document) == kind.group;
    });
  };
  const auto ours = std::ranges::find_if(documents, is_ours);
  if (kinds.empty() || ours == documents.end()) {
    return refuse(sources.error_at(documents[1].place),
                  fmt::format("of {} documents none is the policy's", documents.size()),
                  kinds.empty() ? std::string("one document")
                                : fmt::format("{}", fmt::join(expected, ", or ")));
  }
  const auto second = std::find_if(ours + 1, documents.end(), is_ours);
  if (second != documents.end()) {
    return refuse(sources.error_at(second->place),
                  fmt::format("a second {}", text_in(*second, "kind")), "one in a file");
  }
  PolicyText text;
  for (const LocatedValue& document : documents) {
    if (&document == &*ours) continue;
    const std::string_view kind = text_in(document, "kind");
    text.ignored.push_back(
        format(refuse(sources.error_at(document.place),
                      kind.empty() ? std::string("this document is not read")
                                   : fmt::format("{} is not read", in_quotes(kind)),
                      {})));
  }
  text.config = std::move(*ours);
  return text;
}

}  // namespace

std::variant<PolicyText, ScenarioError> parse_policy_text(const Sources& sources,
                                                          std::uint32_t source,
                                                          std::string_view policy) {
  Documents documents;
  if (is_yaml(sources.at(source))) {
    auto parsed = parse_yaml(sources, source);
    if (auto* error = std::get_if<ScenarioError>(&parsed)) return std::move(*error);
    documents = std::get<Documents>(std::move(parsed));
  } else {
    auto parsed = parse_located(sources, source);
    if (auto* error = std::get_if<ScenarioError>(&parsed)) return std::move(*error);
    documents.push_back(std::get<LocatedValue>(std::move(parsed)));
  }
  documents = items_of(std::move(documents));
  if (documents.empty()) {
    return refuse(sources.error_at({source, 0}), "the file is empty", "a configuration");
  }
  if (documents.size() > 1) return choose(sources, std::move(documents), policy);
  return PolicyText{std::move(documents.front())};
}

std::variant<PolicyFile, ScenarioError> read_policy_file(const std::filesystem::path& path,
                                                         std::string_view policy) {
  auto text = reports::read_text(path);
  if (const auto* problem = std::get_if<reports::FileProblem>(&text)) {
    ScenarioError error;
    error.kind = ErrorKind::kFile;
    error.file = path.string();
    error.message = problem->message;
    return error;
  }
  PolicyFile file;
  file.name = path.string();
  file.text = std::get<std::string>(std::move(text));
  Sources sources;
  const auto source = sources.add({file.name, file.text, true});
  auto parsed = parse_policy_text(sources, source, policy);
  if (auto* error = std::get_if<ScenarioError>(&parsed)) return std::move(*error);
  auto& read = std::get<PolicyText>(parsed);
  *file.config = to_json(read.config);
  file.ignored = std::move(read.ignored);
  return file;
}

}  // namespace aftershock::sim::scenario
