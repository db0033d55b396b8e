// RUN: ingot-opt %s --ingot-differentiate --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// What a rule makes has the location of the op it differentiates.
// CHECK: ingot.tanh %{{.*}} : tensor<f32> loc("model.cpp":7:3)
// CHECK: ingot.sub %{{.*}} {ingot.backward} : tensor<f32> loc("model.cpp":7:3)
// CHECK: ingot.mul %{{.*}} {ingot.backward} : tensor<f32> loc("model.cpp":7:3)
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = ingot.grad(%a = %x) : (tensor<f32>) -> (tensor<f32>) attributes {with_value = 0 : i64, wrt = array<i64: 0>} {
    %1 = ingot.tanh %a : tensor<f32> loc("model.cpp":7:3)
    ingot.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}
