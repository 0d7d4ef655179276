#include "policies/external/schema.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include <nlohmann/json.hpp>

#include "policies/api/decision.h"
#include "policies/api/events.h"
#include "policies/api/json_as_text.h"
#include "policies/api/json_reader.h"
#include "policies/api/view.h"
#include "policies/api/wire_decision.h"
#include "policies/external/messages.h"

namespace aftershock::policies::wire {
namespace {

using Form = nlohmann::ordered_json;

/// Larger numbers are not whole in every language.
constexpr std::uint64_t kLargestNumber = std::uint64_t{1} << 53U;

/// The simulator gives every member that is not sparse; a policy may leave out what has a default.
enum class Speaker : std::uint8_t { kSimulator, kPolicy };

Form refers_to(std::string_view name) { return {{"$ref", "#/$defs/" + std::string(name)}}; }

Form text_form() { return {{"type", "string"}}; }

Form list_of(Form element) { return {{"type", "array"}, {"items", std::move(element)}}; }

/// An object of these members and no other. One of a type comes first.
Form object_of(std::string_view type, const Form& members, const Form& required) {
  auto all = Form::object();
  auto needed = Form::array();
  if (!type.empty()) {
    all["type"] = {{"const", type}};
    needed.push_back("type");
  }
  all.update(members);
  for (const Form& name : required) {
    needed.push_back(name);
  }
  Form object = {{"type", "object"}, {"properties", std::move(all)}};
  if (!needed.empty()) {
    object["required"] = std::move(needed);
  }
  object["additionalProperties"] = false;
  return object;
}

/// The forms of types, by what json_reader reads and json_write writes them as. A named form is put
/// into `defs`.
template <Speaker kWho>
class Forms {
 public:
  explicit Forms(Form& defs) : defs_(defs) {}

  template <class Value>
  Form of() {
    using json_reader::IsOptional;
    using json_reader::IsVariant;
    using json_reader::IsVector;
    if constexpr (std::is_same_v<Value, bool>) {
      return {{"type", "boolean"}};
    } else if constexpr (std::is_integral_v<Value>) {
      return integer<Value>();
    } else if constexpr (std::is_enum_v<Value>) {
      return {{"enum", EnumNames<Value>::kNames}};
    } else if constexpr (std::is_same_v<Value, std::string>) {
      return text_form();
    } else if constexpr (std::is_same_v<Value, RankSet>) {
      return refers_to("ranks");
    } else if constexpr (IsOptional<Value>::value) {
      return {{"anyOf", {of<typename Value::value_type>(), {{"type", "null"}}}}};
    } else if constexpr (IsVector<Value>::value) {
      return list_of(of<typename Value::value_type>());
    } else if constexpr (IsVariant<Value>::value) {
      return one_of(static_cast<const Value*>(nullptr));
    } else {
      return object<Value>({});
    }
  }

  /// A message, or an event or command. `needed`: what a policy cannot leave out.
  template <class Message>
  Form object(std::initializer_list<std::string_view> needed) {
    auto members = Form::object();
    auto required = Form::array();
    const auto member = [&](const auto& named) {
      using Member = std::remove_cvref_t<decltype(std::declval<Message>().*named.member)>;
      members[std::string(named.name)] = of<Member>();
      const bool given = kWho == Speaker::kSimulator
                             ? !named.sparse
                             : std::ranges::find(needed, named.name) != needed.end();
      if (given) {
        required.push_back(named.name);
      }
    };
    Message::fields([&](const auto&... named) { (member(named), ...); });
    if constexpr (requires { Message::kName; }) {
      return object_of(Message::kName, members, required);
    } else {
      return object_of({}, members, required);
    }
  }

 private:
  template <class Integer>
  Form integer() {
    // As json_reader::read_integer: only exit codes and scores may be negative.
    constexpr std::int64_t kLeast =
        std::is_same_v<Integer, std::int32_t> ? std::numeric_limits<std::int32_t>::min() : 0;
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<Integer>::max());
    return {{"type", "integer"}, {"minimum", kLeast}, {"maximum", std::min(kMost, kLargestNumber)}};
  }

  template <class... Alternatives>
  Form one_of(const std::variant<Alternatives...>*) {
    const std::string kind =
        std::is_same_v<std::variant<Alternatives...>, AnyEvent> ? "event." : "command.";
    auto list = Form::array();
    const auto add = [&]<class Alternative>(std::type_identity<Alternative>) {
      const std::string name = kind + std::string(Alternative::kName);
      list.push_back(refers_to(name));
      if (!defs_.contains(name)) {
        defs_[name] = object<Alternative>({});
      }
    };
    (add(std::type_identity<Alternatives>{}), ...);
    return {{"oneOf", std::move(list)}};
  }

