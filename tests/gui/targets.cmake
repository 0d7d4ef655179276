# The viewer's tests that need Qt: one program, which runs without a screen. Those of its rooms
# without Qt are in unit/gui.

find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Widgets Svg Test)

file(GLOB_RECURSE sources CONFIGURE_DEPENDS gui/*.cpp)
# Recordings that tests of rooms without Qt have, too.
add_executable(test_gui ${sources} unit/gui/why/sample_run.cpp)
aftershock_compile_options(test_gui)
set_target_properties(test_gui PROPERTIES
  AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
target_include_directories(test_gui PRIVATE ${AFTERSHOCK_ROOT})
target_compile_definitions(test_gui PRIVATE
  QT_NO_KEYWORDS AFTERSHOCK_EXECUTABLE="$<TARGET_FILE:aftershock>")
add_dependencies(test_gui aftershock)
foreach(room actions theme sidecar session timeline panels map app)
  if(TARGET aftershock_viewer_${room})
    target_link_libraries(test_gui PRIVATE aftershock::viewer_${room})
  endif()
endforeach()
target_link_libraries(test_gui PRIVATE Qt6::Test Qt6::Widgets GTest::gmock GTest::gtest)
aftershock_shards(test_gui gui gui 2)

add_test(NAME gui.command_line COMMAND bash tests/gui/command_line.sh
         WORKING_DIRECTORY ${AFTERSHOCK_ROOT})
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME gui.desktop
         COMMAND Python3::Interpreter tests/gui/desktop.py
                 ${CMAKE_BINARY_DIR}/gui/app/cmake_install.cmake
         WORKING_DIRECTORY ${AFTERSHOCK_ROOT})
set(programs AFTERSHOCK_EXECUTABLE=$<TARGET_FILE:aftershock>
             AFTERSHOCK_VIEWER=$<TARGET_FILE:aftershock-viewer>)
add_test(NAME gui.window COMMAND bash tests/gui/window.sh WORKING_DIRECTORY ${AFTERSHOCK_ROOT})
add_test(NAME gui.picture COMMAND bash tests/gui/picture.sh WORKING_DIRECTORY ${AFTERSHOCK_ROOT})
set_tests_properties(gui.command_line gui.desktop gui.picture gui.window PROPERTIES
  LABELS gui TIMEOUT 240 SKIP_RETURN_CODE 77 ENVIRONMENT "${programs}")
