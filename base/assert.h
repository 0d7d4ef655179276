#pragma once

#include <cstdio>
#include <cstdlib>

/// Aborts with the place when `condition` is false, in every build type. Only for what our own code
/// can get wrong; what users, files or the world do wrong is answered with values.
#define AFTERSHOCK_ASSERT(condition)                                                         \
  do {                                                                                       \
    if (!(condition)) [[unlikely]] {                                                         \
      std::fprintf(stderr, "%s:%d: assertion failed: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                          \
    }                                                                                        \
  } while (false)
