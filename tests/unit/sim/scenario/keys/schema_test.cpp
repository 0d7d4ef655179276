#include "sim/scenario/keys/schema.h"

#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sim/scenario/faults/fault_catalogue.h"
#include "sim/scenario/keys/keys.h"
#include "sim/scenario/shape/check.h"
#include "sim/scenario/shape/fields.h"

namespace aftershock::sim::scenario {
namespace {

TEST(Schema, CheckedInCopyIsTheGeneratedOne) {
  std::ifstream file("scenarios/aftershock.schema.json");
  std::stringstream text;
  text << file.rdbuf();
  // Not EXPECT_EQ: it would print both.
  EXPECT_TRUE(text.str() == scenario_schema_text())
      << "write it anew: build/bin/aftershock schema > scenarios/aftershock.schema.json";
}

TEST(Schema, EveryReferenceIsDefined) {
  const auto schema = scenario_schema();
  const std::function<void(const nlohmann::ordered_json&)> visit =
      [&](const nlohmann::ordered_json& value) {
        if (value.is_object() && value.contains("$ref")) {
          const std::string place = value["$ref"].get<std::string>().substr(1);
          EXPECT_TRUE(schema.contains(nlohmann::ordered_json::json_pointer(place))) << place;
        }
        for (const auto& child : value) {
          if (child.is_structured()) visit(child);
        }
      };
  visit(schema);
}

/// Visits every object that a shape leads to.
void visit_objects(const Shape& shape, std::set<std::string>& seen,
                   const std::function<void(const ObjectShape&)>& visit) {
  const auto enter = [&](const ObjectShape& object) {
    if (!seen.insert(object.name).second) return;
    visit(object);
    for (const Key& key : object.keys) visit_objects(key.shape, seen, visit);
  };
  if (shape.form == Form::kObject) enter(*shape.object);
  if (shape.form == Form::kTagged) {
    for (const auto& variant : shape.tagged->variants) enter(variant.object());
    if (shape.tagged->without != nullptr) enter(shape.tagged->without());
  }
  for (const Shape& child : shape.children) visit_objects(child, seen, visit);
}

TEST(Keys, DefaultsPassTheirOwnCheckAndKeysAreExplained) {
  std::set<std::string> seen;
  visit_objects(shape::object(keys::scenario()), seen, [](const ObjectShape& object) {
    EXPECT_FALSE(object.meaning.empty()) << object.name;
    for (const Key& key : object.keys) {
      SCOPED_TRACE(object.name + "." + std::string(key.name));
      EXPECT_FALSE(key.meaning.empty());
      if (key.default_text.empty()) continue;
      EXPECT_FALSE(key.required);
      const LocatedValue value = default_value(key.default_text);
      Sources sources;
      sources.add({"default", std::string(key.default_text), true});
      ErrorList errors(sources, value);
      check_shape(key.shape, value, errors);
      EXPECT_TRUE(errors.empty());
    }
    for (const KeyRule& rule : object.rules) {
      for (const auto key : rule.keys) EXPECT_NE(object.find(key), nullptr) << key;
    }
  });
  EXPECT_GT(seen.size(), 30U);
}

TEST(FaultCatalogue, IsInTheOrderOfItsKindsAndComplete) {
  const auto catalogue = fault_catalogue();
  for (std::size_t i = 0; i < catalogue.size(); ++i) {
    const FaultEntry& entry = catalogue[i];
    EXPECT_EQ(static_cast<std::size_t>(entry.kind), i);
    EXPECT_FALSE(entry.name.empty() || entry.effect.empty() || entry.seen.empty() ||
                 entry.mistaken.empty() || entry.targets.empty());
  }
  EXPECT_EQ(name_of(FaultKind::kHang), "hang");
  EXPECT_EQ(name_of(TargetKind::kRank), "job/rank");
}

TEST(Phases, NamesStandInTheOrderOfThePhases) {
  EXPECT_EQ(name_of(Phase::kTraining), "training");
  EXPECT_EQ(name_of(Phase::kProvisioning), "provisioning");
  EXPECT_EQ(name_of(Phase::kCatchingUp), "catching_up");
}

}  // namespace
}  // namespace aftershock::sim::scenario
