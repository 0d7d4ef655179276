# Shared by the whole tree and by the policies built alone; included before project().
include_guard(GLOBAL)

set(AFTERSHOCK_VERSION 0.1.0)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH AFTERSHOCK_ROOT)

# To be called by the top-level project, after project().
macro(aftershock_project_defaults)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  endif()
  set(cold "")
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    set(cold -Og)
  endif()
  if(NOT "${AFTERSHOCK_BATCH}" MATCHES "^[0-9]*$")
    message(FATAL_ERROR "AFTERSHOCK_BATCH is \"${AFTERSHOCK_BATCH}\": how many sources are "
      "compiled as one, or empty for each by itself")
  endif()
  set(AFTERSHOCK_COLD "${cold}" CACHE STRING "Options of what a command passes once, behind others")
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
  # By the clang driver's own means: a cache of the compiler's results knows -include, and so makes
  # its path a relative one, as it does with GCC. One that is made must not be found by its path, or
  # the driver takes that of the last build for it.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    set(CMAKE_CXX_COMPILE_OPTIONS_CREATE_PCH -x c++-header -include cmake_pch.hxx)
    set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -include <PCH_HEADER>)
  endif()
  # Most of an everyday build's last seconds are linking. A cross compiler looks for it elsewhere.
  find_program(AFTERSHOCK_MOLD mold)
  if(AFTERSHOCK_MOLD AND NOT CMAKE_CROSSCOMPILING AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    add_link_options(-fuse-ld=mold)
  endif()
endmacro()

# aftershock_compile_options(TARGET [HOT] [PLAIN])
# How every target of ours is compiled. Nothing of it reaches those who link an installed library.
# HOT: every run passes through it, again and again, so that a release has -O2 for it. All else is
# passed once a command, and has AFTERSHOCK_COLD besides: -Og takes a compiler two thirds of the
# time. PLAIN: without the headers of aftershock_precompiled, for what needs next to none.
function(aftershock_compile_options target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "HOT;PLAIN" "" "")
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
    -Woverloaded-virtual
    # GCC 12 sees overlaps and ends in std::string's operator+ and resize() that are not there (GCC
    # bug 105651 and others like it), at each level of -O others.
    "$<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:\
-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow>"
    # std::stable_sort of libstdc++ 12 uses what libstdc++ deprecates.
    $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>
    # As in a shared object, which a controller may well be; functions of our own are called and
    # inlined as in a program all the same, and those of libraries called without a stub between.
    # GCC takes a precompiled header only where this is as it was.
    -fPIC -fno-semantic-interposition -fno-plt
    # GCC cleans up behind itself each time that its memory has doubled, which takes an eighth of
    # its time. Here it begins at twice this (in kB), so that every source still fits in 1 GB.
    $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-expand=100>
    $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=300000>
    # Of a source as large as a batch GCC would inline less than of a small one.
    $<$<CXX_COMPILER_ID:GNU>:--param=inline-unit-growth=50>
    # GCC takes a source that a batch includes for a header, whose types others could see.
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${AFTERSHOCK_BATCH}>>:-Wno-subobject-linkage>
    # A fused multiply-add rounds once where two instructions round twice: results would depend on
    # the machine. For the same reason there is no -march and no -ffast-math anywhere.
    -ffp-contract=off
    # A cache of the compiler's results sees by this which precompiled header it was. Those of clang
    # name the headers that they hold: here by paths below the checkout, so that the next checkout
    # can take them when the first is gone.
    $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
    "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp -relocatable-pch \
-isysroot ${AFTERSHOCK_ROOT}>"
    # Messages made from __FILE__, and debug data, are the same in every checkout: that a cache of
    # the compiler's results serves all of them changes no byte. The cache makes paths relative.
    -ffile-prefix-map=${AFTERSHOCK_ROOT}/= -ffile-prefix-map=${CMAKE_BINARY_DIR}/=
    -ffile-prefix-map=../=)
  set(precompiled ${AFTERSHOCK_PRECOMPILED})
  if(AFTERSHOCK_COLD)
    if(arg_HOT)
      set(precompiled ${AFTERSHOCK_PRECOMPILED_HOT})
    else()
      target_compile_options(${target} PRIVATE ${AFTERSHOCK_COLD})
    endif()
  endif()
  if(precompiled AND NOT arg_PLAIN)
    target_precompile_headers(${target} REUSE_FROM ${precompiled})
    target_link_libraries(${target} PRIVATE ${AFTERSHOCK_PRECOMPILED_DEPS})
  endif()
