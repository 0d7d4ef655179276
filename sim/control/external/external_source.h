#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "policies/api/config.h"
#include "sim/control/external/channel.h"
#include "sim/control/external/exchange.h"

namespace aftershock::sim::control {

/// The listeners to messages for policies.
struct Listening {
  /// Takes every exchange: of which policy, and what.
  std::function<void(std::size_t policy, const Exchange&)> heard{};
  /// Earlier exchanges: a different answer, or a different question, is a failure that shows both.
  const Exchanges* before = nullptr;
  /// Nobody is asked: the answers are those of `before`.
  bool transcript_only = false;
  /// Whether anybody is.
  [[nodiscard]] bool somebody() const { return heard || before != nullptr || transcript_only; }
};

/// How policies are had without messages.
struct DirectWay {
  /// May throw, and end the program.
  std::function<policies::MakeResult(const policies::PolicyRequest&)> make{};
  std::function<std::string(std::string_view)> blame{};  ///< see Channel::blame
};

/// The way to external policies.
struct ExternalOptions {
  std::string title;                               ///< e.g. "python3 mine.py"
  std::function<std::unique_ptr<Channel>()> open;  ///< a channel that nobody has spoken on
  std::int64_t deadline_ms = 10'000;               ///< told in hello; the channel keeps it
  /// Where there is one, policies say on a channel what they are, and play this way when nobody
  /// listens.
  std::optional<DirectWay> direct{};
};

/// A policy's description of itself at its first world, which it must repeat at each later one.
struct Identity {
  policies::PolicyInfo info;
  std::vector<std::string> texts;  ///< those that `info` refers to
  std::set<std::string, std::less<>> features;
  int minor = 0;      ///< of the protocol that is spoken with it
  std::string ready;  ///< the line
  /// It says that no state of it outlives its process: nothing is asked for to be stored.
  bool persists_nothing = false;
  std::uint16_t state = 0;
  std::vector<policies::BudgetState> budgets;
  policies::PodTerms terms;
  /// By index in policies::Event: those that it answers. Empty: all.
  std::vector<bool> answers;
  /// Whether it is asked for what storage holds.
  [[nodiscard]] bool stores() const {
    return features.contains(std::string_view("durable")) && !persists_nothing;
  }
};

/// Makes policies that are asked over channels. Channels are kept and used again where the policy
/// offers `reset`; a fork of the process that has them opens its own. For one thread: a program is
/// ended with the thread that started it.
class ExternalSource final : public policies::PolicySource,
                             public std::enable_shared_from_this<ExternalSource> {
 public:
  /// To be held by a shared_ptr.
  explicit ExternalSource(ExternalOptions options);
  ~ExternalSource() override;
  ExternalSource(const ExternalSource&) = delete;
  ExternalSource& operator=(const ExternalSource&) = delete;

  /// Throws PolicyFailed where the policy does not answer as it should. The policy that it gives
  /// begins its world when it is first asked something.
  policies::MakeResult make(const policies::PolicyRequest& request,
                            const std::optional<Setting>& setting) override;
  [[nodiscard]] std::string title() const override { return options_.title; }
  /// Only where the options have one.
  [[nodiscard]] const DirectWay& direct() const { return *options_.direct; }

  /// From now on; what is heard counts policies from 0 again.
  void listen(Listening listening);

  /// A text that lives as long as this. Policies have few words of theirs: none where there are
  /// too many.
  std::optional<std::string_view> keep(std::string_view text);

  /// A channel on which hello was said, and what came back.
  struct Session {
    std::unique_ptr<Channel> channel;
    std::string hello_ok;
    std::set<std::string, std::less<>> features;
  };

  /// One policy's conversation.
  class Conversation {
   public:
    Conversation(std::shared_ptr<ExternalSource> source, std::string world);
    ~Conversation();
    Conversation(const Conversation&) = delete;
    Conversation& operator=(const Conversation&) = delete;

    /// The first message opens the conversation. The text is good until the next call.
    std::variant<std::string_view, NoAnswer> ask(std::string_view line, std::string_view what);
    /// Whether it can go on: not in a fork of this process, nor when another one needed its
    /// channel.
    [[nodiscard]] bool goes_on() const;
    /// Ends the other side without a word; nothing is asked of it then.
    void kill();
    /// See Channel::blame.
    std::string blame(std::string_view why);
    /// The answer to the world.
    [[nodiscard]] const std::string& ready() const { return ready_; }
    [[nodiscard]] const std::set<std::string, std::less<>>& features() const { return features_; }
    /// That of the protocol, once hello was answered.
    [[nodiscard]] int minor() const { return minor_; }
    /// Says hello and the world; what went wrong, if anything did.
    std::optional<NoAnswer> begin();

   private:
    friend ExternalSource;

    std::variant<std::string_view, NoAnswer> exchange(std::string_view line, std::string_view what);
    std::optional<NoAnswer> hello();
    void hang_up();

    std::shared_ptr<ExternalSource> source_;
    std::string world_;
    std::unique_ptr<Session> session_;
    std::set<std::string, std::less<>> features_;
    int minor_ = 0;
    std::string ready_;
    std::string answer_;
    std::size_t number_ = 0;
    std::size_t exchanges_ = 0;
    std::uint64_t last_asked_ = 0;  ///< by the source's count
    bool begun_ = false;
    bool failed_ = false;
    bool interrupted_ = false;
  };

 private:
  struct Known {
    std::string request;
    std::shared_ptr<const Identity> identity;
  };

  std::shared_ptr<const Identity> identify(const std::string& world,
                                           std::vector<policies::ConfigIssue>& refused);
  std::variant<std::unique_ptr<Session>, NoAnswer> lease();
  void give_back(std::unique_ptr<Session> session);
  void make_room();

  ExternalOptions options_;
  Listening listening_;
  std::size_t begun_ = 0;
  std::vector<std::unique_ptr<Session>> idle_;
  std::vector<Conversation*> open_;  ///< those that have a session
  std::uint64_t asked_ = 0;
  std::vector<Known> known_;
  std::set<std::string, std::less<>> texts_;
};

}  // namespace aftershock::sim::control
