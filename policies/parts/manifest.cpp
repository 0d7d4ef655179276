#include "policies/parts/manifest.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "policies/parts/config_values.h"

namespace aftershock::policies {
namespace {

using nlohmann::json;

/// The API takes a member that is null for one that is not there.
json without_nulls(const json& value) {
  if (value.is_object()) {
    json kept = json::object();
    for (const auto& item : value.items()) {
      if (!item.value().is_null()) {
        kept[item.key()] = without_nulls(item.value());
      }
    }
    return kept;
  }
  if (value.is_array()) {
    json kept = json::array();
    for (const json& element : value) {
      kept.push_back(without_nulls(element));
    }
    return kept;
  }
  return value;
}

std::string_view group_of(std::string_view api_version) {
  return api_version.substr(0, api_version.find('/'));
}

/// Whether the manifest is of one of the kinds; what it is instead is an error.
bool is_of_kind(const json& config, std::span<const ManifestKind> kinds, Findings& findings) {
  const auto text = [&](const char* name) {
    const auto found = config.find(name);
    return found != config.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  const std::string kind = text("kind");
  const std::string group(group_of(text("apiVersion")));
  std::string expected;
  bool other_group = false;
  for (const ManifestKind& known : kinds) {
    const bool alike = !config.contains("kind") || kind == known.kind;
    if (alike && (!config.contains("apiVersion") || group == known.group)) {
      return true;
    }
    other_group = other_group || alike;
    expected += expected.empty() ? "" : ", or ";
    expected += '"' + std::string(known.kind) + "\" of " + std::string(known.group);
  }
  const char* wrong = other_group ? "apiVersion" : "kind";
  findings.errors.push_back(
      {pointer_to("/config", wrong), shown(config[wrong]), std::move(expected), {}});
  return false;
}

bool is_named(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

bool is_manifest(const json& config) {
  return config.is_object() &&
         (config.contains("spec") || config.contains("kind") || config.contains("apiVersion"));
}

void warn_no_effect(const std::string& pointer, std::string_view why, Findings& findings) {
  std::string message = "no effect here";
  if (!why.empty()) {
    message += ": " + std::string(why);
  }
  findings.warnings.push_back({pointer, std::move(message), {}, {}});
}

void warn_not_modelled(const std::string& pointer, std::string_view why, Findings& findings) {
  // Before all others: of many warnings the first are shown.
  findings.warnings.insert(
      findings.warnings.begin() + findings.loud++,
      {pointer, "not modelled here, so that recovery may differ: " + std::string(why), {}, {}});
}

void read_suspend(const std::string& pointer, const json& value, Findings& findings) {
  bool suspended = false;
  read_flag(pointer, value, suspended, findings.errors);
  if (suspended) {
    warn_not_modelled(pointer, "it starts at once, as if it had been resumed", findings);
  } else {
    warn_no_effect(pointer, {}, findings);
  }
}

void not_followed(const std::string& pointer, std::string_view key, std::string_view expected,
                  const Members& members, Findings& findings) {
  const std::string member = pointer_to(pointer, key);
  const auto loud = std::ranges::find(members.not_modelled, key, &NotModelled::name);
  if (loud != members.not_modelled.end()) {
    warn_not_modelled(member, loud->why, findings);
    return;
  }
  if (is_named(members.without_effect, key)) {
    warn_no_effect(member, {}, findings);
    return;
  }
  std::vector<std::string_view> names(members.followed.begin(), members.followed.end());
  names.insert(names.end(), members.without_effect.begin(), members.without_effect.end());
  for (const NotModelled& other : members.not_modelled) {
    names.push_back(other.name);
  }
  findings.errors.push_back(
      {member, "no such member", std::string(expected), std::string(nearest_name(key, names))});
}

ManifestSpec manifest_spec(const json& config, std::span<const ManifestKind> kinds,
                           std::span<const std::string_view> beside, Findings& findings) {
  if (config.is_null()) {
    return {};
  }
  if (!is_manifest(config)) {
    return {config, "/config"};
  }
  findings.pasted = true;
  constexpr std::array<std::string_view, 3> kRead{"apiVersion", "kind", "spec"};
  constexpr std::array<std::string_view, 2> kRest{"metadata", "status"};
  std::vector<std::string_view> read(kRead.begin(), kRead.end());
  read.insert(read.end(), beside.begin(), beside.end());
  for (const auto& item : config.items()) {
    if (!is_named(read, item.key())) {
      not_followed("/config", item.key(), "apiVersion, kind, metadata, spec and status",
                   {read, kRest}, findings);
    }
  }
  const auto spec = config.find("spec");
  ManifestSpec found{empty_object(), "/config/spec"};
  if (!is_of_kind(config, kinds, findings)) {
    return found;
  }
  if (spec == config.end()) {
    findings.errors.push_back({"/config", "the manifest has no spec", "\"spec\"", {}});
  } else {
    found.spec = without_nulls(*spec);
  }
  return found;
}

}  // namespace aftershock::policies
