# Writes a header with a hash over the sources that generated code depends on.
file(GLOB_RECURSE files ${SOURCE_DIR}/runtime/*.h ${SOURCE_DIR}/runtime/*.cpp ${SOURCE_DIR}/ir/*.h ${SOURCE_DIR}/ir/*.cpp
     ${SOURCE_DIR}/ir/*.td ${SOURCE_DIR}/passes/*.h ${SOURCE_DIR}/passes/*.cpp ${SOURCE_DIR}/passes/*.td
     ${SOURCE_DIR}/jit/*.h ${SOURCE_DIR}/jit/*.cpp ${SOURCE_DIR}/capture/Trace.*)
list(SORT files)
set(all "llvm ${LLVM}")
foreach(file ${files})
  file(SHA256 ${file} hash)
  file(RELATIVE_PATH name ${SOURCE_DIR} ${file})
  string(APPEND all "\n${name} ${hash}")
endforeach()
string(SHA256 identity "${all}")
string(SUBSTRING ${identity} 0 32 identity)
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "// Which sources this build was made from.
#pragma once

namespace ingot {
inline constexpr char kBuildIdentity[] = \"@identity@\";
} // namespace ingot
" @ONLY)
