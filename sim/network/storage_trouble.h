#pragma once

#include <cstdint>

namespace aftershock::sim::network {

/// A fault that keeps a storage from doing what it should.
struct StorageTrouble {
  std::uint32_t fault = 0;
  std::uint32_t storage = 0;
  bool out = false;    ///< it can neither be read nor written
  bool fails = false;  ///< and says so; else whoever asks waits
  double factor = 1;   ///< how many times as long it takes
};

}  // namespace aftershock::sim::network
