// RUN: ingot-opt %s -ingot-to-simplified | FileCheck %s

// Two transpositions that undo each other are gone, and a reshape of a reshape is one.
// CHECK-LABEL: func.func @movement
// CHECK-NOT: ingot.transpose
// CHECK-COUNT-1: ingot.reshape
// CHECK-NOT: ingot.reshape
// CHECK: return
func.func @movement(%x: tensor<2x6xf32>) -> tensor<4x3xf32> {
  %0 = ingot.transpose %x {permutation = array<i64: 1, 0>} : tensor<2x6xf32> -> tensor<6x2xf32>
  %1 = ingot.transpose %0 {permutation = array<i64: 1, 0>} : tensor<6x2xf32> -> tensor<2x6xf32>
  %2 = ingot.reshape %1 {shape = array<i64: 12>} : tensor<2x6xf32> -> tensor<12xf32>
  %3 = ingot.reshape %2 {shape = array<i64: 4, 3>} : tensor<12xf32> -> tensor<4x3xf32>
  return %3 : tensor<4x3xf32>
}

// The same work is done once.
// CHECK-LABEL: func.func @twice
// CHECK-COUNT-1: ingot.exp
// CHECK-NOT: ingot.exp
// CHECK: return
func.func @twice(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = ingot.exp %x : tensor<8xf32>
  %1 = ingot.exp %x : tensor<8xf32>
  %2 = ingot.mul %0, %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// A product that nobody else reads becomes part of a multiply-add.
// CHECK-LABEL: func.func @multiply_add
// CHECK: ingot.fma
// CHECK-NOT: ingot.mul
// CHECK: return
func.func @multiply_add(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>) -> tensor<8xf32> {
  %0 = ingot.mul %a, %b : tensor<8xf32>
  %1 = ingot.add %0, %c : tensor<8xf32>
  return %1 : tensor<8xf32>
}