endfunction()

# aftershock_precompiled(NAME HEADERS DEPS...)
# The targets that are defined after this, here and below, take HEADERS precompiled, behind those
# that they took before. A compiler takes only what was compiled by the same options, macros of
# libraries among them: so there is one for the rooms that are HOT and one for the others, and all
# link DEPS. Those that no target takes are not built.
macro(aftershock_precompiled name headers)
  list(APPEND AFTERSHOCK_PRECOMPILED_HEADERS ${headers})
  list(APPEND AFTERSHOCK_PRECOMPILED_DEPS ${ARGN})
  unset(AFTERSHOCK_PRECOMPILED)
  unset(AFTERSHOCK_PRECOMPILED_HOT)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "")
  foreach(heat "" _HOT)
    string(TOLOWER ${name}${heat} target)
    add_library(${target} OBJECT EXCLUDE_FROM_ALL ${source})
    string(REPLACE _ "" hot "${heat}")
    aftershock_compile_options(${target} ${hot})
    target_include_directories(${target} PRIVATE ${AFTERSHOCK_ROOT}
      ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir)
    set_target_properties(${target} PROPERTIES AUTOMOC OFF AUTORCC OFF)
    target_link_libraries(${target} PRIVATE ${AFTERSHOCK_PRECOMPILED_DEPS})
    target_precompile_headers(${target} PRIVATE ${AFTERSHOCK_PRECOMPILED_HEADERS})
  endforeach()
  set(AFTERSHOCK_PRECOMPILED ${name})
  set(AFTERSHOCK_PRECOMPILED_HOT ${name}_hot)
endmacro()

# aftershock_in_batches(VARIABLE NAME)
# Where AFTERSHOCK_BATCH is set, sources that include so many of those in VARIABLE each take their
# place: a compiler makes what several need once. NAME is that of the target that has them.
# CMake's own UNITY_BUILD includes them by absolute paths, and of those a cache of the compiler's
# results knows none in another checkout.
function(aftershock_in_batches variable name)
  if(NOT AFTERSHOCK_BATCH)
    return()
  endif()
  set(alone "")
  set(together "")
  foreach(source IN LISTS ${variable})
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    cmake_path(ABSOLUTE_PATH source NORMALIZE OUTPUT_VARIABLE path)
    if(options)
      list(APPEND alone ${source})
    else()
      cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${AFTERSHOCK_ROOT})
      list(APPEND together ${path})
    endif()
  endforeach()
  list(LENGTH together count)
  set(most ${AFTERSHOCK_BATCH})
  # Commands read nearly all headers that there are: 19 of them took 1 GB. Parts of runs are
  # optimised: 31 took 1.1 GB.
  if(name MATCHES "^aftershock_(commands|parts_of_runs)$" AND most GREATER 16)
    set(most 16)
  endif()
  math(EXPR batches "(${count} + ${most} - 1) / ${most}")
  set(begin 0)
  foreach(batch RANGE 1 ${batches})
    math(EXPR end "${count} * ${batch} / ${batches}")
    math(EXPR size "${end} - ${begin}")
    list(SUBLIST together ${begin} ${size} members)
    list(TRANSFORM members REPLACE "(.+)" "#include \"\\1\"\n")
    list(JOIN members "" content)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}_${batch}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "${content}" @ONLY)
    list(APPEND alone ${source})
    set(begin ${end})
  endforeach()
  set(${variable} ${alone} PARENT_SCOPE)
