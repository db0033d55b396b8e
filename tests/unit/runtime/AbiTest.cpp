// A program without anything else of Ingot may include the ABI, any number of times.
#include "ingot/runtime/Abi.h"

#include <gtest/gtest.h>

#include <type_traits>

extern "C" size_t abi_context_size_in_c(void); // AbiInC.c

namespace {

TEST(Abi, CAndCppAgree) { EXPECT_EQ(abi_context_size_in_c(), sizeof(ingot_context)); }

TEST(Abi, IsPlainData) {
  EXPECT_TRUE(std::is_trivial_v<ingot_context> && std::is_standard_layout_v<ingot_context>);
  EXPECT_TRUE(std::is_trivial_v<ingot_error_record> && std::is_standard_layout_v<ingot_error_record>);
}

TEST(Abi, LayoutIsFixed) {
  // Compiled code has these offsets built in.
  EXPECT_EQ(offsetof(ingot_context, size), 0u);
  EXPECT_EQ(offsetof(ingot_context, parallel_for), 8u);
  EXPECT_EQ(offsetof(ingot_context, state), 16u);
  EXPECT_EQ(offsetof(ingot_context, slots), 24u);
  EXPECT_EQ(offsetof(ingot_context, rng_key), 32u);
  EXPECT_EQ(offsetof(ingot_context, native_ops), 40u);
  EXPECT_EQ(offsetof(ingot_context, error), 48u);
  EXPECT_EQ(offsetof(ingot_context, profiler), 56u);
  EXPECT_EQ(sizeof(ingot_context), 64u);
  EXPECT_EQ(offsetof(ingot_error_record, op), 4u);
  EXPECT_EQ(offsetof(ingot_error_record, index), 8u);
  EXPECT_EQ(sizeof(ingot_error_record), 32u);
  EXPECT_EQ(offsetof(ingot_native_op, state), 8u);
  EXPECT_EQ(sizeof(ingot_native_op), 16u);
  EXPECT_EQ(offsetof(ingot_profiler, end), 8u);
  EXPECT_EQ(offsetof(ingot_profiler, state), 16u);
}

} // namespace
