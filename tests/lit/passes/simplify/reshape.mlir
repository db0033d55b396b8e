// RUN: ingot-opt %s --split-input-file --ingot-simplify | FileCheck %s
// RUN: ingot-opt %s --split-input-file --ingot-simplify > %t.once
// RUN: ingot-opt %t.once --split-input-file --ingot-simplify | diff %t.once -

// What follows a product of merged dimensions works on the merged ones.

// CHECK-LABEL: func.func @bias
// CHECK: %[[Y:.*]] = ingot.dot
// CHECK: %[[B:.*]] = ingot.broadcast %arg2 {dims = array<i64: 1>, shape = array<i64: 6, 4>}
// CHECK: %[[S:.*]] = ingot.add %[[Y]], %[[B]] : tensor<6x4xf32>
// CHECK: %[[E:.*]] = ingot.exp %[[S]] : tensor<6x4xf32>
// CHECK-NEXT: %[[R:.*]] = ingot.reshape %[[E]] {shape = array<i64: 2, 3, 4>}
// CHECK-NEXT: return %[[R]]
func.func @bias(%a: tensor<2x3x5xf32>, %w: tensor<5x4xf32>, %b: tensor<4xf32>) -> tensor<2x3x4xf32> {
  %0 = ingot.dot %a, %w {lhs_batch = array<i64>, lhs_contract = array<i64: 2>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<2x3x5xf32>, tensor<5x4xf32>) -> tensor<2x3x4xf32>
  %1 = ingot.broadcast %b {dims = array<i64: 2>, shape = array<i64: 2, 3, 4>} : tensor<4xf32> -> tensor<2x3x4xf32>
  %2 = ingot.add %0, %1 : tensor<2x3x4xf32>
  %3 = ingot.exp %2 : tensor<2x3x4xf32>
  return %3 : tensor<2x3x4xf32>
}

// -----

// CHECK-LABEL: func.func @residual
// CHECK: %[[Y:.*]] = ingot.dot
// CHECK: %[[X:.*]] = ingot.reshape %arg2 {shape = array<i64: 6, 4>}
// CHECK: ingot.add %[[Y]], %[[X]] : tensor<6x4xf32>
func.func @residual(%a: tensor<2x3x5xf32>, %w: tensor<5x4xf32>, %x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = ingot.dot %a, %w {lhs_batch = array<i64>, lhs_contract = array<i64: 2>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<2x3x5xf32>, tensor<5x4xf32>) -> tensor<2x3x4xf32>
  %1 = ingot.add %0, %x : tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

// -----

// CHECK-LABEL: func.func @row_sums
// CHECK: %[[Y:.*]] = ingot.dot
// CHECK: %[[S:.*]] = ingot.reduce_sum %[[Y]] {axes = array<i64: 1>} : tensor<6x4xf32>
// CHECK: %[[B:.*]] = ingot.broadcast %[[S]] {dims = array<i64: 0>, shape = array<i64: 6, 4>}
// CHECK: ingot.sub %[[Y]], %[[B]]
func.func @row_sums(%a: tensor<2x3x5xf32>, %w: tensor<5x4xf32>) -> tensor<2x3x4xf32> {
  %0 = ingot.dot %a, %w {lhs_batch = array<i64>, lhs_contract = array<i64: 2>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<2x3x5xf32>, tensor<5x4xf32>) -> tensor<2x3x4xf32>
  %1 = ingot.reduce_sum %0 {axes = array<i64: 2>} : tensor<2x3x4xf32> -> tensor<2x3xf32>
  %2 = ingot.reshape %1 {shape = array<i64: 2, 3, 1>} : tensor<2x3xf32> -> tensor<2x3x1xf32>
  %3 = ingot.broadcast %2 {dims = array<i64: 0, 1, 2>, shape = array<i64: 2, 3, 4>} : tensor<2x3x1xf32> -> tensor<2x3x4xf32>
  %4 = ingot.sub %0, %3 : tensor<2x3x4xf32>
  return %4 : tensor<2x3x4xf32>
}

// -----

// A sum over a part of a merged dimension needs the parts.
// CHECK-LABEL: func.func @sum_of_part
// CHECK: ingot.dot
// CHECK: ingot.reshape
// CHECK: ingot.reduce_sum %{{.*}} {axes = array<i64: 1>} : tensor<2x3x4xf32>
func.func @sum_of_part(%a: tensor<2x3x5xf32>, %w: tensor<5x4xf32>) -> tensor<2x4xf32> {
  %0 = ingot.dot %a, %w {lhs_batch = array<i64>, lhs_contract = array<i64: 2>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<2x3x5xf32>, tensor<5x4xf32>) -> tensor<2x3x4xf32>
  %1 = ingot.reduce_sum %0 {axes = array<i64: 1>} : tensor<2x3x4xf32> -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// -----

// So does a term that repeats along a part.
// CHECK-LABEL: func.func @repeated_part
// CHECK: ingot.dot
// CHECK: ingot.reshape
// CHECK: ingot.add %{{.*}} : tensor<2x3x4xf32>
func.func @repeated_part(%a: tensor<2x3x5xf32>, %w: tensor<5x4xf32>, %p: tensor<3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = ingot.dot %a, %w {lhs_batch = array<i64>, lhs_contract = array<i64: 2>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<2x3x5xf32>, tensor<5x4xf32>) -> tensor<2x3x4xf32>
  %1 = ingot.broadcast %p {dims = array<i64: 1, 2>, shape = array<i64: 2, 3, 4>} : tensor<3x4xf32> -> tensor<2x3x4xf32>
  %2 = ingot.add %0, %1 : tensor<2x3x4xf32>
  return %2 : tensor<2x3x4xf32>
}

// -----

// There is nothing to fuse with in front of an input.
// CHECK-LABEL: func.func @argument
// CHECK-NEXT: ingot.reshape %arg0
// CHECK-NEXT: ingot.exp
func.func @argument(%x: tensor<6x4xf32>) -> tensor<2x3x4xf32> {
  %0 = ingot.reshape %x {shape = array<i64: 2, 3, 4>} : tensor<6x4xf32> -> tensor<2x3x4xf32>
  %1 = ingot.exp %0 : tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}
