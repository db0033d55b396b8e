// Donated inputs that change places: of each cycle one result is made elsewhere and copied at the end.
// RUN: ingot-opt %s -pass-pipeline='builtin.module(func.func(ingot-fuse,ingot-schedule))' | FileCheck %s

// Two that swap: one copy.
// CHECK-LABEL: func.func @swap
// CHECK-COUNT-1: ingot.copy_last
// CHECK-NOT: ingot.copy_last
// CHECK: return
func.func @swap(%a: tensor<8xf32> {ingot.donated}, %b: tensor<8xf32> {ingot.donated}) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = ingot.exp %b : tensor<8xf32>
  %1 = ingot.tanh %a : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// Each in its own place: none.
// CHECK-LABEL: func.func @stay
// CHECK-NOT: ingot.copy_last
// CHECK: return
func.func @stay(%a: tensor<8xf32> {ingot.donated}, %b: tensor<4xf32> {ingot.donated}) -> (tensor<8xf32>, tensor<4xf32>) {
  %0 = ingot.exp %a : tensor<8xf32>
  %1 = ingot.tanh %b : tensor<4xf32>
  return %0, %1 : tensor<8xf32>, tensor<4xf32>
}

// A writer that reads its own input elsewhere: a copy.
// CHECK-LABEL: func.func @itself
// CHECK-COUNT-1: ingot.copy_last
// CHECK: return
func.func @itself(%a: tensor<8x8xf32> {ingot.donated}) -> tensor<8x8xf32> {
  %0 = ingot.transpose %a {permutation = array<i64: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
  %1 = ingot.exp %0 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
