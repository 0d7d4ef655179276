#include "sim/control/external/policy_library.h"

#include <cstdlib>
#include <exception>
#include <type_traits>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include "sim/control/external/line_faults.h"

namespace aftershock::sim::control {
namespace {

bool& calling() {
  static bool now = false;
  return now;
}

void end_of_program() {
  // The library has called exit(): the run ends as one whose policy failed, whatever code it chose
  // (design.md 5).
  if (calling()) {
    constexpr std::string_view kWhy = "the policy library ended the program\n";
    constexpr int kPolicyFailed = 5;
    [[maybe_unused]] const ssize_t told = ::write(STDERR_FILENO, kWhy.data(), kWhy.size());
    ::_exit(kPolicyFailed);
  }
}

}  // namespace

LibraryCall::LibraryCall() { calling() = true; }

LibraryCall::~LibraryCall() { calling() = false; }

std::string LibraryCall::words_for_thrown() {
  try {
    throw;
  } catch (const std::exception& error) {
    const std::string_view words = error.what();
    return words.find('\n') == std::string_view::npos
               ? fmt::format("threw an exception: {}", shown_line(words))
               : fmt::format("threw an exception:{}", whole_error(words));
  } catch (...) {
    return "threw an object that is not a std::exception";
  }
}

PolicyLibrary::PolicyLibrary(std::string path) : path_(std::move(path)) {
  static const int kHeeded = std::atexit(end_of_program);
  static_cast<void>(kHeeded);
  // A file is meant, as everywhere: without a slash the loader would look elsewhere.
  const std::string file = path_.find('/') == std::string::npos ? "./" + path_ : path_;
  // All names are looked up now, and not in the middle of a run; those of one library are not for
  // another.
  handle_ = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
}

PolicyLibrary::~PolicyLibrary() {
  if (handle_ != nullptr) {
    ::dlclose(handle_);
  }
}

std::string PolicyLibrary::blame(std::string_view why) const {
  return fmt::format("policy library {}: {}", quote(path_), why);
}

std::string PolicyLibrary::find() {
  if (handle_ == nullptr) {
    const char* why = ::dlerror();
    return fmt::format("cannot be loaded: {}", why == nullptr ? "nobody says why" : why);
  }
  std::string missing;
  const auto look = [&](const char* name, auto& function) {
    function =
        reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(handle_, name));
    missing += function == nullptr ? fmt::format("{}{}", missing.empty() ? "" : ", ", name) : "";
  };
  look("aftershock_policy_abi", functions_.abi);
  look("aftershock_policy_open", functions_.open);
  look("aftershock_policy_answer", functions_.answer);
  look("aftershock_policy_close", functions_.close);
  if (!missing.empty()) {
    return fmt::format("is not a policy: it does not export {}", missing);
  }
  std::string thrown;
  const int version = call_library(thrown, [&] { return functions_.abi(); });
  if (!thrown.empty()) {
    return fmt::format("cannot be used: aftershock_policy_abi {}", thrown);
  }
  if (version != AFTERSHOCK_POLICY_ABI) {
    return fmt::format("was built for version {} of aftershock_policy.h; expected {}", version,
                       AFTERSHOCK_POLICY_ABI);
  }
  return find_door();
}

std::string PolicyLibrary::find_door() {
  const auto direct = reinterpret_cast<decltype(&aftershock_policy_direct)>(
      ::dlsym(handle_, "aftershock_policy_direct"));
  if (direct == nullptr) {
    return {};
  }
  std::string thrown;
  const void* found =
      call_library(thrown, [&] { return direct(policies::kDirectContract.text()); });
  if (!thrown.empty()) {
    return fmt::format("cannot be used: aftershock_policy_direct {}", thrown);
  }
  const auto* door = static_cast<const policies::DirectDoor*>(found);
  // The policy is dropped here. A library that takes its memory elsewhere, as one with a C++
  // library of its own does, is asked by messages.
  if (door != nullptr && door->make != nullptr && door->allocation == policies::Allocation()) {
    door_ = door;
  }
  return {};
}

std::variant<std::shared_ptr<const PolicyLibrary>, std::string> load_policy_library(
    const std::string& path) {
  auto library = std::make_shared<PolicyLibrary>(path);
  if (std::string problem = library->find(); !problem.empty()) {
    return fmt::format("{}: {}", path, problem);
  }
  return std::shared_ptr<const PolicyLibrary>(std::move(library));
}

std::optional<DirectWay> direct_way(const std::shared_ptr<const PolicyLibrary>& library) {
  if (library->door() == nullptr) {
    return std::nullopt;
  }
  return DirectWay{
      .make = [library](const policies::PolicyRequest& of) { return library->door()->make(of); },
      .blame = [library](std::string_view why) { return library->blame(why); }};
}

}  // namespace aftershock::sim::control
