# The viewer's tests that need Qt: one program, which runs without a screen. Those of its rooms
# without Qt are in unit/gui.

find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Widgets Svg Test)

file(GLOB_RECURSE sources CONFIGURE_DEPENDS gui/*.cpp)
# Recordings that tests of rooms without Qt have, too.
list(APPEND sources unit/gui/why/sample_run.cpp)
file(GLOB_RECURSE headers CONFIGURE_DEPENDS gui/*.h)
block(PROPAGATE sources)
  if(AFTERSHOCK_BATCH)
    set(AFTERSHOCK_BATCH 11)
  endif()
  aftershock_in_batches(sources test_gui)
endblock()
add_executable(test_gui ${sources} ${headers})
add_compile_definitions(QT_NO_KEYWORDS)
block()
  aftershock_precompiled(aftershock_precompiled_viewer_tests
    ${AFTERSHOCK_ROOT}/gui/precompiled.h Qt6::Core Qt6::Gui Qt6::Svg Qt6::Test Qt6::Widgets)
  aftershock_compile_options(test_gui)
endblock()
set_target_properties(test_gui PROPERTIES
  AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
target_include_directories(test_gui PRIVATE ${AFTERSHOCK_ROOT})
foreach(room actions theme sidecar session timeline panels map app)
  if(TARGET aftershock_viewer_${room})
    target_link_libraries(test_gui PRIVATE aftershock::viewer_${room})
  endif()
endforeach()
target_link_libraries(test_gui PRIVATE aftershock::api aftershock_simulator_path Qt6::Test
  Qt6::Widgets GTest::gmock GTest::gtest)
aftershock_shards(test_gui gui gui 2)

set(environment AFTERSHOCK_EXECUTABLE=$<TARGET_FILE:aftershock>
                AFTERSHOCK_VIEWER=$<TARGET_FILE:aftershock-viewer>)
list(APPEND programs $<TARGET_FILE:aftershock-viewer>)
foreach(script command_line window picture)
  aftershock_script_test(gui.${script} gui 240 "${environment}" "${programs}"
    bash tests/gui/${script}.sh)
endforeach()
aftershock_script_test(gui.desktop gui 240 "${environment}" "${programs}"
  ${Python3_EXECUTABLE} tests/gui/desktop.py ${CMAKE_BINARY_DIR}/gui/app/cmake_install.cmake)