  Form& defs_;
};

Form ranks_form() {
  const Form rank = {
      {"type", "integer"}, {"minimum", 0}, {"maximum", std::numeric_limits<Rank>::max() - 1}};
  const Form pair = {{"type", "array"}, {"items", rank}, {"minItems", 2}, {"maxItems", 2}};
  Form form = list_of({{"oneOf", {rank, pair}}});
  form["description"] = "single ranks and inclusive pairs [first, last]";
  return form;
}

Form world_form(Forms<Speaker::kSimulator>& forms) {
  const Form policy =
      object_of({},
                {{"name", text_form()},
                 {"profile", text_form()},
                 {"config", {{"type", "object"}}},
                 {"env", {{"type", "object"}, {"additionalProperties", text_form()}}}},
                {"name", "profile", "config", "env"});
  Form form = object_of("world",
                        {{"protocol", {{"const", kNewestProtocol}}},
                         {"seed", {{"type", "string"}, {"pattern", "^[0-9]+$"}}},
                         {"only_check", {{"const", true}}},
                         {"policy", policy},
                         {"inventory", forms.of<Inventory>()}},
                        {"policy", "inventory"});
  form["oneOf"] = {{{"required", {"seed"}}}, {{"required", {"only_check"}}}};
  return form;
}

Form simulator_forms(Form& defs) {
  Forms<Speaker::kSimulator> forms(defs);
  const Form batch_members = forms.object<Batch>({})["properties"];
  const Form at = batch_members["t_us"];
  const Form ask = {
      {"oneOf",
       {object_of("ask", {{"what", {{"const", kDurable}}}, {"at_us", at}}, {"what", "at_us"}),
        object_of("ask", {{"what", {{"const", kTrials}}}}, {"what"})}}};
  const std::pair<std::string_view, Form> messages[] = {
      {"hello", forms.object<Hello>({})},
      {"world", world_form(forms)},
      {"batch", object_of("batch", batch_members, {"seq", "t_us", "events"})},
      {"ask", ask},
      {"reset", object_of("reset", Form::object(), {})},
      {"end", object_of("end", Form::object(), {})}};
  auto list = Form::array();
  for (const auto& [name, form] : messages) {
    list.push_back(refers_to(name));
    defs[std::string(name)] = form;
  }
  return {{"oneOf", std::move(list)}};
}

Form answer_form(Forms<Speaker::kPolicy>& forms) {
  return {{"oneOf",
           {object_of("answer",
                      {{"what", {{"const", kDurable}}},
                       {"durable", Form::object()},
                       {"stored_us", forms.of<std::optional<TimeUs>>()}},
                      {"durable"}),
            object_of("answer",
                      {{"what", {{"const", kTrials}}}, {"trials", forms.of<std::vector<Trial>>()}},
                      {"trials"})}}};
}

Form decide_form(Forms<Speaker::kPolicy>& forms) {
  Form members = {{"seq", forms.of<std::uint64_t>()}};
  members.update(forms.object<WireDecision>({})["properties"]);
  members.update(forms.object<Standing>({})["properties"]);
  return object_of("decide", members, {"seq"});
}

/// A name, which stands in recordings and tables as it is. Bytes count, of which a letter may be
/// several.
Form name_form(int least) {
  constexpr int kMostBytes = 200;
  return {{"type", "string"},
          {"minLength", least},
          {"maxLength", kMostBytes},
          {"pattern", R"(^[^\u0000-\u001f"\\\u007f]*$)"}};
}

Form ready_form(Forms<Speaker::kPolicy>& forms, const Form& defs) {
  constexpr int kMost = std::numeric_limits<std::uint16_t>::max();
  Form ready = forms.object<Ready>({});
  Form& members = ready["properties"];
  members["name"] = name_form(0);
  members["profile"] = name_form(0);
  members["persists"]["description"] = "since protocol 1.1";
  members["states"]["items"] = name_form(1);
  members["states"]["uniqueItems"] = true;
  for (const auto& [list, name] : {std::pair("rules", "id"), std::pair("budgets", "name")}) {
    members[list]["items"]["properties"][name] = name_form(1);
    members[list]["items"]["required"] = {name};
    members[list]["description"] = std::string("no two with one \"") + name + '"';
  }
  for (const char* list : {"states", "budgets", "rules"}) {
    members[list]["maxItems"] = kMost;
  }
  auto events = Form::array();
  for (const auto& named : defs.items()) {
    if (constexpr std::string_view kEvent = "event."; named.key().starts_with(kEvent)) {
      events.push_back(named.key().substr(kEvent.size()));
    }
  }
  members["events"]["anyOf"][0]["items"] = {{"enum", std::move(events)}};
  return ready;
}

Form policy_forms(Form& defs) {
  Forms<Speaker::kPolicy> forms(defs);
  Form refused = forms.object<Refused>({"issues"});
  refused["properties"]["issues"]["minItems"] = 1;
  const std::pair<std::string_view, Form> messages[] = {
      {"hello_ok", forms.object<HelloOk>({"protocol"})},
      {"ready", ready_form(forms, defs)},
      {"refused", std::move(refused)},
      {"decide", decide_form(forms)},
      {"answer", answer_form(forms)},
      {"reset_ok", object_of("reset_ok", Form::object(), {})},
      {"bye", object_of("bye", Form::object(), {})},
      {"error", object_of("error", {{"message", text_form()}}, {"message"})}};
  auto list = Form::array();
  for (const auto& [name, form] : messages) {
    list.push_back(refers_to(name));
    defs[std::string(name)] = form;
  }
  return {{"oneOf", std::move(list)}};
}

}  // namespace

Form messages_schema() {
  auto defs = Form::object();
  Form simulator = simulator_forms(defs);
  Form policy = policy_forms(defs);
  defs["ranks"] = ranks_form();
  auto all = Form::object();
  all["simulator"] = std::move(simulator);
  all["policy"] = std::move(policy);
  all.update(defs);
  return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
          {"title", "Messages of a policy in another process, protocol " + std::string(kProtocol) +
                        " and " + std::string(kNewestProtocol)},
          {"oneOf", {refers_to("simulator"), refers_to("policy")}},
          {"$defs", std::move(all)}};
}

std::string messages_schema_text() {
  return text_from_json(messages_schema(), {.indent = 1}) + "\n";
}

}  // namespace aftershock::policies::wire
