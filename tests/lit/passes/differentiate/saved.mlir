// RUN: ingot-opt %s --ingot-differentiate | FileCheck %s
// RUN: ingot-opt %s --ingot-differentiate --cse --ingot-simplify --cse | FileCheck %s --check-prefix=SIMPLE

// A backward whose product ran before: derivatives go through the product, its value comes from memory, and nothing
// computes it again.

// CHECK-LABEL: func.func @main
// CHECK: %[[P:.*]] = ingot.dot %arg0, %arg1
// CHECK: %[[S:.*]] = ingot.saved %[[P]], %arg2 : tensor<4x4xf32>
// CHECK: ingot.tanh %[[S]]
// SIMPLE-LABEL: func.func @main
// SIMPLE-NOT: ingot.dot %arg0, %arg1
// SIMPLE: %[[T:.*]] = ingot.tanh %arg2
// SIMPLE: %[[DW:.*]] = ingot.dot
// SIMPLE: return
func.func @main(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>, %p: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = ingot.grad(%b = %w, %a = %x, %s = %p) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<4x4xf32>) attributes {with_value = 0 : i64, wrt = array<i64: 0>} {
    %1 = ingot.dot %a, %b {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = ingot.saved %1, %s : tensor<4x4xf32>
    %3 = ingot.tanh %2 : tensor<4x4xf32>
    %4 = ingot.reduce_sum %3 {axes = array<i64: 0, 1>} : tensor<4x4xf32> -> tensor<f32>
    ingot.yield %4 : tensor<f32>
  }
  return %0 : tensor<4x4xf32>
}
