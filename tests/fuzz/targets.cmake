# One fuzz target a file, fuzz/NAME.cpp. Inputs to begin with, and what a fuzzer has found, are in
# fuzz/NAME/, words in fuzz/NAME.dict. AFTERSHOCK_FUZZ makes fuzzers of them; every other build has
# a test that runs each target once over those inputs.

set(scenario_reader_inputs scenarios tests/data/bad_scenarios)

# Recordings are made by the build: checked-in ones would be of yesterday's format.
set(fuzz_recordings ${CMAKE_CURRENT_BINARY_DIR}/fuzz_recordings)
set(recording_reader_inputs ${fuzz_recordings})
set(trace_loader_inputs ${fuzz_recordings})
set(trace_loader_needs aftershock::viewer_trace)
add_custom_command(
  OUTPUT ${fuzz_recordings}/plain.aftershock ${fuzz_recordings}/packed.aftershock.zst
  COMMAND ${CMAKE_COMMAND} -E make_directory ${fuzz_recordings}
  COMMAND aftershock run scenarios/quickstart.json --quiet --seed 2 --set /jobs/0/steps=3000
          --set /expect=[] --set /faults/0/require=null --set /faults/1/require=null
          --record ${fuzz_recordings}/plain.aftershock
  COMMAND aftershock run scenarios/quickstart.json --quiet --seed 3 --set /jobs/0/steps=3000
          --set /expect=[] --set /faults/0/require=null --set /jobs/0/policy/config/max_failures=0
          --set /faults/1={"kind":"hang","target":"job:llm","at_step":500}
          --record ${fuzz_recordings}/packed.aftershock.zst
  WORKING_DIRECTORY ${AFTERSHOCK_ROOT}
  DEPENDS aftershock
  COMMENT "Recording runs for the fuzz targets"
  VERBATIM)
add_custom_target(fuzz_recordings ALL
  DEPENDS ${fuzz_recordings}/plain.aftershock ${fuzz_recordings}/packed.aftershock.zst)

file(GLOB sources CONFIGURE_DEPENDS fuzz/*.cpp)
foreach(source IN LISTS sources)
  cmake_path(GET source STEM name)
  set(target fuzz_${name})
  set(inputs ${${name}_inputs})
  if(${name}_needs AND NOT TARGET ${${name}_needs})
    continue()
  endif()
  if(IS_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/${name})
    list(APPEND inputs tests/fuzz/${name})
  endif()
  add_executable(${target} ${source})
  aftershock_compile_options(${target})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  target_include_directories(${target} PRIVATE ${AFTERSHOCK_ROOT})
  target_link_libraries(${target} PRIVATE aftershock::cli ${${name}_needs})
  if(AFTERSHOCK_FUZZ)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    # New inputs go to the build tree.
    set(corpus ${CMAKE_CURRENT_BINARY_DIR}/corpus/${name})
    file(MAKE_DIRECTORY ${corpus})
    add_test(NAME fuzz.${name} WORKING_DIRECTORY ${AFTERSHOCK_ROOT}
      COMMAND bash tests/fuzz/run.sh $<TARGET_FILE:${target}> tests/fuzz/${name}.dict ${corpus}
              ${inputs})
  else()
    target_sources(${target} PRIVATE fuzz/replay/main.cpp)
    add_test(NAME fuzz.${name} WORKING_DIRECTORY ${AFTERSHOCK_ROOT}
      COMMAND ${target} ${inputs})
  endif()
  set_tests_properties(fuzz.${name} PROPERTIES LABELS fuzz TIMEOUT 7200
    REQUIRED_FILES "$<TARGET_FILE:${target}>;${fuzz_recordings}/plain.aftershock;\
${fuzz_recordings}/packed.aftershock.zst")
endforeach()
