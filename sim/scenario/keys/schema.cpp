#include "sim/scenario/keys/schema.h"

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "sim/scenario/keys/keys.h"
#include "sim/scenario/shape/shape.h"

namespace aftershock::sim::scenario {
namespace {

using Json = nlohmann::ordered_json;

// A schema no longer than this is as short as a reference to it.
constexpr std::size_t kShort = 80;

Json required(std::string_view key) { return {{"required", Json::array({key})}}; }

Json reference(std::string_view name) { return {{"$ref", "#/$defs/" + std::string(name)}}; }

/// Makes the schema, gathering definitions as it meets what they define.
class SchemaWriter {
 public:
  Json of_object(const ObjectShape& object);
  /// The shape of a merge patch over such an object.
  Json of_patch(const ObjectShape& object);
  [[nodiscard]] Json take_definitions() { return std::move(definitions_); }

 private:
  Json of(const Shape& shape);
  Json of_patch_value(const Shape& shape);
  Json of_number(const Shape& shape);
  Json of_list(const Shape& shape);
  Json of_tagged(const TaggedShape& tagged);
  static void add_rule(const KeyRule& rule, Json& schema);

  /// The definition of this name, made on first use.
  template <class Make>
  Json defined(std::string_view name, Make make) {
    if (!definitions_.contains(name)) {
      definitions_[std::string(name)] = nullptr;  // keeps the order of first mention
      Json made = make();
      definitions_[std::string(name)] = std::move(made);
    }
    return reference(name);
  }

