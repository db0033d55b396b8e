// RUN: ingot-opt %s -ingot-to-differentiated | FileCheck %s

// The gradient of sum(x * x) is x + x or 2 * x: no ingot.grad is left, and one result of x's type comes back.
// CHECK-LABEL: func.func @main
// CHECK-NOT: ingot.grad
// CHECK: return %{{.*}} : tensor<3xf32>
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = ingot.grad (%a = %x) : (tensor<3xf32>) -> (tensor<3xf32>) attributes {with_value = 0 : i64, wrt = array<i64: 0>} {
    %1 = ingot.mul %a, %a : tensor<3xf32>
    %2 = ingot.reduce_sum %1 {axes = array<i64: 0>} : tensor<3xf32> -> tensor<f32>
    ingot.yield %2 : tensor<f32>
  }
  return %0 : tensor<3xf32>
}
