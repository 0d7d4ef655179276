#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace aftershock::sim::imports {

/// A file of the real traces: $AFTERSHOCK_TRACES, or the folder beside the checkout; empty where it
/// is not there.
inline std::string trace_path(const std::string& file) {
  const char* folder = std::getenv("AFTERSHOCK_TRACES");
  const std::filesystem::path path =
      std::filesystem::path(folder != nullptr ? folder : "../shared/traces") / file;
  return std::filesystem::exists(path) ? path.string() : std::string();
}

inline std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace aftershock::sim::imports

/// Skips a test that needs a trace which is not there.
#define AFTERSHOCK_NEEDS_TRACE(name, file)                                              \
  const std::string name = ::aftershock::sim::imports::trace_path(file);                \
  if (name.empty()) {                                                                   \
    GTEST_SKIP() << (file) << " is not in $AFTERSHOCK_TRACES, nor in ../shared/traces"; \
  }                                                                                     \
  static_assert(true)
