// RUN: ingot-opt %s --split-input-file --ingot-partition | FileCheck %s

// Under balanced checkpointing only the product's result is kept: all that is pointwise is made again behind the
// forward, whatever it costs, also what the forward has in memory for its second product.
// CHECK-LABEL: func.func @balanced
// CHECK: %[[H:.*]] = ingot.dot %arg0, %arg1
// CHECK: %[[Y:.*]] = ingot.dot
// CHECK: %[[T:.*]] = ingot.tanh %[[H]] {ingot.backward = "Balanced", ingot.recompute}
// CHECK: %[[A:.*]] = ingot.exp %[[T]] {ingot.backward = "Balanced", ingot.recompute}
// CHECK: ingot.dot %[[A]], %[[Y]] {ingot.backward = "Balanced"
// CHECK: ingot.mul %[[T]], %{{.*}} {ingot.backward = "Balanced"}
// CHECK: ingot.mul %[[H]], %{{.*}} {ingot.backward = "Balanced"}
func.func @balanced(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = ingot.dot %x, %w {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = ingot.tanh %0 : tensor<64x64xf32>
  %2 = ingot.exp %1 : tensor<64x64xf32>
  %3 = ingot.dot %2, %w {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = ingot.dot %2, %3 {ingot.backward = "Balanced", lhs_batch = array<i64>, lhs_contract = array<i64: 0>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %5 = ingot.mul %1, %4 {ingot.backward = "Balanced"} : tensor<64x64xf32>
  %6 = ingot.mul %0, %5 {ingot.backward = "Balanced"} : tensor<64x64xf32>
  return %4, %6 : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// The same program under the other strategy: expensive functions are kept.
// CHECK-LABEL: func.func @none
// CHECK: %[[T:.*]] = ingot.tanh
// CHECK: %[[A:.*]] = ingot.exp
// CHECK-NOT: ingot.recompute
func.func @none(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = ingot.dot %x, %w {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = ingot.tanh %0 : tensor<64x64xf32>
  %2 = ingot.exp %1 : tensor<64x64xf32>
  %3 = ingot.dot %2, %w {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = ingot.dot %2, %3 {ingot.backward, lhs_batch = array<i64>, lhs_contract = array<i64: 0>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %5 = ingot.mul %1, %4 {ingot.backward} : tensor<64x64xf32>
  %6 = ingot.mul %0, %5 {ingot.backward} : tensor<64x64xf32>
  return %4, %6 : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// What a region of either strategy reads is decided as if there were no other.
// CHECK-LABEL: func.func @both
// CHECK: %[[E:.*]] = ingot.exp %arg0
// CHECK: %[[S:.*]] = ingot.sin %arg0 {ingot.backward = "Balanced", ingot.recompute}
// CHECK: ingot.mul %[[S]], %[[E]] {ingot.backward = "Balanced"}
// CHECK: ingot.mul %[[E]], %[[E]] {ingot.backward}
func.func @both(%x: tensor<64xf32>) -> (tensor<f32>, tensor<64xf32>, tensor<64xf32>) {
  %0 = ingot.exp %x : tensor<64xf32>
  %1 = ingot.sin %x : tensor<64xf32>
  %2 = ingot.mul %0, %1 : tensor<64xf32>
  %3 = ingot.reduce_sum %2 {axes = array<i64: 0>} : tensor<64xf32> -> tensor<f32>
  %4 = ingot.mul %1, %0 {ingot.backward = "Balanced"} : tensor<64xf32>
  %5 = ingot.mul %0, %0 {ingot.backward} : tensor<64xf32>
  return %3, %4, %5 : tensor<f32>, tensor<64xf32>, tensor<64xf32>
}

// -----

// A chain of pointwise ops that each feed a product: of four links one is kept, so that making the last again does not
// start at the first.
// CHECK-LABEL: func.func @links
// CHECK: ingot.sin %arg0
// CHECK: ingot.sin
// CHECK: %[[KEPT:.*]] = ingot.sin
// CHECK: %[[LAST:.*]] = ingot.sin %[[KEPT]] {ingot.backward = "Balanced", ingot.recompute}
// CHECK: ingot.mul %[[LAST]]
// CHECK: ingot.mul %[[KEPT]]
// CHECK: %[[FIRST:.*]] = ingot.sin %arg0 {ingot.backward = "Balanced", ingot.recompute}
// CHECK: ingot.sin %[[FIRST]] {ingot.backward = "Balanced", ingot.recompute}
func.func @links(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = ingot.sin %x : tensor<64x64xf32>
  %d0 = ingot.dot %0, %x {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = ingot.sin %0 : tensor<64x64xf32>
  %d1 = ingot.dot %1, %d0 {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = ingot.sin %1 : tensor<64x64xf32>
  %d2 = ingot.dot %2, %d1 {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = ingot.sin %2 : tensor<64x64xf32>
  %d3 = ingot.dot %3, %d2 {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = ingot.mul %3, %d3 {ingot.backward = "Balanced"} : tensor<64x64xf32>
  %5 = ingot.mul %2, %4 {ingot.backward = "Balanced"} : tensor<64x64xf32>
  %6 = ingot.mul %1, %5 {ingot.backward = "Balanced"} : tensor<64x64xf32>
  %7 = ingot.mul %0, %6 {ingot.backward = "Balanced"} : tensor<64x64xf32>
  return %d3, %7 : tensor<64x64xf32>, tensor<64x64xf32>
}
