#include "policies/ray_tune/stored_experiment.h"

#include <algorithm>
#include <limits>

#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"

namespace aftershock::policies::ray_tune {
namespace {

using nlohmann::json;

json or_null(const auto& value) { return value ? json(*value) : json(); }

json trial_json(const Trial& trial, std::uint32_t number) {
  json object = {{"trial", number},
                 {"id", trial_id(trial, number)},
                 {"session", trial.session},
                 {"status", name_of(trial.status)},
                 {"num_failures", trial.counts.num_failures},
                 {"max_failures", trial.max_failures},
                 {"checkpoint", or_null(trial.checkpoint)},
                 {"iteration", trial.iteration},
                 {"last_result_us", or_null(trial.last_result_us)}};
  if (!trial.kept.empty()) {
    object["kept"] = trial.kept;
  }
  return object;
}

/// Reads members of one object; anything unexpected makes all of it unreadable.
class Reader {
 public:
  explicit Reader(const json& object) : object_(object), ok_(object.is_object()) {}

  template <class Integer>
  void integer(const char* name, Integer& out) {
    const json* value = member(name);
    if (value == nullptr || !value->is_number_integer()) {
      ok_ = false;
      return;
    }
    if constexpr (std::is_unsigned_v<Integer>) {
      if (!value->is_number_unsigned() ||
          value->get<std::uint64_t>() > std::numeric_limits<Integer>::max()) {
        ok_ = false;
        return;
      }
    }
    out = value->get<Integer>();
  }

  template <class Integer>
  void optional(const char* name, std::optional<Integer>& out) {
    const json* value = member(name);
    if (value != nullptr && !value->is_null()) {
      integer(name, out.emplace());
    }
  }

  void status(TrialStatus& out) {
    const json* value = member("status");
    const auto& names = EnumNames<TrialStatus>::kNames;
    const auto* found = names.end();
    if (value != nullptr && value->is_string()) {
      found = std::find(names.begin(), names.end(), value->get_ref<const std::string&>());
    }
    ok_ = ok_ && found != names.end();
    if (ok_) {
      out = static_cast<TrialStatus>(found - names.begin());
    }
  }

  template <class Value>
  void list(const char* name, bool needed, std::vector<Value>& out) {
    const json* value = member(name);
    if (value == nullptr) {
      ok_ = ok_ && !needed;
      return;
    }
    const auto fits = [](const json& entry) {
      return std::is_same_v<Value, std::string> ? entry.is_string() : entry.is_number_unsigned();
    };
    ok_ = ok_ && value->is_array() && std::all_of(value->begin(), value->end(), fits);
    if (ok_) {
      out = value->get<std::vector<Value>>();
    }
  }

  void text(const char* name, std::string& out) {
    const json* value = member(name);
    ok_ = ok_ && value != nullptr && value->is_string();
    if (ok_) {
      out = value->get<std::string>();
    }
  }

  [[nodiscard]] const json* member(const char* name) const {
    if (!ok_) {
      return nullptr;
    }
    const auto found = object_.find(name);
    return found == object_.end() ? nullptr : &*found;
  }
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  const json& object_;
  bool ok_;
};

std::optional<Trial> read_trial(const json& object, std::uint32_t number) {
  Trial trial;
  std::uint32_t read_number = 0;
  Reader reader(object);
  reader.integer("trial", read_number);
  reader.integer("session", trial.session);
  reader.status(trial.status);
  reader.integer("num_failures", trial.counts.num_failures);
  reader.integer("max_failures", trial.max_failures);
  reader.optional("checkpoint", trial.checkpoint);
  reader.list("kept", false, trial.kept);
  reader.integer("iteration", trial.iteration);
  reader.optional("last_result_us", trial.last_result_us);
  return reader.ok() && read_number == number ? std::optional(std::move(trial)) : std::nullopt;
}

std::optional<StoredTuner> read_tuner(const json& object) {
  StoredTuner tuner;
  Reader reader(object);
  reader.text("trainable", tuner.trainable);
  reader.list("param_space", true, tuner.param_space);
  reader.list("object_refs", true, tuner.object_refs);
  return reader.ok() ? std::optional(std::move(tuner)) : std::nullopt;
}

std::optional<StoredState> read_state(const json& object) {
  StoredState state;
  Reader reader(object);
  reader.integer("session", state.session);
  reader.integer("num_samples", state.num_samples);
  const json* trials = reader.member("trials");
  if (trials == nullptr || !trials->is_array() || trials->size() > state.num_samples) {
    return std::nullopt;
  }
  for (const json& entry : *trials) {
    auto trial = read_trial(entry, static_cast<std::uint32_t>(state.trials.size()));
    if (!trial) {
      return std::nullopt;
    }
    state.trials.push_back(*std::move(trial));
  }
  return state;
}

}  // namespace

StoredExperiment read_stored(std::string_view durable) {
  const json object = json_or_discarded<json>(durable);
  if (!object.is_object() || !object.contains("tuner")) {
    return {};
  }
  StoredExperiment stored;
  stored.tuner = read_tuner(object["tuner"]);
  if (object.contains("experiment_state")) {
    stored.state = read_state(object["experiment_state"]);
  }
  return stored;
}

std::string unreadable_pickle(std::string_view file) {
  std::string text = "EOFError: ";
  text += file;
  return text +
         " is empty or cut short, and nothing writes it again; begin anew under another "
         "name, from the latest checkpoint";
}

std::string unreadable_state(const json& durable) {
  const bool there = durable.is_object() && durable.contains("experiment_state") &&
                     !durable["experiment_state"].is_null();
  return there ? "json.JSONDecodeError: the newest experiment_state-*.json is cut short; remove it "
                 "where an older one is left, or switch fail_fast off to start afresh"
               : "ValueError: the path holds no experiment_state-*.json; begin anew with fit()";
}

json to_json(const StoredTuner& tuner) {
  return {{"trainable", tuner.trainable},
          {"param_space", tuner.param_space},
          {"object_refs", tuner.object_refs}};
}

json to_json(const StoredState& state) {
  json trials = json::array();
  for (std::uint32_t number = 0; number < state.trials.size(); ++number) {
    trials.push_back(trial_json(state.trials[number], number));
  }
  return {{"session", state.session},
          {"num_samples", state.num_samples},
          {"trials", std::move(trials)}};
}

}  // namespace aftershock::policies::ray_tune
