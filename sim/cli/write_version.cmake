# cmake -DROOT=... -DVERSION=... -DOUTPUT=... -P write_version.cmake
# --show-prefix prints an empty line when ROOT is the top of its repository: sources unpacked inside
# somebody else's repository must not claim that repository's commit.
execute_process(COMMAND git rev-parse --show-prefix HEAD
  WORKING_DIRECTORY ${ROOT} RESULT_VARIABLE failed OUTPUT_VARIABLE answer ERROR_QUIET)
set(commit unknown)
if(failed EQUAL 0 AND answer MATCHES "^\n([0-9a-f]+)\n$")
  set(commit ${CMAKE_MATCH_1})
endif()

file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#pragma once

#include <string_view>

namespace aftershock {

inline constexpr std::string_view kVersion = "@VERSION@";
inline constexpr std::string_view kCommit = "@commit@";

}  // namespace aftershock
]])
