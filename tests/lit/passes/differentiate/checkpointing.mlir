// RUN: ingot-opt %s --ingot-differentiate | FileCheck %s

// A region's strategy is on what was made for its backward; None is the mark alone. The text keeps what it says.
// CHECK-LABEL: func.func @main
// CHECK: %[[A:.*]] = ingot.exp %arg0 : tensor<f32>
// CHECK: ingot.mul %{{.*}}, %[[A]] {ingot.backward = "Balanced"}
// CHECK: %[[B:.*]] = ingot.sin %arg0 : tensor<f32>
// CHECK: ingot.cos %arg0 {ingot.backward}
func.func @main(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = ingot.grad(%a = %x) : (tensor<f32>) -> (tensor<f32>) attributes {checkpointing = "Balanced", with_value = 0 : i64, wrt = array<i64: 0>} {
    %2 = ingot.exp %a : tensor<f32>
    %3 = ingot.exp %2 : tensor<f32>
    ingot.yield %3 : tensor<f32>
  }
  %1 = ingot.grad(%a = %x) : (tensor<f32>) -> (tensor<f32>) attributes {with_value = 0 : i64, wrt = array<i64: 0>} {
    %2 = ingot.sin %a : tensor<f32>
    %3 = ingot.sin %2 : tensor<f32>
    ingot.yield %3 : tensor<f32>
  }
  return %0, %1 : tensor<f32>, tensor<f32>
}
