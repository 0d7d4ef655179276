#include <string>
#include <utility>

#include "sim/scenario/faults/fault_catalogue.h"
#include "sim/scenario/keys/keys.h"
#include "sim/scenario/shape/lexicals.h"

namespace aftershock::sim::keys {
namespace {

using Kind = KeyRule::Kind;

Key kind_key(std::string_view name) {
  return {"kind", shape::word({name}), true, "",
          "The kind of fault; `aftershock faults` lists them."};
}

/// Keys that every fault may have, whatever its kind.
std::vector<Key> common_keys() {
  return {{"id", shape::lexical(lexicals::name()), false, "",
           "How recordings and summaries call it, and by which its draws are made. Default: "
           "KIND@TARGET, and a number where an earlier fault has that."},
          {"target", shape::lexical(lexicals::target()), true, "", "The target that it strikes."},
          {"at", shape::lexical(lexicals::duration()), false, "", "When it strikes."},
          {"at_step", shape::integer(1, 1'000'000'000'000), false, "",
           "In the training of the job, or of a trial, at the end of this step. Steps are counted "
           "from the start of the training, once each: not from where an attempt or a run took it "
           "up. A run that starts behind the step is not struck."},
          {"every_attempt", shape::boolean(), false, "false",
           "With at_step: in every attempt that gets there, a poison step."},
          {"when", shape::object(phase_trigger()), false, "", "When the job enters a phase."},
          {"source", shape::object(source()), false, "", "At random, again and again."},
          {"require", shape::word({"fired", "detected", "caused_restart"}), false, "",
           "The required consequence, for the run to be valid."}};
}

std::vector<KeyRule> common_rules() {
  return {{Kind::kExactlyOne, {"at", "at_step", "when", "source"}},
          {Kind::kNeeds, {"every_attempt", "at_step"}}};
}

Key label_key() {
  return {"label", shape::text(), false, "", "Its name in reports. Default: its kind."};
}

ObjectShape fault_of(const FaultEntry& entry) {
  ObjectShape object{"fault_" + std::string(entry.name), entry.effect, {}, common_rules()};
  object.keys.push_back(kind_key(entry.name));
  object.keys.push_back(label_key());
  for (Key& key : common_keys()) object.keys.push_back(std::move(key));
  for (const Key& key : entry.parameters) object.keys.push_back(key);
  return object;
}

ObjectShape cause_of(const FaultEntry& entry) {
  ObjectShape object{"cause_" + std::string(entry.name), entry.effect, {}, {}};
  object.keys.push_back(kind_key(entry.name));
  object.keys.push_back(label_key());
  object.keys.push_back({"weight", shape::number_above(0, 1e12), false, "1",
                         "Its share of the process, against those of the others."});
  for (const Key& key : entry.parameters) object.keys.push_back(key);
  return object;
}

std::vector<TaggedShape::Variant> variants(const std::vector<ObjectShape>& objects) {
  std::vector<TaggedShape::Variant> variants;
  variants.reserve(objects.size());
  for (std::size_t i = 0; i < objects.size(); ++i) {
    variants.push_back({fault_catalogue()[i].name, &objects[i]});
  }
  return variants;
}

std::vector<ObjectShape> of_every_kind(ObjectShape (*make)(const FaultEntry&)) {
  std::vector<ObjectShape> objects;
  objects.reserve(fault_catalogue().size());
  for (const FaultEntry& entry : fault_catalogue()) objects.push_back(make(entry));
  return objects;
}

/// A fault without a kind of its own: several causes share one process.
const ObjectShape& fault_of_causes() {
  static const ObjectShape kObject = [] {
    ObjectShape made{"fault_of_causes",
                     "Several causes share one random process, by their weights.", common_keys(),
                     common_rules()};
    made.keys.push_back({"causes", shape::list(shape::tagged(cause()), 1, kMostThings), true, "",
                         "The faults that it may cause; one is drawn each time."});
    made.rules.push_back({Kind::kNeeds, {"causes", "source"}});
    return made;
  }();
  return kObject;
}

}  // namespace

const TaggedShape& fault() {
  static const std::vector<ObjectShape> kObjects = of_every_kind(fault_of);
  static const TaggedShape kTagged{"fault",
                                   "Something that breaks.",
                                   "kind",
                                   variants(kObjects),
                                   &fault_of_causes(),
                                   unknown_fault_kind,
                                   "causes"};
  return kTagged;
}

const TaggedShape& cause() {
  static const std::vector<ObjectShape> kObjects = of_every_kind(cause_of);
  static const TaggedShape kTagged{"cause", "One of the causes that share a process.",
                                   "kind",  variants(kObjects),
                                   nullptr, unknown_fault_kind};
  return kTagged;
}

const ObjectShape& phase_trigger() {
  static const ObjectShape kObject{
      "phase_trigger",
      "When a job enters a phase.",
      {{"enter", shape::words({kPhaseNames.begin(), kPhaseNames.end()}), true, "", "The phase."},
       {"nth", shape::integer(1, 1'000'000), false, "1", "Which time."},
       {"offset",
        shape::either(
            {shape::lexical(lexicals::duration()), shape::lexical(lexicals::percentage())}),
        false, "\"0s\"", "How long after that, or after which share of the phase."},
       {"job", shape::lexical(lexicals::name()), false, "",
        "The job whose phase it is. Default: the target's job, or the only one."}},
      {}};
  return kObject;
}

}  // namespace aftershock::sim::keys
