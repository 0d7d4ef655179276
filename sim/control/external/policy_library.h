#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "policies/external/aftershock_policy.h"
#include "policies/external/direct.h"
#include "sim/control/external/external_source.h"

namespace aftershock::sim::control {

/// While there is one, a call of a library is on its way: who ends the program then is the library,
/// and the program ends as one whose policy failed.
class LibraryCall {
 public:
  LibraryCall();
  ~LibraryCall();
  LibraryCall(const LibraryCall&) = delete;
  LibraryCall& operator=(const LibraryCall&) = delete;

  /// The words for the exception in flight; only a catch block may call this.
  [[nodiscard]] static std::string words_for_thrown();
};

/// Calls a function of a library. An exception is put in words into `thrown`, and the result is
/// then an empty one; without an exception `thrown` stays as it is.
template <class Function>
auto call_library(std::string& thrown, const Function& function) -> decltype(function()) {
  const LibraryCall now;
  try {
    return function();
  } catch (...) {
    thrown = LibraryCall::words_for_thrown();
  }
  return decltype(function())();
}

/// A shared object with the functions of policies/external/aftershock_policy.h, loaded for as long
/// as this lives.
class PolicyLibrary {
 public:
  explicit PolicyLibrary(std::string path);
  ~PolicyLibrary();
  PolicyLibrary(const PolicyLibrary&) = delete;
  PolicyLibrary& operator=(const PolicyLibrary&) = delete;

  /// The reason why the library cannot be used; empty: it can.
  std::string find();

  /// How it is asked without messages; null where it was not built as this program is, or does not
  /// offer it.
  [[nodiscard]] const policies::DirectDoor* door() const { return door_; }

  /// A word about what went wrong with it.
  [[nodiscard]] std::string blame(std::string_view why) const;

  /// Its functions, by the names that they have behind "aftershock_policy_".
  struct Functions {
    int (*abi)() = nullptr;
    aftershock_policy* (*open)() = nullptr;
    int (*answer)(aftershock_policy* policy, const char* message, std::size_t size,
                  const char** answer, std::size_t* answer_size) = nullptr;
    void (*close)(aftershock_policy* policy) = nullptr;
  };
  [[nodiscard]] const Functions& functions() const { return functions_; }

 private:
  std::string find_door();

  std::string path_;
  Functions functions_;
  void* handle_ = nullptr;
  const policies::DirectDoor* door_ = nullptr;
};

/// Loads one; an error in words where it cannot be loaded, lacks a function, or was built for
/// another version of the interface.
std::variant<std::shared_ptr<const PolicyLibrary>, std::string> load_policy_library(
    const std::string& path);

/// How its policies are had without messages; none where it has no door.
std::optional<DirectWay> direct_way(const std::shared_ptr<const PolicyLibrary>& library);

}  // namespace aftershock::sim::control
