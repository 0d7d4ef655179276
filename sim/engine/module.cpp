#include "sim/engine/module.h"

namespace aftershock::sim::engine {

std::filesystem::path module_path(std::string_view name) {
  const auto program = std::filesystem::read_symlink("/proc/self/exe");
  return program.parent_path().parent_path() / "lib/aftershock" / name;
}

}  // namespace aftershock::sim::engine
