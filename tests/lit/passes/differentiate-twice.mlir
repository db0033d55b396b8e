// RUN: ingot-opt %s -ingot-to-simplified | FileCheck %s

// Gradients nest: the second derivative of sum(x * x * x) holds no mark either.
// CHECK-LABEL: func.func @main
// CHECK-NOT: ingot.grad
// CHECK: return %{{.*}} : tensor<3xf32>
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = ingot.grad (%a = %x) : (tensor<3xf32>) -> (tensor<3xf32>) attributes {with_value = 0 : i64, wrt = array<i64: 0>} {
    %1 = ingot.grad (%b = %a) : (tensor<3xf32>) -> (tensor<3xf32>) attributes {with_value = 0 : i64, wrt = array<i64: 0>} {
      %2 = ingot.mul %b, %b : tensor<3xf32>
      %3 = ingot.mul %2, %b : tensor<3xf32>
      %4 = ingot.reduce_sum %3 {axes = array<i64: 0>} : tensor<3xf32> -> tensor<f32>
      ingot.yield %4 : tensor<f32>
    }
    %5 = ingot.reduce_sum %1 {axes = array<i64: 0>} : tensor<3xf32> -> tensor<f32>
    ingot.yield %5 : tensor<f32>
  }
  return %0 : tensor<3xf32>
}
