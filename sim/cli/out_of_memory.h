#pragma once

namespace aftershock::sim::cli {

/// From now on the program ends with kOutOfMemory where memory for C++ objects runs out, with a
/// word on standard error that names the command: allocators would abort without one.
void end_when_out_of_memory();

}  // namespace aftershock::sim::cli
