#include "gui/compare/scenario_difference.h"

#include <set>
#include <string_view>

#include <fmt/format.h>

#include "reports/json/json_value.h"

namespace aftershock::gui {

namespace {

/// Of two policies the configurations have nothing to do with each other.
bool is_another_policy(const reports::JsonValue& a, const reports::JsonValue& b,
                       std::string_view at) {
  return at.ends_with("/policy") && reports::text_in(a, "name") != reports::text_in(b, "name");
}

/// Notes the pointers below `at` under which two values differ.
class Walk {
 public:
  Walk(ScenarioDifference& out, std::size_t most) : out_(out), most_(most) {}

  // As deep as `parsed` lets a text be nested.
  void compare(const reports::JsonValue& a, const reports::JsonValue& b, const std::string& at) {
    if (a == b) {
      return;
    }
    if (a.is_object() && b.is_object() && !is_another_policy(a, b, at)) {
      std::set<std::string_view> keys;
      for (const reports::JsonValue* each : {&a, &b}) {
        for (const auto& item : each->items()) {
          keys.insert(item.key());
        }
      }
      for (const std::string_view key : keys) {
        // Of the file, not of what it describes.
        if (key == "$schema") {
          continue;
        }
        const std::string name(key);
        compare(reports::part(a, name.c_str()), reports::part(b, name.c_str()), at + "/" + name);
      }
    } else if (a.is_array() && b.is_array() && a.size() == b.size()) {
      for (std::size_t i = 0; i < a.size(); ++i) {
        compare(a[i], b[i], fmt::format("{}/{}", at, i));
      }
    } else if (out_.pointers.size() < most_) {
      out_.pointers.push_back(at.empty() ? "/" : at);
    } else {
      ++out_.more;
    }
  }

 private:
  ScenarioDifference& out_;
  std::size_t most_;
};

}  // namespace

ScenarioDifference compare_scenarios(const reports::RecordingHeader& a,
                                     const reports::RecordingHeader& b, std::size_t most) {
  ScenarioDifference out;
  if (a.scenario_json == b.scenario_json) {
    return out;
  }
  const reports::JsonValue in_a = reports::parsed(a.scenario_json);
  const reports::JsonValue in_b = reports::parsed(b.scenario_json);
  out.is_known = in_a.is_object() && !in_a.empty() && in_b.is_object() && !in_b.empty();
  if (out.is_known) {
    Walk(out, most).compare(in_a, in_b, {});
  }
  return out;
}

}  // namespace aftershock::gui
