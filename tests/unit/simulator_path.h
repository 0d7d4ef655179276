#pragma once

namespace aftershock::testing {

/// The program under test, by its path in the build. One source that the build writes holds it: as
/// a macro it would be in every test's command, and no other checkout could take what was compiled.
extern const char* const kSimulatorPath;

}  // namespace aftershock::testing
