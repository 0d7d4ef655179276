# Shared by the whole tree and by the policies built alone; included before project().
include_guard(GLOBAL)

set(AFTERSHOCK_VERSION 0.1.0)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH AFTERSHOCK_ROOT)

# To be called by the top-level project, after project().
macro(aftershock_project_defaults)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  endif()
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
  # Most of an everyday build's last seconds are linking.
  find_program(AFTERSHOCK_MOLD mold)
  if(AFTERSHOCK_MOLD AND NOT AFTERSHOCK_LTO AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    add_link_options(-fuse-ld=mold)
  endif()
endmacro()

# How every target of ours is compiled. Nothing of it reaches those who link an installed library.
function(aftershock_compile_options target)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
    -Woverloaded-virtual
    # GCC 12 sees overlaps in std::string's operator+ that are not there (GCC bug 105651).
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
    # In a unity build GCC takes a source for a header, whose types others could see.
    $<$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>:-Wno-subobject-linkage>
    # A fused multiply-add rounds once where two instructions round twice: results would depend on
    # the machine. For the same reason there is no -march and no -ffast-math anywhere.
    -ffp-contract=off
    # Messages made from __FILE__, and debug data, are the same in every checkout: that a cache of
    # the compiler's results serves all of them changes no byte.
    -ffile-prefix-map=${AFTERSHOCK_ROOT}/= -ffile-prefix-map=${CMAKE_BINARY_DIR}/=)
endfunction()

# aftershock_library(NAME [HOT|COLD] [EXCLUDE file...] DEPS target...)
# The library of the calling folder, aftershock::NAME: all its .cpp files, without subfolders. A
# folder of headers only becomes an interface library. HOT: every run passes through it, again and
# again, so that where AFTERSHOCK_LTO is set the simulator is optimised across its border. COLD: it
# is passed once a command, and -O1, which compiles a quarter faster, is enough for it. Sources that
# take Boost.Math are not: at -O1 its tables are made at each start of the program, and not by the
# compiler.
function(aftershock_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "HOT;COLD" "" "EXCLUDE;DEPS")
  set(target aftershock_${name})
  file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.cpp)
  if(arg_EXCLUDE)
    list(REMOVE_ITEM sources ${arg_EXCLUDE})
  endif()
  if(sources)
    add_library(${target} STATIC ${sources})
    aftershock_compile_options(${target})
    if(arg_HOT AND AFTERSHOCK_LTO)
      target_compile_options(${target} PRIVATE -flto=auto -ffat-lto-objects)
    endif()
    if(arg_COLD AND CMAKE_BUILD_TYPE STREQUAL "Release")
      target_compile_options(${target} PRIVATE -O1)
    endif()
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    target_compile_features(${target} INTERFACE cxx_std_20)
    set(scope INTERFACE)
  endif()
  add_library(aftershock::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(${target} ${scope}
    $<BUILD_INTERFACE:${AFTERSHOCK_ROOT}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/aftershock>)
  target_link_libraries(${target} ${scope} ${arg_DEPS})
endfunction()
