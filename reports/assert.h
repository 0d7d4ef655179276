#pragma once

#include <cstdio>
#include <cstdlib>

// Policies are a library of their own that knows nothing of reports, and has the same macro. A
// source that sees both does not compile without warnings unless they say the same.

/// Aborts with the place when `condition` is false, in every build type. Only for what our own code
/// can get wrong; what users, files or the world do wrong is answered with values.
#define AFTERSHOCK_ASSERT(condition)                                                         \
  do {                                                                                       \
    if (!(condition)) [[unlikely]] {                                                         \
      std::fprintf(stderr, "%s:%d: assertion failed: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                          \
    }                                                                                        \
  } while (false)
