# A header as a C++ string literal.
file(READ ${INPUT} text)
file(WRITE ${OUTPUT} "// The text of runtime/Abi.h.\n#pragma once\n\nnamespace ingot {\ninline constexpr char kAbiText[] = R\"ABI(${text})ABI\";\n} // namespace ingot\n")
