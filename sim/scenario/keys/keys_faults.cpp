#include <cstddef>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "sim/scenario/faults/fault_catalogue.h"
#include "sim/scenario/keys/keys.h"
#include "sim/scenario/shape/lexicals.h"

namespace aftershock::sim::scenario::keys {
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

/// The objects of all kinds, each made when a file first has it: to make them all is a fifth of the
/// work of reading a small one.
class OfEveryKind {
 public:
  explicit OfEveryKind(ObjectShape (*make)(const FaultEntry&))
      : make_(make), made_(fault_catalogue().size()) {}

  const ObjectShape& at(std::size_t kind) const {
    Once& once = made_.at(kind);
    std::call_once(once.flag, [&] { once.object = make_(fault_catalogue()[kind]); });
    return once.object;
  }

 private:
  struct Once {
    std::once_flag flag;
    ObjectShape object;
  };

  ObjectShape (*make_)(const FaultEntry&);
  mutable std::vector<Once> made_;
};

const ObjectShape& fault_at(std::size_t kind) {
  static const OfEveryKind kObjects(fault_of);
  return kObjects.at(kind);
}

const ObjectShape& cause_at(std::size_t kind) {
  static const OfEveryKind kObjects(cause_of);
  return kObjects.at(kind);
}

std::vector<TaggedShape::Variant> variants(const ObjectShape& (*make)(std::size_t)) {
  std::vector<TaggedShape::Variant> variants;
  variants.reserve(fault_catalogue().size());
  for (const FaultEntry& entry : fault_catalogue()) {
    variants.push_back({entry.name, make, variants.size()});
  }
  return variants;
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
  static const TaggedShape kTagged{
      "fault",         "Something that breaks.", "kind",  variants(fault_at),
      fault_of_causes, unknown_fault_kind,       "causes"};
  return kTagged;
}

const TaggedShape& cause() {
  static const TaggedShape kTagged{"cause", "One of the causes that share a process.",
                                   "kind",  variants(cause_at),
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

}  // namespace aftershock::sim::scenario::keys
