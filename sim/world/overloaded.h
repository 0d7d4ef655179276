#pragma once

namespace aftershock::sim::world {

/// One callable made of several, for std::visit.
template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

}  // namespace aftershock::sim::world
