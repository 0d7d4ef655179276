#pragma once

/* A policy in a shared object, for `aftershock run SCENARIO --policy-lib FILE.so`: the messages of
 * policies/external/README.md, one JSON object a call. All functions have C linkage and default
 * visibility, and none may let an exception out. */

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* The number that aftershock_policy_abi returns for this header. Another one is refused. */
#define AFTERSHOCK_POLICY_ABI 1

/* One policy's conversation, of the library's own making. */
typedef struct aftershock_policy aftershock_policy;

/* The version of this interface that the library was built for. */
int aftershock_policy_abi(void);

/* Begins a conversation; null where there cannot be one. */
aftershock_policy* aftershock_policy_open(void);

/* Answers a message of `size` bytes, which the caller owns. Returns 0 and sets `answer` and
 * `answer_size` to bytes that the library owns and keeps until the next call with this handle; any
 * other number is a failure. Neither side ends a text with a newline or a zero. */
int aftershock_policy_answer(aftershock_policy* policy, const char* message, size_t size,
                             const char** answer, size_t* answer_size);

/* Ends a conversation and frees what it holds. */
void aftershock_policy_close(aftershock_policy* policy);

/* May be left out, and is nothing for a library in C: a shorter way to the same decisions.
 * `contract` says how the program was built. A library that was built so returns its
 * aftershock::policies::DirectDoor (policies/external/direct.h), which lives as long as it is
 * loaded; any other returns null, and is asked by the functions above. AFTERSHOCK_POLICY_LIBRARY of
 * policies/external/library.h makes this one, and all others. */
const void* aftershock_policy_direct(const char* contract);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif
