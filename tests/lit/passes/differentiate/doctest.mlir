// RUN: ingot-opt %s --ingot-differentiate | FileCheck %s

// The region's ops stay as the forward; the reverse sweep follows, marked and in the same order backwards. Nothing is
// made for the input that no gradient is asked for.

// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<3xf32>, %[[W:.*]]: tensor<3xf32>)
// CHECK-NEXT: %[[E:.*]] = ingot.exp %[[X]] : tensor<3xf32>
// CHECK-NEXT: %[[P:.*]] = ingot.mul %[[E]], %[[W]] : tensor<3xf32>
// CHECK-NEXT: %[[LOSS:.*]] = ingot.reduce_sum %[[P]] {axes = array<i64: 0>} : tensor<3xf32> -> tensor<f32>
// CHECK-NEXT: %[[ONE:.*]] = ingot.constant {ingot.backward} dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[DP:.*]] = ingot.broadcast %[[ONE]] {dims = array<i64>, ingot.backward, shape = array<i64: 3>}
// CHECK-NEXT: %[[DE:.*]] = ingot.mul %[[DP]], %[[W]] {ingot.backward} : tensor<3xf32>
// CHECK-NEXT: %[[DX:.*]] = ingot.mul %[[DE]], %[[E]] {ingot.backward} : tensor<3xf32>
// CHECK-NEXT: return %[[LOSS]], %[[DX]] : tensor<f32>, tensor<3xf32>
func.func @main(%x: tensor<3xf32>, %w: tensor<3xf32>) -> (tensor<f32>, tensor<3xf32>) {
  %0:2 = ingot.grad(%a = %x, %b = %w) : (tensor<3xf32>, tensor<3xf32>) -> (tensor<f32>, tensor<3xf32>) attributes {with_value = 1 : i64, wrt = array<i64: 0>} {
    %1 = ingot.exp %a : tensor<3xf32>
    %2 = ingot.mul %1, %b : tensor<3xf32>
    %3 = ingot.reduce_sum %2 {axes = array<i64: 0>} : tensor<3xf32> -> tensor<f32>
    ingot.yield %3 : tensor<f32>
  }
  return %0#0, %0#1 : tensor<f32>, tensor<3xf32>
}
