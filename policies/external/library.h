#pragma once

#include <cstddef>
#include <cstring>
#include <exception>
#include <memory>
#include <string_view>

#include "policies/external/aftershock_policy.h"
#include "policies/external/direct.h"
#include "policies/external/server.h"

/// Makes a shared object for --policy-lib of the source that has this line, once and at the end:
/// all functions of aftershock_policy.h. `name` is that of hello_ok; what follows is a function, or
/// a lambda that captures nothing, which is given a PolicyRequest and returns a MakeResult. It
/// speaks protocol 1.0.
#define AFTERSHOCK_POLICY_LIBRARY(name, ...) \
  AFTERSHOCK_POLICY_LIBRARY_OF(::aftershock::policies::wire::kProtocol, name, __VA_ARGS__)

/// The same for one that asks for another protocol, such as "1.1".
#define AFTERSHOCK_POLICY_LIBRARY_OF(protocol, name, ...)                                        \
  struct aftershock_policy {                                                                     \
    ::aftershock::policies::Server server{name, __VA_ARGS__, protocol};                          \
  };                                                                                             \
  int aftershock_policy_abi() { return AFTERSHOCK_POLICY_ABI; }                                  \
  aftershock_policy* aftershock_policy_open() {                                                  \
    return std::make_unique<aftershock_policy>().release();                                      \
  }                                                                                              \
  int aftershock_policy_answer(aftershock_policy* policy, const char* message, std::size_t size, \
                               const char** answer, std::size_t* answer_size) {                  \
    std::string_view said;                                                                       \
    try {                                                                                        \
      said = policy->server.answer({message, size});                                             \
    } catch (const std::exception& error) {                                                      \
      said = policy->server.threw(error.what());                                                 \
    }                                                                                            \
    *answer = said.data();                                                                       \
    *answer_size = said.size();                                                                  \
    return 0;                                                                                    \
  }                                                                                              \
  void aftershock_policy_close(aftershock_policy* policy) {                                      \
    const std::unique_ptr<aftershock_policy> ended(policy);                                      \
  }                                                                                              \
  const void* aftershock_policy_direct(const char* contract) {                                   \
    static const ::aftershock::policies::DirectDoor door{{}, __VA_ARGS__};                       \
    return std::strcmp(contract, ::aftershock::policies::kDirectContract.text()) == 0 ? &door    \
                                                                                      : nullptr; \
  }
