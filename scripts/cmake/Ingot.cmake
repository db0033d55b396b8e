# How Ingot's targets are made: include paths, the precompiled header of the MLIR side, TableGen, tests.

# Every include starts at the source root with the project's name: "ingot/runtime/Shape.h".
set(INGOT_INCLUDE_DIR ${CMAKE_BINARY_DIR}/include)
set(INGOT_GEN_DIR ${CMAKE_BINARY_DIR}/gen)
file(MAKE_DIRECTORY ${INGOT_INCLUDE_DIR} ${INGOT_GEN_DIR}/ingot-gen)
file(CREATE_LINK ${CMAKE_SOURCE_DIR} ${INGOT_INCLUDE_DIR}/ingot SYMBOLIC)

set(INGOT_FLAGS -Wall -Wextra -Wno-unused-parameter -fvisibility-inlines-hidden
    -ffile-prefix-map=${CMAKE_SOURCE_DIR}=. -ffile-prefix-map=${CMAKE_BINARY_DIR}=build)
if(INGOT_WERROR)
  list(APPEND INGOT_FLAGS -Werror)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    list(APPEND INGOT_FLAGS -Wno-error=deprecated-declarations) # in libstdc++ 12's own std::stable_sort
  endif()
endif()
if(INGOT_SANITIZE)
  list(APPEND INGOT_FLAGS -fsanitize=${INGOT_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${INGOT_SANITIZE})
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND INGOT_FLAGS -fno-lifetime-dse -Wno-redundant-move)
else()
  add_link_options(-fuse-ld=lld)
endif()
set(INGOT_LLVM_DIR /usr/lib/llvm-19)
set(CMAKE_BUILD_RPATH ${LLVM_LIBRARY_DIR})

function(ingot_target target)
  target_compile_options(${target} PRIVATE ${INGOT_FLAGS})
  target_include_directories(${target} PUBLIC ${INGOT_INCLUDE_DIR} ${INGOT_GEN_DIR})
  add_dependencies(${target} ingot_generated)
endfunction()

# The MLIR side: system headers, and one precompiled header of them that all its files share.
function(ingot_mlir_target target)
  target_include_directories(${target} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT INGOT_SANITIZE)
    add_dependencies(${target} ingot_pch)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE") # -fPIE would not match the header
      set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_compile_options(${target} PRIVATE -fPIC)
    endif()
    target_compile_options(${target} PRIVATE -include-pch ${INGOT_PCH_PATH})
    set_property(TARGET ${target} PROPERTY INGOT_PCH ON)
  endif()
endfunction()

# ingot_add_objects(NAME [MLIR] SOURCES...): the objects of one layer.
function(ingot_add_objects name)
  cmake_parse_arguments(ARG "MLIR" "" "" ${ARGN})
  add_library(${name} OBJECT ${ARG_UNPARSED_ARGUMENTS})
  ingot_target(${name})
  if(ARG_MLIR)
    ingot_mlir_target(${name})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT INGOT_SANITIZE)
      foreach(source ${ARG_UNPARSED_ARGUMENTS})
        set_property(SOURCE ${source} APPEND PROPERTY OBJECT_DEPENDS ${INGOT_PCH_FILE})
      endforeach()
    endif()
  endif()
endfunction()

# ingot_add_test(NAME [MLIR] [LABELS l...] SOURCES...): a GoogleTest binary that is one ctest entry.
function(ingot_add_test name)
  cmake_parse_arguments(ARG "MLIR" "" "LABELS;LIBRARIES" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  ingot_target(${name})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${name} PRIVATE -Wno-dangling-else) # GoogleTest's macros end in an else of their own
  endif()
  if(INGOT_SANITIZE)
    target_sources(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests/support/SanitizerOptions.cpp)
  endif()
  if(ARG_MLIR)
    ingot_mlir_target(${name})
    target_link_libraries(${name} PRIVATE ingot-compiler MLIR LLVM)
  endif()
  target_link_libraries(${name} PRIVATE ingot ${ARG_LIBRARIES} GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT 900)
endfunction()

