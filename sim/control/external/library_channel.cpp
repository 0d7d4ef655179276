#include "sim/control/external/library_channel.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace aftershock::sim::control {
namespace {

class LibraryChannel final : public Channel {
 public:
  explicit LibraryChannel(std::shared_ptr<const PolicyLibrary> library)
      : library_(std::move(library)) {
    // Told at the first question: a constructor has nobody to tell.
    policy_ = call_library(unusable_, [&] { return library_->functions().open(); });
    if (unusable_.empty() && policy_ == nullptr) {
      unusable_ = "returned null";
    }
  }
  LibraryChannel(const LibraryChannel&) = delete;
  LibraryChannel& operator=(const LibraryChannel&) = delete;
  ~LibraryChannel() override {
    // The library's own memory, which it alone can free.
    if (policy_ != nullptr) {
      call_library(unusable_, [&] { library_->functions().close(policy_); });
    }
  }

  std::variant<std::string_view, NoAnswer> ask(std::string_view line,
                                               std::string_view what) override {
    const char* answer = nullptr;
    std::size_t size = 0;
    if (!unusable_.empty()) {
      return NoAnswer{blame("begins no conversation: aftershock_policy_open " + unusable_)};
    }
    std::string why;
    const int failed = call_library(why, [&] {
      return library_->functions().answer(policy_, line.data(), line.size(), &answer, &size);
    });
    if (why.empty() && (failed != 0 || answer == nullptr)) {
      why = failed != 0 ? fmt::format("returned {}", failed) : "gave no text";
    }
    if (!why.empty()) {
      return NoAnswer{
          blame(fmt::format("did not answer {}: aftershock_policy_answer {}", what, why))};
    }
    if (size > kLongestLine) {
      return NoAnswer{
          blame(fmt::format("answered {} with more than {} bytes", what, kLongestLine))};
    }
    return std::string_view(answer, size);
  }
  std::string blame(std::string_view why) override { return library_->blame(why); }

 private:
  std::shared_ptr<const PolicyLibrary> library_;
  aftershock_policy* policy_ = nullptr;
  std::string unusable_;
};

}  // namespace

std::unique_ptr<Channel> open_library(std::shared_ptr<const PolicyLibrary> library) {
  return std::make_unique<LibraryChannel>(std::move(library));
}

}  // namespace aftershock::sim::control
