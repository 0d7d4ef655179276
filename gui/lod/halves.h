#pragma once

#include <cstddef>
#include <future>

namespace aftershock::gui {

/// Groups of so many spans are made ready by two threads.
inline constexpr std::size_t kHalvedSpans = 500'000;

/// Calls `work(half, from, to)` for the whole of [0, count) as half 0, or for its halves 0 and 1,
/// at the same time. Which of both must depend on nothing but what the work is, so that all
/// machines come to the same.
template <class Work>
void in_halves(std::size_t count, bool halved, const Work& work) {
  if (!halved) {
    work(0, 0, count);
    return;
  }
  const std::size_t middle = count / 2;
  auto second = std::async(std::launch::async, [&work, middle, count] { work(1, middle, count); });
  work(0, 0, middle);
  second.get();
}

}  // namespace aftershock::gui
