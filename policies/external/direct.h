#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include <nlohmann/json.hpp>

#include "aftershock_policy_headers.h"
#include "policies/api/config.h"
#include "policies/api/policy.h"

// The short way between the program and a shared object whose policy is a C++ one: where both were
// built alike, the program asks it as it asks its own, without messages.
namespace aftershock::policies {

/// How one side takes memory and gives it back. Memory that one side took is given back by the
/// other, so the functions must be the same on both. The functions' addresses say so: who brings an
/// allocator of its own, or a C++ library of its own, has others, and who takes the program's has
/// the program's.
struct Allocation {
  void* (*take)(std::size_t) = &::operator new;
  void (*give_back)(void*) noexcept = &::operator delete;
  void (*give_back_sized)(void*, std::size_t) noexcept = &::operator delete;
  friend bool operator==(const Allocation&, const Allocation&) = default;
};

/// The structure that aftershock_policy_direct points to.
struct DirectDoor {
  Allocation allocation{};
  /// Builds what a world asks for, as a Server's maker does. It may throw, as may the policy.
  MakeResult (*make)(const PolicyRequest& request) = nullptr;
};

/// How much memory a type takes, and where it may begin.
struct Extent {
  std::size_t size = 0;
  std::size_t alignment = 0;
};

/// Of each of them.
template <class... Types>
inline constexpr std::array<Extent, sizeof...(Types)> kExtents{
    Extent{sizeof(Types), alignof(Types)}...};

/// Everything on which it depends what the types of policies/api look like in memory, in words.
/// Each library is compiled with flags of its own, so each has a text of its own.
class DirectContract {
 public:
  consteval DirectContract() {
    add("aftershock_policy_direct 1; headers ");
    add(AFTERSHOCK_POLICY_HEADERS);
    add_compiler();
    add_library();
    add_sanitizers();
    add("; sizes");
    for (const Extent& extent :
         kExtents<void*, std::string, std::string_view, nlohmann::json, Issue, PolicyRequest,
                  ConfiguredPolicy, MakeResult, PolicyInfo, Inventory, View, Event, Batch, Command,
                  BudgetMove, Step, Watch, Decision, BudgetState, TrialState, DirectDoor>) {
      add(" ", extent.size);
      add("/", extent.alignment);
    }
  }

  /// Ended by a zero.
  [[nodiscard]] constexpr const char* text() const { return text_.data(); }

 private:
  consteval void add(std::string_view words) {
    for (const char letter : words) {
      text_[size_++] = letter;
    }
  }
  consteval void add(std::string_view words, std::size_t number) {
    std::array<char, 20> digits{};
    std::size_t count = 0;
    do {
      digits[count++] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
    add(words);
    while (count != 0) {
      text_[size_++] = digits[--count];
    }
  }
  consteval void add_compiler() {
#ifdef __clang__
    add("; clang ", __clang_major__);
#else
    add("; gcc ", __GNUC__);
#endif
#ifdef __GXX_ABI_VERSION
    add(", abi ", __GXX_ABI_VERSION);
#endif
  }
  consteval void add_library() {
#ifdef _GLIBCXX_RELEASE
    add("; libstdc++ ", _GLIBCXX_RELEASE);
    add(", cxx11 ", _GLIBCXX_USE_CXX11_ABI);
#endif
#ifdef _GLIBCXX_DEBUG
    add(", debug");
#endif
#ifdef _LIBCPP_VERSION
    add("; libc++ ", _LIBCPP_VERSION);
    add(", abi ", _LIBCPP_ABI_VERSION);
#endif
    add("; json ", NLOHMANN_JSON_VERSION_MAJOR);
    add(".", NLOHMANN_JSON_VERSION_MINOR);
    add(".", NLOHMANN_JSON_VERSION_PATCH);
#ifdef JSON_DIAGNOSTICS
    add(", diagnostics ", JSON_DIAGNOSTICS);
#endif
  }
  // A container that one side marks for its sanitizer the other must mark, too.
  consteval void add_sanitizers() {
#ifdef __SANITIZE_ADDRESS__
    add("; address sanitizer");
#endif
#ifdef __SANITIZE_THREAD__
    add("; thread sanitizer");
#endif
#ifdef _GLIBCXX_SANITIZE_VECTOR
    add("; vectors marked");
#endif
#ifdef __has_feature
#if __has_feature(address_sanitizer)
    add("; address sanitizer");
#endif
#if __has_feature(thread_sanitizer)
    add("; thread sanitizer");
#endif
#if __has_feature(memory_sanitizer)
    add("; memory sanitizer");
#endif
#endif
  }

  std::array<char, 640> text_{};
  std::size_t size_ = 0;
};

// Not inline: who links the two would take the text of one source for all.
constexpr DirectContract kDirectContract;

}  // namespace aftershock::policies
