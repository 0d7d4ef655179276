#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

namespace aftershock::sim::control {

/// An external policy is unavailable, in words for the user: the reader of a scenario then cannot
/// check the scenario's parameters.
struct PolicyFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// No message is longer, its newline apart.
inline constexpr std::size_t kLongestLine = std::size_t{1} << 20U;

/// The failure in place of an answer, in words.
struct NoAnswer {
  std::string why;
};

/// Where lines go to a policy and its answers come from, one by one.
class Channel {
 public:
  virtual ~Channel() = default;

  /// Sends a line, which has no newline, and waits for the answer's; `what` it is, in words, e.g.
  /// "batch 12". After one NoAnswer there are only others. The text is good until the next call.
  virtual std::variant<std::string_view, NoAnswer> ask(std::string_view line,
                                                       std::string_view what) = 0;

  /// Whether it can be used at all in this process, which may be a fork of the one that opened it.
  [[nodiscard]] virtual bool ours() const { return true; }

  /// Ends the other side at once, without a word (fault policy_crash); there are no answers then.
  virtual void kill() {}

  /// A word about what went wrong with an answer that came, with what the other side has said of
  /// it besides; the channel is of no use then.
  virtual std::string blame(std::string_view why) { return std::string(why); }

 protected:
  Channel() = default;
  Channel(const Channel&) = default;
  Channel& operator=(const Channel&) = default;
};

}  // namespace aftershock::sim::control
