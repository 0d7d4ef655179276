// A policy's library that goes wrong in the way that WAY says; tests/cli/library.py builds it.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

#include "policies/external/aftershock_policy.h"

struct aftershock_policy {
  std::string answer;
};

namespace {

bool is(const char* way) {
  const char* chosen = std::getenv("WAY");
  return chosen != nullptr && std::strcmp(chosen, way) == 0;
}

}  // namespace

int aftershock_policy_abi() {
  if (is("abi_throws")) {
    throw 7;
  }
  return is("abi_2") ? 2 : AFTERSHOCK_POLICY_ABI;
}

aftershock_policy* aftershock_policy_open() {
  if (is("open_throws")) {
    throw std::runtime_error("no licence");
  }
  return is("open_null") ? nullptr : std::make_unique<aftershock_policy>().release();
}

int aftershock_policy_answer(aftershock_policy* policy, const char* /*message*/, size_t /*size*/,
                             const char** answer, size_t* answer_size) {
  if (is("throws")) {
    throw std::runtime_error("out of luck");
  }
  if (is("throws_number")) {
    throw 7;
  }
  if (is("exits")) {
    std::exit(0);
  }
  if (is("fails")) {
    return -1;
  }
  policy->answer = is("no_json") ? "hello" : is("utf8") ? "{\"a\":\"\xff\"}" : "{}";
  *answer = is("no_text") ? nullptr : policy->answer.data();
  *answer_size = is("huge") ? static_cast<size_t>(-1) : is("empty") ? 0 : policy->answer.size();
  return 0;
}

void aftershock_policy_close(aftershock_policy* policy) {
  const std::unique_ptr<aftershock_policy> ended(policy);
}
