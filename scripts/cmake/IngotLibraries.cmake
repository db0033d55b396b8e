# The two shared libraries. libingot knows nothing of LLVM; libingot-compiler is opened when it is needed.
add_library(ingot SHARED $<TARGET_OBJECTS:ingot_runtime_objects> $<TARGET_OBJECTS:ingot_optable_objects>
            $<TARGET_OBJECTS:ingot_capture_objects>)
# <ingot/ingot.h> has a place of its own in the build tree, where include/ingot is the source root.
set(INGOT_PUBLIC_DIR ${CMAKE_BINARY_DIR}/gen-public)
file(CONFIGURE OUTPUT ${INGOT_PUBLIC_DIR}/ingot/ingot.h CONTENT "#pragma once\n#include \"ingot/capture/Ingot.h\"\n" @ONLY)
target_include_directories(ingot PUBLIC $<BUILD_INTERFACE:${INGOT_PUBLIC_DIR}> $<BUILD_INTERFACE:${INGOT_INCLUDE_DIR}>
                           $<BUILD_INTERFACE:${INGOT_GEN_DIR}> $<INSTALL_INTERFACE:include>)
target_compile_features(ingot PUBLIC cxx_std_20)
target_link_libraries(ingot PUBLIC Threads::Threads PRIVATE ${CMAKE_DL_LIBS})

add_library(ingot-compiler SHARED $<TARGET_OBJECTS:ingot_ir_objects> $<TARGET_OBJECTS:ingot_passes_objects>
            $<TARGET_OBJECTS:ingot_jit_objects>)
target_link_libraries(ingot-compiler PRIVATE ingot MLIR LLVM)
add_library(Ingot::ingot ALIAS ingot)
foreach(library ingot ingot-compiler)
  set_target_properties(${library} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib
                        INSTALL_RPATH "$ORIGIN;${LLVM_LIBRARY_DIR}")
endforeach()
