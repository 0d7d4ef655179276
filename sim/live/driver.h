#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

// The process of a driver: it gets a plan, and tells facts until it ends or is told to stop.
namespace aftershock::sim::live {

/// The words before a driver's own that give it namespaces of processes, mounts, the network and
/// shared memory, so that its end is the end of everything that it started.
std::vector<std::string> in_namespaces();

/// Whether this process may make such namespaces here.
bool may_make_namespaces();

/// How a driver is run.
struct DriverOptions {
  std::vector<std::string> words;  ///< the program by path, and its arguments
  std::string plan;                ///< one line
  std::int64_t longest_ms = 0;     ///< after which it is stopped, whatever it does
};

/// Takes a line of the driver; false: nothing more is wanted of it.
using TakeLine = std::function<bool(std::string_view line)>;

/// Runs it until it ends. A signal that asks this process to stop ends the driver first: the end of
/// its standard input tells it to clean up, and what is still there after 10 s is killed. Returns
/// an empty text, or why it ended before its time.
std::string run_driver(const DriverOptions& options, const TakeLine& take);

}  // namespace aftershock::sim::live
