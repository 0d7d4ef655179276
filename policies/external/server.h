#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "policies/api/config.h"
#include "policies/api/view.h"
#include "policies/external/messages.h"

namespace aftershock::policies {

/// An answer, or what makes that there is none.
using Reply = std::variant<std::string, Issue>;

/// The reply to a world for which this was made, of a simulator that speaks that minor.
Reply answer_to_world(const MakeResult& made, int minor);

/// The policy's side of the protocol: a line in, a line out, whatever carries them. It answers what
/// it cannot read with an `error`.
class Server {
 public:
  using Maker = std::function<MakeResult(const PolicyRequest&)>;

  /// `name` is that of hello_ok, `protocol` what it asks for there; `make` builds what a world asks
  /// for.
  Server(std::string name, Maker make, std::string_view protocol = wire::kProtocol);

  /// The answer, without newline; good until the next call.
  std::string_view answer(std::string_view line);
  /// The reply where the policy threw an exception with these words.
  std::string_view threw(std::string_view words);
  /// `end` was said: there is nothing more to answer.
  [[nodiscard]] bool over() const { return over_; }

 private:
  Reply reply(nlohmann::json& message);
  Reply world(const nlohmann::json& message);
  Reply batch(nlohmann::json& message);
  Reply decide(const Batch& batch);
  void take(Reply said);
  Reply question(const nlohmann::json& message);
  wire::Standing standing(const Decision& decision);

  std::string name_;
  std::string protocol_;
  Maker make_;
  std::unique_ptr<Policy> policy_;
  View view_;
  /// The state and budgets as the other side knows them: only differences are told.
  std::uint16_t state_ = 0;
  std::vector<BudgetState> budgets_;
  ResultCheckpoints result_;
  bool over_ = false;
  std::string answer_;
};

}  // namespace aftershock::policies