# Generated files ------------------------------------------------------------------------------------------------
add_custom_target(ingot_generated)
set(INGOT_TBLGEN_INCLUDES -I ${INGOT_LLVM_DIR}/include -I ${INGOT_INCLUDE_DIR})
file(GLOB_RECURSE INGOT_TD_FILES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/ir/*.td)

# ingot_tablegen(SOURCE OUTPUT ARGS...): one mlir-tblgen run; paths are relative to the source and to ingot-gen.
function(ingot_tablegen source output)
  set(path ${INGOT_GEN_DIR}/ingot-gen/${output})
  get_filename_component(dir ${path} DIRECTORY)
  file(MAKE_DIRECTORY ${dir})
  add_custom_command(OUTPUT ${path}
    COMMAND ${INGOT_LLVM_DIR}/bin/mlir-tblgen ${ARGN} ${INGOT_TBLGEN_INCLUDES} ${CMAKE_SOURCE_DIR}/${source} -o ${path}
    DEPENDS ${CMAKE_SOURCE_DIR}/${source} ${INGOT_TD_FILES} VERBATIM)
  string(MAKE_C_IDENTIFIER "gen_${output}" target)
  add_custom_target(${target} DEPENDS ${path})
  add_dependencies(ingot_generated ${target})
endfunction()

# ingot_add_op_family(elementwise): class declarations and definitions of ir/ops/elementwise/Elementwise.td.
function(ingot_add_op_family family)
  string(SUBSTRING ${family} 0 1 first)
  string(TOUPPER ${first} first)
  string(SUBSTRING ${family} 1 -1 rest)
  set(stem ops/${family}/${first}${rest})
  ingot_tablegen(ir/${stem}.td ir/${stem}.h.inc -gen-op-decls)
  ingot_tablegen(ir/${stem}.td ir/${stem}.cpp.inc -gen-op-defs)
endfunction()

# The precompiled header, by a rule of our own: compiler caches hit across checkouts only with -include-pch and a
# relative path to the header.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT INGOT_SANITIZE)
  set(INGOT_PCH_FILE ${CMAKE_BINARY_DIR}/ingot.pch)
  set(INGOT_PCH_PATH ingot.pch)
  separate_arguments(release_flags UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_RELEASE}")
  file(RELATIVE_PATH pch_header ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR}/ir/Pch.h)
  add_custom_command(OUTPUT ${INGOT_PCH_FILE}
    COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${CMAKE_CXX_COMPILER} ${release_flags} -std=c++20 -fPIC ${INGOT_FLAGS}
            -D_GNU_SOURCE -D__STDC_CONSTANT_MACROS -D__STDC_FORMAT_MACROS -D__STDC_LIMIT_MACROS
            -isystem ${INGOT_LLVM_DIR}/include -fpch-instantiate-templates -Xclang -fno-pch-timestamp
            -x c++-header ${pch_header} -o ${INGOT_PCH_PATH} -MD -MF ingot.pch.d -MT ingot.pch
    DEPENDS ${CMAKE_SOURCE_DIR}/ir/Pch.h DEPFILE ${CMAKE_BINARY_DIR}/ingot.pch.d
    WORKING_DIRECTORY ${CMAKE_BINARY_DIR} VERBATIM)
  add_custom_target(ingot_pch DEPENDS ${INGOT_PCH_FILE})
endif()

# What the objects of the compiler were made from; a cache entry of other sources is not used.
file(GLOB_RECURSE INGOT_IDENTITY_FILES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/runtime/*.h ${CMAKE_SOURCE_DIR}/runtime/*.cpp
     ${CMAKE_SOURCE_DIR}/ir/*.h ${CMAKE_SOURCE_DIR}/ir/*.cpp ${CMAKE_SOURCE_DIR}/ir/*.td ${CMAKE_SOURCE_DIR}/passes/*.h
     ${CMAKE_SOURCE_DIR}/passes/*.cpp ${CMAKE_SOURCE_DIR}/passes/*.td ${CMAKE_SOURCE_DIR}/jit/*.h ${CMAKE_SOURCE_DIR}/jit/*.cpp
     ${CMAKE_SOURCE_DIR}/capture/Trace.*)
add_custom_command(OUTPUT ${INGOT_GEN_DIR}/ingot-gen/BuildIdentity.h
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${INGOT_GEN_DIR}/ingot-gen/BuildIdentity.h -DSOURCE_DIR=${CMAKE_SOURCE_DIR}
          -DLLVM=${LLVM_PACKAGE_VERSION} -P ${CMAKE_SOURCE_DIR}/scripts/cmake/BuildIdentity.cmake
  DEPENDS ${INGOT_IDENTITY_FILES} VERBATIM)
add_custom_target(ingot_build_identity DEPENDS ${INGOT_GEN_DIR}/ingot-gen/BuildIdentity.h)
add_dependencies(ingot_generated ingot_build_identity)