endfunction()

# aftershock_library(NAME [HOT|WARM] [BATCH group] [EXCLUDE file...] DEPS target...)
# The library of the calling folder, aftershock::NAME: all its .cpp files, without subfolders. A
# folder of headers only becomes an interface library. HOT is that of aftershock_compile_options;
# WARM is HOT in a release alone: a sanitized build takes half as long for it where it is not, and
# its tests next to no longer.
# Where sources are compiled in batches, those of all libraries with the same BATCH share them: a
# library that is small would make by itself once more what its neighbours have. All are HOT where
# the first of them is.
function(aftershock_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "HOT;WARM" "BATCH" "EXCLUDE;DEPS")
  set(target aftershock_${name})
  set(hot "")
  if(arg_WARM AND CMAKE_BUILD_TYPE STREQUAL "Release")
    set(arg_HOT TRUE)
  endif()
  if(arg_HOT)
    set(hot HOT)
  endif()
  file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.cpp)
  if(arg_EXCLUDE)
    list(REMOVE_ITEM sources ${arg_EXCLUDE})
  endif()
  set(deps ${arg_DEPS})
  if(sources AND arg_BATCH AND AFTERSHOCK_BATCH)
    aftershock_shared_batch(aftershock_${arg_BATCH} "${sources}" "${arg_DEPS}" ${hot})
    list(APPEND deps aftershock_${arg_BATCH})
    set(sources "")
  endif()
  if(sources)
    aftershock_in_batches(sources ${target})
    # Named, since what moc makes of them is not found by batches.
    file(GLOB headers CONFIGURE_DEPENDS *.h)
    add_library(${target} STATIC ${sources} ${headers})
    aftershock_compile_options(${target} ${hot})
    if(arg_HOT)
      set_property(GLOBAL APPEND PROPERTY AFTERSHOCK_HOT ${target})
    endif()
    if(AFTERSHOCK_FUZZ AND name IN_LIST AFTERSHOCK_FUZZED)
      # That of -fsanitize=fuzzer-no-link, with which clang takes no precompiled header.
      target_compile_options(${target} PRIVATE
        -fsanitize-coverage=inline-8bit-counters,pc-table,indirect-calls,trace-cmp)
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
  target_link_libraries(${target} ${scope} ${deps})
endfunction()

# aftershock_shared_batch(TARGET SOURCES DEPS [HOT])
# Adds SOURCES of the calling folder to the library TARGET, which has its sources when all folders
# of the project have been read. Options of a source of its own would be lost on that way.
function(aftershock_shared_batch target sources deps)
  if(NOT TARGET ${target})
    add_library(${target} STATIC)
    aftershock_compile_options(${target} ${ARGN})
    target_include_directories(${target} PRIVATE ${AFTERSHOCK_ROOT})
    if(ARGN)
      set_property(GLOBAL APPEND PROPERTY AFTERSHOCK_HOT ${target})
    endif()
    set_property(GLOBAL APPEND PROPERTY AFTERSHOCK_SHARED_BATCHES ${target})
    cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY [[${PROJECT_SOURCE_DIR}]]
      CALL aftershock_fill_shared_batch ${target})")
  endif()
  list(TRANSFORM sources PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  set_property(GLOBAL APPEND PROPERTY ${target}_SOURCES ${sources})
  set_property(GLOBAL APPEND PROPERTY ${target}_DEPS ${deps})
endfunction()

function(aftershock_fill_shared_batch target)
  get_property(sources GLOBAL PROPERTY ${target}_SOURCES)
  get_property(deps GLOBAL PROPERTY ${target}_DEPS)
  list(REMOVE_DUPLICATES deps)
  aftershock_in_batches(sources ${target})
  target_sources(${target} PRIVATE ${sources})
  target_link_libraries(${target} PUBLIC ${deps})
endfunction()
