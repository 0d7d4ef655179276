#pragma once

#include <cstdio>
#include <cstdlib>

/// For what only we can get wrong; kept in release builds, because a simulator that goes on after
/// one of these is worth less than one that stops.
#define AFTERSHOCK_ASSERT(condition)                                                       \
  do {                                                                                     \
    if (!(condition)) [[unlikely]] {                                                       \
      std::fprintf(stderr, "%s:%d: internal error: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                        \
    }                                                                                      \
  } while (false)