  Json definitions_ = Json::object();
  std::map<std::string, std::string> properties_;  ///< as text, and where each stands first
};

Json SchemaWriter::of_number(const Shape& shape) {
  Json schema{{"type", "number"}};
  if (!std::isinf(shape.low)) schema[shape.above_low ? "exclusiveMinimum" : "minimum"] = shape.low;
  if (!std::isinf(shape.high)) schema["maximum"] = shape.high;
  return schema;
}

Json SchemaWriter::of_list(const Shape& shape) {
  Json schema{{"type", "array"}, {"items", of(shape.children.front())}};
  if (shape.least > 0) schema["minItems"] = shape.least;
  if (shape.most != std::numeric_limits<std::uint64_t>::max()) schema["maxItems"] = shape.most;
  return schema;
}

Json SchemaWriter::of(const Shape& shape) {
  switch (shape.form) {
    case Form::kText:
      return {{"type", "string"}};
    case Form::kWord:
      if (shape.words.size() == 1) return {{"const", shape.words.front()}};
      return {{"enum", shape.words}};
    case Form::kLexical:
      return defined(shape.lexical->name, [&] {
        return Json{{"description", shape.lexical->phrase},
                    {"type", "string"},
                    {"pattern", shape.lexical->pattern}};
      });
    case Form::kBoolean:
      return {{"type", "boolean"}};
    case Form::kFalse:
      return {{"const", false}};
    case Form::kInteger:
      return {{"type", "integer"}, {"minimum", shape.least}, {"maximum", shape.most}};
    case Form::kNumber:
      return of_number(shape);
    case Form::kObject:
      return defined(shape.object->name, [&] { return of_object(*shape.object); });
    case Form::kTagged:
      return defined(shape.tagged->name, [&] { return of_tagged(*shape.tagged); });
    case Form::kList:
      return of_list(shape);
    case Form::kMap: {
      Json schema{{"type", "object"}, {"maxProperties", shape.most}};
      if (shape.children.front().form != Form::kAny) {
        schema["additionalProperties"] = of(shape.children.front());
      }
      return schema;
    }
    case Form::kAny:
      return Json::object();
    case Form::kEither: {
      Json any = Json::array();
      for (const Shape& child : shape.children) any.push_back(of(child));
      return {{"anyOf", std::move(any)}};
    }
  }
  return {};
}

/// The variant is chosen by the key, so that an editor complains about the right one.
Json SchemaWriter::of_tagged(const TaggedShape& tagged) {
  Json words = Json::array();
  Json branches = Json::array();
  for (const TaggedShape::Variant& variant : tagged.variants) {
    words.push_back(variant.word);
    Json condition = required(tagged.key);
    condition["properties"] = {{tagged.key, {{"const", variant.word}}}};
    const ObjectShape& object = variant.object();
    branches.push_back({{"if", std::move(condition)},
                        {"then", defined(object.name, [&] { return of_object(object); })}});
  }
  Json schema{{"description", tagged.meaning}, {"type", "object"}};
  schema["properties"] = {{tagged.key, {{"enum", std::move(words)}}}};
  if (tagged.without == nullptr) {
    schema["required"] = Json::array({tagged.key});
  } else {
    branches.push_back(
        {{"if", {{"not", required(tagged.key)}}},
         {"then", defined(tagged.without().name, [&] { return of_object(tagged.without()); })}});
  }
  schema["allOf"] = std::move(branches);
  return schema;
}

void SchemaWriter::add_rule(const KeyRule& rule, Json& schema) {
  Json alternatives = Json::array();
  for (std::size_t i = 0; i < rule.keys.size(); ++i) {
    const bool about_the_others =
        rule.kind == KeyRule::Kind::kExcludes || rule.kind == KeyRule::Kind::kNeeds;
    if (!about_the_others || i > 0) alternatives.push_back(required(rule.keys[i]));
  }
  Json rules = Json::object();
  switch (rule.kind) {
    case KeyRule::Kind::kExactlyOne:
      rules = {{"oneOf", std::move(alternatives)}};
      break;
    case KeyRule::Kind::kAtLeastOne:
      rules = {{"anyOf", std::move(alternatives)}};
      break;
    case KeyRule::Kind::kExcludes:
      rules = {{"if", required(rule.keys.front())},
               {"then", {{"not", {{"anyOf", std::move(alternatives)}}}}}};
      break;
    case KeyRule::Kind::kNeeds:
      rules = {{"if", required(rule.keys.front())}, {"then", {{"anyOf", std::move(alternatives)}}}};
      break;
  }
  schema["allOf"].push_back(std::move(rules));
}

Json SchemaWriter::of_object(const ObjectShape& object) {
  Json schema{{"description", object.meaning}, {"type", "object"}};
  Json needed = Json::array();
  Json properties = Json::object();
  for (const Key& key : object.keys) {
    Json property{{"description", key.meaning}};
    property.update(of(key.shape));
    property["description"] = key.meaning;
    if (!key.default_text.empty())
      property["default"] = policies::json_from_text<Json>(key.default_text);
    // Members that all faults share stand there once.
    const auto [first, is_new] =
        properties_.emplace(policies::text_from_json(property),
                            fmt::format("#/$defs/{}/properties/{}", object.name, key.name));
    if (!is_new && first->first.size() > kShort) property = {{"$ref", first->second}};
    properties[std::string(key.name)] = std::move(property);
    if (key.required) needed.push_back(key.name);
  }
  schema["properties"] = std::move(properties);
  if (!needed.empty()) schema["required"] = std::move(needed);
  schema["additionalProperties"] = false;
  for (const KeyRule& rule : object.rules) add_rule(rule, schema);
  return schema;
}

/// Objects are merged, so a patch of one may leave anything out; all other values replace the old
/// one whole. Keys that must not stand together may: the base's is replaced or removed.
Json SchemaWriter::of_patch_value(const Shape& shape) {
  switch (shape.form) {
    case Form::kObject:
      return defined("patch_of_" + shape.object->name, [&] { return of_patch(*shape.object); });
    case Form::kMap: {
      Json schema = of(shape);
      if (schema.contains("additionalProperties")) {
        schema["additionalProperties"] = {
            {"anyOf", Json::array({Json{{"type", "null"}}, schema["additionalProperties"]})}};
      }
      return schema;
    }
    case Form::kEither: {
      Json any = Json::array();
      for (const Shape& child : shape.children) any.push_back(of_patch_value(child));
      return {{"anyOf", std::move(any)}};
    }
    default:
      return of(shape);
  }
}

Json SchemaWriter::of_patch(const ObjectShape& object) {
  Json schema{{"description", object.meaning}, {"type", "object"}};
  Json properties = Json::object();
  for (const Key& key : object.keys) {
    Json property{{"description", key.meaning}};
    property["anyOf"] = Json::array({Json{{"type", "null"}}, of_patch_value(key.shape)});
    properties[std::string(key.name)] = std::move(property);
  }
  schema["properties"] = std::move(properties);
  schema["additionalProperties"] = {{"type", "null"}};  // removes what may not be there
  return schema;
}

}  // namespace

nlohmann::ordered_json scenario_schema() {
  SchemaWriter writer;
  Json whole = writer.of_object(keys::scenario());
  // A file that extends another one is a patch: any part of it may be missing, or null to remove
  // what is there. Only what comes out of the merge is a scenario.
  Json patch = writer.of_patch(keys::scenario());
  patch["description"] = "Changes to the scenario that it extends.";
  patch["properties"]["extends"] = {{"description", keys::scenario().find("extends")->meaning},
                                    {"type", "string"},
                                    {"minLength", 1}};
  Json definitions{{"scenario", std::move(whole)}, {"patch", std::move(patch)}};
  definitions.update(writer.take_definitions());
  return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
          {"title", "Aftershock scenario"},
          {"if", {{"type", "object"}, {"required", Json::array({"extends"})}}},
          {"then", reference("patch")},
          {"else", reference("scenario")},
          {"$defs", std::move(definitions)}};
}

std::string scenario_schema_text() {
  return policies::text_from_json(scenario_schema(), {.indent = 1}) + "\n";
}

}  // namespace aftershock::sim::scenario
