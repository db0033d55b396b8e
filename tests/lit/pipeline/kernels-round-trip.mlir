// RUN: ingot inspect %s --phase kernels | ingot-opt | FileCheck %s

// The text of the kernels verifies and can be read again: main declares each kernel, whose module has another name.

// CHECK: llvm.func hidden @ingot_row_0(
// CHECK: module @ingot_row_0_module
// CHECK: func.func @ingot_row_0(
func.func @main(%x: tensor<4x9xf32>) -> tensor<4xf32> {
  %0 = ingot.reduce_sum %x {axes = array<i64: 1>} : tensor<4x9xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
