#include "sim/scenario/read/compose.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "policies/registry.h"
#include "reports/recording/open_file.h"
#include "sim/scenario/read/elastic_size.h"

namespace aftershock::sim::scenario {
namespace {

constexpr std::size_t kLongestChain = 16;

/// The files that led to the one being read, outermost first.
struct Chain {
  std::vector<std::string> names;
  std::vector<std::filesystem::path> paths;
  bool may_extend = true;
};

std::filesystem::path identity(const std::filesystem::path& path) {
  std::error_code code;
  auto canonical = std::filesystem::weakly_canonical(path, code);
  return code ? path : canonical;
}

ScenarioError error_at(const Sources& sources, const LocatedValue& value, ErrorKind kind,
                       std::string pointer, TextProblem problem) {
  ScenarioError error = sources.error_at(value.place);
  error.kind = kind;
  error.pointer = std::move(pointer);
  error.message = std::move(problem.message);
  error.expected = std::move(problem.expected);
  return error;
}

std::variant<LocatedValue, ScenarioError> load(Sources& sources, std::uint32_t source,
                                               Chain& chain);

/// The file that `extends` names, read and merged with those that it extends itself.
std::variant<LocatedValue, ScenarioError> load_base(Sources& sources, const LocatedValue& extends,
                                                    Chain& chain) {
  const auto refuse = [&](std::string message, std::string expected,
                          ErrorKind kind = ErrorKind::kFile) {
    return error_at(sources, extends, kind, "/extends",
                    {std::move(message), std::move(expected), {}});
  };
  if (!chain.may_extend) {
    return refuse("a recorded scenario is whole, and reads no other file", "no extends");
  }
  const auto* written = extends.get_if<std::string>();
  if (written == nullptr || written->empty()) {
    return refuse(written == nullptr ? fmt::format("is {}", type_phrase(extends)) : "is empty",
                  "the name of a scenario file", ErrorKind::kForm);
  }
  if (written->find('\0') != std::string::npos) {
    return refuse("holds a zero byte, at which the name of a file would end",
                  "the name of a scenario file", ErrorKind::kMeaning);
  }
  const std::filesystem::path base =
      (std::filesystem::path(chain.names.back()).parent_path() / *written).lexically_normal();
  const std::filesystem::path id = identity(base);
  std::vector<std::string> names = chain.names;
  names.push_back(base.string());
  if (std::find(chain.paths.begin(), chain.paths.end(), id) != chain.paths.end()) {
    return refuse(fmt::format("extends in a circle: {}", fmt::join(names, " -> ")),
                  "a file that does not lead back here");
  }
  if (chain.paths.size() == kLongestChain) {
    return refuse("too many files extend each other", fmt::format("at most {}", kLongestChain));
  }
  auto text = reports::read_text(base);
  if (const auto* problem = std::get_if<reports::FileProblem>(&text)) {
    return refuse(fmt::format("{} {}", in_quotes(base.string()), problem->message),
                  "a scenario file, relative to this one");
  }
  const std::uint32_t source =
      sources.add({base.string(), std::move(std::get<std::string>(text)), true});
  chain.names = std::move(names);
  chain.paths.push_back(id);
  return load(sources, source, chain);
}

std::variant<LocatedValue, ScenarioError> load(Sources& sources, std::uint32_t source,
                                               Chain& chain) {
  auto parsed = parse_located(sources, source);
  auto* root = std::get_if<LocatedValue>(&parsed);
  if (root == nullptr) return parsed;
  auto* members = root->get_if<LocatedValue::Members>();
  if (members == nullptr) {
    return error_at(sources, *root, ErrorKind::kForm, "",
                    {fmt::format("the file holds {}", type_phrase(*root)), "an object", {}});
  }
  const auto extends =
      std::find_if(members->begin(), members->end(),
                   [](const LocatedMember& member) { return member.key == "extends"; });
  if (extends == members->end()) return parsed;
  auto base = load_base(sources, extends->value, chain);
  members->erase(extends);
  if (auto* tree = std::get_if<LocatedValue>(&base)) merge_patch(*tree, std::move(*root));
  return base;
}

/// Replaces a member's value, or adds the member.
void put(LocatedValue& object, std::string_view key, Place key_place, LocatedValue value) {
  if (LocatedValue* old = object.find(key)) {
    *old = std::move(value);
  } else {
    std::get<LocatedValue::Members>(object.data)
        .push_back({std::string(key), key_place, std::move(value)});
  }
}

/// The subjects that a policy decides for; one that is not shipped could be meant for either.
bool may_decide_for(const PolicySpec& policy, policies::Subject subject) {
  const auto entries = policies::shipped_policies();
  return std::ranges::none_of(entries, [&](const policies::PolicyEntry& entry) {
    return entry.name == policy.name && entry.subject != subject;
  });
}

/// The settings that a job's policy gets from another one that replaces it: those that were given
/// with it, else the job's own where that was of the same name, else those of its preset, in the
/// sizes that the job may have.
std::optional<LocatedValue> config_for(const LocatedValue& root, const LocatedValue& job,
                                       const PolicySpec& policy,
                                       const std::optional<LocatedValue>& given, Place place) {
  // A file without a setting asks for the defaults, and not for another's settings.
  if (given || !policy.config->empty()) {
    return given ? *given : located(*policy.config, place);
  }
  if (const LocatedValue* own = job.find("policy"); own != nullptr && policy.preset.empty()) {
    const LocatedValue* name = own->find("name");
    const auto* text = name == nullptr ? nullptr : name->get_if<std::string>();
    if (text != nullptr && *text == policy.name) {
      const LocatedValue* config = own->find("config");
      return config == nullptr ? std::nullopt : std::optional(*config);
    }
  }
  const policies::PolicyEntry* entry = policies::shipped_policy(policy.name);
  const policies::Preset* preset =
      entry == nullptr ? nullptr : policies::find_preset(*entry, policy.preset);
  nlohmann::json config = preset == nullptr || preset->name == "defaults"
                              ? nlohmann::json::object()
                              : policies::json_from_text<nlohmann::json>(preset->config);
  if (policy.preset.empty()) {
    keep_elastic_size(root, job, policy, config);
  }
  return config.empty() ? std::nullopt : std::optional(located(config, place));
}

/// The configuration of a file with its places; none: it is from elsewhere.
std::optional<LocatedValue> config_of_file(Sources& sources, const ReadOptions& options) {
  if (!options.policy_file) return std::nullopt;
  const PolicyFile& file = *options.policy_file;
  const auto source = sources.add({file.name, file.text, true});
  auto parsed = parse_policy_text(sources, source, options.policy->name);
  auto* text = std::get_if<PolicyText>(&parsed);
  return text == nullptr ? std::nullopt : std::optional(std::move(text->config));
}

void replace_policies(LocatedValue& root, std::string_view key, const PolicySpec& policy,
                      const std::optional<LocatedValue>& given, Place place) {
  LocatedValue* jobs = root.find(key);
  auto* list = jobs == nullptr ? nullptr : jobs->get_if<LocatedValue::List>();
  if (list == nullptr) return;  // the check of the whole will say what is wrong with it
  nlohmann::json json{{"name", policy.name}};
  if (!policy.profile.empty()) json["profile"] = policy.profile;
  for (LocatedValue& job : *list) {
    if (job.get_if<LocatedValue::Members>() != nullptr) {
      auto config = config_for(root, job, policy, given, place);
      LocatedValue replaced = located(json, place);
      if (config) put(replaced, "config", place, *std::move(config));
      put(job, "policy", place, std::move(replaced));
    }
  }
}

}  // namespace

void merge_patch(LocatedValue& target, LocatedValue patch) {
  auto* changes = patch.get_if<LocatedValue::Members>();
  if (changes == nullptr) {
    target = std::move(patch);
    return;
  }
  if (target.get_if<LocatedValue::Members>() == nullptr) target.data = LocatedValue::Members{};
  // A missing member of a merged object is best looked for where the object was last written.
  target.place = patch.place;
  auto& members = std::get<LocatedValue::Members>(target.data);
  for (LocatedMember& change : *changes) {
    const auto old = std::find_if(members.begin(), members.end(), [&](const LocatedMember& member) {
      return member.key == change.key;
    });
    if (change.value.is_null()) {
      if (old != members.end()) members.erase(old);
    } else if (old != members.end()) {
      old->place = change.place;
      merge_patch(old->value, std::move(change.value));
    } else {
      LocatedMember added{std::move(change.key), change.place, {}};
      merge_patch(added.value, std::move(change.value));
      members.push_back(std::move(added));
    }
  }
}

std::variant<LocatedValue, ScenarioError> compose(Sources& sources, std::uint32_t main,
                                                  const ReadOptions& options) {
  Chain chain;
  chain.may_extend = options.may_extend;
  chain.names.push_back(sources.at(main).name);
  chain.paths.push_back(identity(sources.at(main).name));
  auto loaded = load(sources, main, chain);
  auto* root = std::get_if<LocatedValue>(&loaded);
  if (root == nullptr) return loaded;
  if (options.policy) {
    const std::uint32_t source = sources.add({options.policy_from, {}, false});
    const auto given = config_of_file(sources, options);
    // A scenario may hold jobs and experiments; where it holds only what the policy does not
    // decide for, it is put there all the same, for the check to say so.
    const bool for_jobs = may_decide_for(*options.policy, policies::Subject::kJob);
    const bool for_experiments = may_decide_for(*options.policy, policies::Subject::kExperiment);
    if (for_jobs || root->find("experiments") == nullptr) {
      replace_policies(*root, "jobs", *options.policy, given, {source, 0});
    }
    if (for_experiments || root->find("jobs") == nullptr) {
      replace_policies(*root, "experiments", *options.policy, given, {source, 0});
    }
  }
  for (const std::string& set : options.sets) {
    if (auto error = apply_set(*root, set, sources)) return std::move(*error);
  }
  if (options.seed) {
    const std::uint32_t source = sources.add({"--seed", {}, false});
    put(*root, "seed", {source, 0}, located(*options.seed, {source, 0}));
  }
  return loaded;
}

}  // namespace aftershock::sim::scenario
