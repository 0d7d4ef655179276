#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <nlohmann/json.hpp>

#include "base/assert.h"
#include "policies/api/case_runner.h"
#include "policies/api/config.h"
#include "policies/api/json.h"
#include "policies/registry.h"

using namespace aftershock::policies;

namespace {

/// A policy with this configuration; with none when it is refused.
std::unique_ptr<Policy> policy_with(std::string_view config) {
  PolicyRequest request;
  request.name = "ray_train";
  auto json = parse_json(config);
  if (auto* read = std::get_if<nlohmann::json>(&json)) {
    *request.config = std::move(*read);
    if (auto made = make_policy(request); std::holds_alternative<ConfiguredPolicy>(made)) {
      return std::move(std::get<ConfiguredPolicy>(made).policy);
    }
    *request.config = nlohmann::json::object();
  }
  auto made = make_policy(request);
  return std::move(std::get<ConfiguredPolicy>(made).policy);
}

/// A message that is read and written again is read as the same.
void check_round_trip(std::string_view line) {
  const auto json = parse_json(line);
  if (!std::holds_alternative<nlohmann::json>(json)) {
    return;
  }
  const auto batch = batch_from_json(std::get<nlohmann::json>(json));
  if (!std::holds_alternative<Batch>(batch)) {
    return;
  }
  const std::string written = to_line(std::get<Batch>(batch));
  const auto again = batch_from_json(std::get<nlohmann::json>(parse_json(written)));
  AFTERSHOCK_ASSERT(to_line(std::get<Batch>(again)) == written);
}

}  // namespace

// The first line configures a policy, each other one is a batch for it: an answer or an error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto take_line = [&text] {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() < text.size() ? line.size() + 1 : text.size());
    return line;
  };
  Driver driver(policy_with(take_line()), {});
  while (!text.empty()) {
    const std::string_view line = take_line();
    check_round_trip(line);
    const auto answer = driver.answer(line);
    if (const auto* error = std::get_if<Driver::Error>(&answer)) {
      AFTERSHOCK_ASSERT(!error->message.empty());
    } else {
      AFTERSHOCK_ASSERT(
          std::holds_alternative<nlohmann::json>(parse_json(std::get<std::string>(answer))));
    }
  }
  return 0;
}
