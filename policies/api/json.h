#pragma once

#include <string>
#include <string_view>
#include <variant>

#include <nlohmann/json_fwd.hpp>

#include "policies/api/decision.h"
#include "policies/api/events.h"
#include "policies/api/issue.h"
#include "policies/api/policy.h"
#include "policies/api/view.h"

namespace aftershock::policies {

// The wire form of the messages. Structs are written and read by their `fields()`:
//   message      {"type":"workers_failed","job":0,...}, members in the order of the struct
//   rank set     [0,[3,9]]: single ranks and inclusive pairs [first,last]
//   enumeration  its word
//   optional     null when there is no value
// Times, ids and counts are integers, never negative. Written JSON is compact, has a fixed key
// order and no newline: equal values give equal bytes.

/// Appends `text` as a JSON string. Invalid UTF-8 becomes U+FFFD.
void append_json_string(std::string& out, std::string_view text);

/// Each appends its value to a line under construction.
void append_json(std::string& out, const RankSet& ranks);
void append_json(std::string& out, const Event& event);
void append_json(std::string& out, const Command& command);
void append_json(std::string& out, const Batch& batch);
void append_json(std::string& out, const Watch& watch);
void append_json(std::string& out, const Inventory& inventory);
/// `info` must be that of the policy that decided: it has the words for the decision's indices.
void append_json(std::string& out, const Decision& decision, const PolicyInfo& info);
/// The same without its braces, for an object that has members of its own.
void append_json_members(std::string& out, const Decision& decision, const PolicyInfo& info);

/// The same as a line of its own, without the newline.
std::string to_line(const RankSet& ranks);
std::string to_line(const Event& event);
std::string to_line(const Command& command);
std::string to_line(const Batch& batch);
std::string to_line(const Watch& watch);
std::string to_line(const Inventory& inventory);
std::string to_line(const Decision& decision, const PolicyInfo& info);

/// A value that was read, or the first thing that is wrong with it.
template <class Value>
using ReadResult = std::variant<Value, Issue>;

/// Strict JSON: a syntax error names the byte, a key that comes twice in an object is an error.
ReadResult<nlohmann::json> parse_json(std::string_view text);

/// Absent members take the struct's default. Unknown members and types, wrong types, negative or
/// too large numbers are errors; pointers in them are relative to `json`.
ReadResult<RankSet> rank_set_from_json(const nlohmann::json& json);
ReadResult<Event> event_from_json(const nlohmann::json& json);
ReadResult<Command> command_from_json(const nlohmann::json& json);
ReadResult<Batch> batch_from_json(const nlohmann::json& json);
ReadResult<Watch> watch_from_json(const nlohmann::json& json);
ReadResult<Inventory> inventory_from_json(const nlohmann::json& json);

/// A decision keeps no text of its own: rules, states and budgets must be in `info`, and `rejected`
/// is checked and left out.
ReadResult<Decision> decision_from_json(const nlohmann::json& json, const PolicyInfo& info);

}  // namespace aftershock::policies
