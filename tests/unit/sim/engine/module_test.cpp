#include "sim/engine/module.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "sim/engine/sharing.h"
#include "sim/engine/simgrid/calls.h"

namespace aftershock::sim::engine {
namespace {

// This program lies in a folder beside lib, as the program does.
TEST(Modules, LieInLibBesideTheFolderOfTheProgram) {
  const auto path = module_path("aftershock_simgrid.so");
  EXPECT_EQ(path.filename(), "aftershock_simgrid.so");
  EXPECT_EQ(path.parent_path().filename(), "aftershock");
  EXPECT_TRUE(std::filesystem::exists(path)) << path;
}

// The size that a module says tells one of another version apart.
TEST(Modules, SimGridsFitsThisProgram) {
  void* module = ::dlopen(module_path("aftershock_simgrid.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(module, nullptr) << ::dlerror();
  void* entry = ::dlsym(module, kSimGridEntryName);
  ASSERT_NE(entry, nullptr) << ::dlerror();
  const SimGridCalls* calls = reinterpret_cast<SimGridEntry>(entry)();
  EXPECT_EQ(calls->size_of_calls, sizeof(SimGridCalls));
  EXPECT_NO_THROW(load_sharing());
}

}  // namespace
}  // namespace aftershock::sim::engine
