#pragma once

#include <cstdint>
#include <string>

namespace aftershock::sim::workload {

/// A file that a crash left cut short, until it is written again.
struct TornFile {
  std::string name{};  ///< empty: none
  std::int64_t at_us = 0;
};

}  // namespace aftershock::sim::workload
