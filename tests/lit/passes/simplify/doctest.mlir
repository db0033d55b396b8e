// RUN: ingot-opt %s --ingot-simplify | FileCheck %s

// A mean over eight, a product of a transposed matrix with a bias, and an identity.

// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<8x4xf32>, %[[W:.*]]: tensor<8x3xf32>, %[[B:.*]]: tensor<3xf32>)
// CHECK: %[[EIGHTH:.*]] = ingot.constant dense<1.250000e-01> : tensor<4x3xf32>
// CHECK: %[[Y:.*]] = ingot.dot %[[X]], %[[W]] {lhs_batch = array<i64>, lhs_contract = array<i64: 0>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>}
// CHECK: %[[MEAN:.*]] = ingot.mul %[[Y]], %[[EIGHTH]]
// CHECK: %[[BIAS:.*]] = ingot.broadcast %[[B]] {dims = array<i64: 1>, shape = array<i64: 4, 3>}
// CHECK: %[[SUM:.*]] = ingot.add %[[MEAN]], %[[BIAS]]
// CHECK: return %[[SUM]]
func.func @main(%x: tensor<8x4xf32>, %w: tensor<8x3xf32>, %b: tensor<3xf32>) -> tensor<4x3xf32> {
  %0 = ingot.transpose %x {permutation = array<i64: 1, 0>} : tensor<8x4xf32> -> tensor<4x8xf32>
  %1 = ingot.dot %0, %w {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  %2 = ingot.constant dense<8.0> : tensor<4x3xf32>
  %3 = ingot.div %1, %2 : tensor<4x3xf32>
  %4 = ingot.reshape %b {shape = array<i64: 1, 3>} : tensor<3xf32> -> tensor<1x3xf32>
  %5 = ingot.broadcast %4 {dims = array<i64: 0, 1>, shape = array<i64: 4, 3>} : tensor<1x3xf32> -> tensor<4x3xf32>
  %6 = ingot.add %3, %5 : tensor<4x3xf32>
  %7 = ingot.constant dense<1.0> : tensor<4x3xf32>
  %8 = ingot.mul %6, %7 : tensor<4x3xf32>
  return %8 : tensor<4x3xf32>
}
