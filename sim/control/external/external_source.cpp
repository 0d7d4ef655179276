#include "sim/control/external/external_source.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/external/messages.h"
#include "sim/control/external/answer.h"
#include "sim/control/external/direct_policy.h"
#include "sim/control/external/external_policy.h"
#include "sim/control/external/identity.h"
#include "sim/control/external/line_faults.h"

namespace aftershock::sim::control {
namespace {

/// The terms on which a policy is spoken with.
struct Agreement {
  std::set<std::string, std::less<>> features;
  int minor = 0;
};

/// Those of an answer to hello, or in words what is wrong with it.
std::variant<Agreement, std::string> agreement_of(std::string_view line) {
  auto parsed = parse_answer(line, "hello", policies::wire::HelloOk::kName);
  if (auto* problem = std::get_if<std::string>(&parsed)) {
    return std::move(*problem);
  }
  policies::wire::HelloOk hello;
  hello.protocol.clear();
  if (const auto problem = policies::json_reader::read_members(
          policies::json_reader::Place{}, std::get<nlohmann::json>(parsed), hello, "type")) {
    return fmt::format("answered hello wrongly: {}", policies::describe(*problem));
  }
  const auto minor = policies::wire::minor_of(hello.protocol);
  if (!minor) {
    return fmt::format("speaks protocol {}; expected {} or {}", quote(hello.protocol),
                       policies::wire::kProtocol, policies::wire::kNewestProtocol);
  }
  return Agreement{{hello.features.begin(), hello.features.end()}, *minor};
}

std::string hello_line(std::int64_t deadline_ms) {
  policies::wire::Hello hello;
  hello.line_limit = kLongestLine;
  hello.deadline_ms = deadline_ms;
  return policies::wire::to_line(hello);
}

}  // namespace

ExternalSource::ExternalSource(ExternalOptions options) : options_(std::move(options)) {}

ExternalSource::~ExternalSource() {
  for (const auto& session : idle_) {
    if (session->channel->ours()) {
      static_cast<void>(session->channel->ask(R"({"type":"end"})", "end"));
    }
  }
}

void ExternalSource::listen(Listening listening) {
  listening_ = std::move(listening);
  begun_ = 0;
  known_.clear();  // the listener hears all messages
}

std::optional<std::string_view> ExternalSource::keep(std::string_view text) {
  constexpr std::size_t kMost = 1000;
  auto found = texts_.find(text);
  if (found == texts_.end()) {
    if (texts_.size() == kMost) {
      return std::nullopt;
    }
    found = texts_.emplace(text).first;
  }
  return std::string_view(*found);
}

std::variant<std::unique_ptr<ExternalSource::Session>, NoAnswer> ExternalSource::lease() {
  // A fork has the same pipes: two processes that talk on them would read each other's answers.
  std::erase_if(idle_, [](const auto& session) { return !session->channel->ours(); });
  if (!idle_.empty()) {
    auto session = std::move(idle_.back());
    idle_.pop_back();
    const auto answer = session->channel->ask(R"({"type":"reset"})", "reset");
    if (const auto* none = std::get_if<NoAnswer>(&answer)) {
      return *none;
    }
    const auto parsed = parse_answer(std::get<std::string_view>(answer), "reset", "reset_ok");
    if (const auto* problem = std::get_if<std::string>(&parsed)) {
      return NoAnswer{session->channel->blame(*problem)};
    }
    return session;
  }
  auto session = std::make_unique<Session>();
  session->channel = options_.open();
  const auto answer = session->channel->ask(hello_line(options_.deadline_ms), "hello");
  if (const auto* none = std::get_if<NoAnswer>(&answer)) {
    return *none;
  }
  session->hello_ok = std::get<std::string_view>(answer);
  auto terms = agreement_of(session->hello_ok);
  if (const auto* problem = std::get_if<std::string>(&terms)) {
    return NoAnswer{session->channel->blame(*problem)};
  }
  session->features = std::get<Agreement>(std::move(terms)).features;
  return session;
}

void ExternalSource::give_back(std::unique_ptr<Session> session) {
  if (!session->channel->ours()) {
    return;
  }
  // A program without `reset` is good for one world.
  if (session->features.contains(policies::wire::kReset)) {
    idle_.push_back(std::move(session));
  } else {
    static_cast<void>(session->channel->ask(R"({"type":"end"})", "end"));
  }
}

/// Copies of a world have policies that may not be asked for long: a thousand of them need not have
/// a program each.
void ExternalSource::make_room() {
  constexpr std::size_t kMostOpen = 64;
  if (open_.size() < kMostOpen || listening_.somebody()) {
    return;
  }
  // The one that was asked longest ago: it begins again if it is asked once more.
  Conversation& oldest = **std::ranges::min_element(open_, {}, &Conversation::last_asked_);
  oldest.interrupted_ = true;
  oldest.hang_up();
}

std::shared_ptr<const Identity> ExternalSource::identify(
    const std::string& world, std::vector<policies::ConfigIssue>& refused) {
  Conversation conversation(shared_from_this(), world);
  if (const auto none = conversation.begin()) {
    throw PolicyFailed(none->why);
  }
  auto parsed = parse_answer(conversation.ready(), "world", policies::wire::Ready::kName,
                             policies::wire::Refused::kName);
  if (const auto* problem = std::get_if<std::string>(&parsed)) {
    throw PolicyFailed(conversation.blame(*problem));
  }
  auto read = identity_of(std::get<nlohmann::json>(parsed),
                          {options_.title, conversation.minor(),
                           conversation.features().contains(policies::wire::kDurable)});
  if (const auto* issue = std::get_if<policies::Issue>(&read)) {
    throw PolicyFailed(
        conversation.blame(fmt::format("answered world wrongly: {}", policies::describe(*issue))));
  }
  if (auto* issues = std::get_if<std::vector<policies::ConfigIssue>>(&read)) {
    refused = std::move(*issues);
    return nullptr;
  }
  auto identity = std::get<std::shared_ptr<Identity>>(std::move(read));
  identity->ready = conversation.ready();
  identity->features = conversation.features();
  identity->minor = conversation.minor();
  return identity;
}

policies::MakeResult ExternalSource::make(const policies::PolicyRequest& request,
                                          const std::optional<Setting>& setting) {
  // The answer may depend on neither seed nor cluster, so that one serves all runs.
  const std::string check = policies::wire::world_line(request, std::nullopt);
  auto found = std::ranges::find(known_, check, &Known::request);
  if (found == known_.end()) {
    std::vector<policies::ConfigIssue> refused;
    auto identity = identify(check, refused);
    if (identity == nullptr) {
      return refused;
    }
    found = known_.insert(known_.end(), {check, std::move(identity)});
  }
  policies::ConfiguredPolicy made;
  // Messages are what is listened to, and the direct way has none.
  made.policy = options_.direct && !listening_.somebody()
                    ? make_direct_policy(shared_from_this(), found->identity, request)
                    : make_external_policy(shared_from_this(), found->identity,
                                           policies::wire::world_line(request, setting));
  made.terms = found->identity->terms;
  return made;
}

using Conversation = ExternalSource::Conversation;

Conversation::Conversation(std::shared_ptr<ExternalSource> source, std::string world)
    : source_(std::move(source)), world_(std::move(world)) {}

Conversation::~Conversation() { hang_up(); }

bool Conversation::goes_on() const {
  return !interrupted_ && (session_ == nullptr || session_->channel->ours());
}

void Conversation::hang_up() {
  std::erase(source_->open_, this);
  // Where something went wrong an answer may still be on its way, which the next question would
  // get.
  if (session_ != nullptr && !failed_) {
    source_->give_back(std::move(session_));
  }
  session_ = nullptr;
}

void Conversation::kill() {
  if (session_ != nullptr && session_->channel->ours()) {
    session_->channel->kill();
    failed_ = true;
    hang_up();
  }
  failed_ = true;
}

std::string Conversation::blame(std::string_view why) {
  failed_ = true;
  return session_ == nullptr ? std::string(why) : session_->channel->blame(why);
}

/// Listeners hear every message on its way to a policy.
std::variant<std::string_view, NoAnswer> Conversation::exchange(std::string_view line,
                                                                std::string_view what) {
  const Listening& listening = source_->listening_;
  last_asked_ = ++source_->asked_;
  const std::size_t nth = exchanges_++;
  const Exchange* before = nullptr;
  if (listening.before != nullptr) {
    const Exchanges& tape = *listening.before;
    if (number_ >= tape.size() || nth >= tape[number_].size()) {
      failed_ = true;
      return NoAnswer{fmt::format("policy {}: {} was not there before: {}", number_, what, line)};
    }
    before = &tape[number_][nth];
    if (before->to != line) {
      failed_ = true;
      return NoAnswer{fmt::format("policy {}: {} is another one\n  before {}\n  now    {}", number_,
                                  what, before->to, line)};
    }
  }
  if (listening.transcript_only) {
    if (!before->answered) {
      failed_ = true;
      return NoAnswer{before->from};
    }
    answer_ = before->from;
  } else if (nth == 0) {
    answer_ = session_->hello_ok;  // it was said when the channel was opened
  } else {
    const auto answer = session_->channel->ask(line, what);
    if (const auto* none = std::get_if<NoAnswer>(&answer)) {
      failed_ = true;
      if (listening.heard) {
        listening.heard(number_, {std::string(line), none->why, false});
      }
      return *none;
    }
    answer_ = std::get<std::string_view>(answer);
  }
  if (before != nullptr && before->from != answer_) {
    failed_ = true;
    return NoAnswer{fmt::format(
        "policy {}: the same {} got another answer\n  asked  {}\n  before {}\n  now    {}", number_,
        what, line, before->from, answer_)};
  }
  if (listening.heard) {
    listening.heard(number_, {std::string(line), answer_});
  }
  return std::string_view(answer_);
}

std::optional<NoAnswer> Conversation::hello() {
  if (!source_->listening_.transcript_only) {
    source_->make_room();
    auto leased = source_->lease();
    if (auto* none = std::get_if<NoAnswer>(&leased)) {
      failed_ = true;
      return std::move(*none);
    }
    session_ = std::get<0>(std::move(leased));
    source_->open_.push_back(this);
  }
  // Counted from the hello on, also where nobody is asked: a transcript knows policies by this
  // number.
  number_ = source_->begun_++;
  const auto answer = exchange(hello_line(source_->options_.deadline_ms), "hello");
  if (const auto* none = std::get_if<NoAnswer>(&answer)) {
    return *none;
  }
  auto terms = agreement_of(answer_);
  if (auto* problem = std::get_if<std::string>(&terms)) {
    return NoAnswer{blame(*problem)};
  }
  features_ = std::move(std::get<Agreement>(terms).features);
  minor_ = std::get<Agreement>(terms).minor;
  return std::nullopt;
}

std::optional<NoAnswer> Conversation::begin() {
  begun_ = true;
  if (auto none = hello()) {
    return none;
  }
  const auto answer = exchange(policies::wire::world_in(world_, minor_), "world");
  if (const auto* none = std::get_if<NoAnswer>(&answer)) {
    return *none;
  }
  ready_ = std::get<std::string_view>(answer);
  return std::nullopt;
}

std::variant<std::string_view, NoAnswer> Conversation::ask(std::string_view line,
                                                           std::string_view what) {
  if (!begun_) {
    if (auto none = begin()) {
      return *std::move(none);
    }
  }
  return exchange(line, what);
}

}  // namespace aftershock::sim::control
