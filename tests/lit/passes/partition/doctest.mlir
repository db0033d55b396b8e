// RUN: ingot-opt %s --ingot-partition | FileCheck %s
// RUN: ingot-opt %s --ingot-partition --ingot-partition | FileCheck %s

// Two hidden values are read by the backward. The rectified one is in memory anyway, as the product's operand: the
// mask is made from it again. Nothing of the forward but that operand is kept.

// CHECK-LABEL: func.func @main
// CHECK: %[[H:.*]] = ingot.select
// CHECK: %[[Y:.*]] = ingot.dot %[[H]], %arg1
// CHECK-NOT: ingot.le %[[H]]
// CHECK: %[[DH:.*]] = ingot.dot %[[Y]], %arg1 {ingot.backward
// CHECK: %[[MASK:.*]] = ingot.le %[[H]], %{{.*}} {ingot.backward, ingot.recompute}
// CHECK: ingot.select %[[MASK]], %{{.*}}, %[[DH]] {ingot.backward}
func.func @main(%x: tensor<64x32xf32>, %w: tensor<32x16xf32>) -> (tensor<64x16xf32>, tensor<64x32xf32>) {
  %zero = ingot.constant dense<0.0> : tensor<64x32xf32>
  %0 = ingot.le %x, %zero : tensor<64x32xf32>
  %1 = ingot.select %0, %zero, %x : tensor<64x32xi1>, tensor<64x32xf32>
  %2 = ingot.le %1, %zero : tensor<64x32xf32>
  %3 = ingot.dot %1, %w {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
  %4 = ingot.dot %3, %w {ingot.backward, lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 1>} : (tensor<64x16xf32>, tensor<32x16xf32>) -> tensor<64x32xf32>
  %5 = ingot.select %2, %zero, %4 {ingot.backward} : tensor<64x32xi1>, tensor<64x32xf32>
  return %3, %5 : tensor<64x16xf32>, tensor<64x32xf32>
}
