// RUN: ingot-opt %s --ingot-differentiate | FileCheck %s
// RUN: ingot-opt %s --ingot-differentiate --cse --ingot-simplify --cse | FileCheck %s --check-prefix=SIMPLE

// The inner gradient is expanded first and the outer one differentiates what it became: the second derivative of
// sin is -sin.

// CHECK-LABEL: func.func @main
// CHECK-NOT: ingot.grad
// SIMPLE-LABEL: func.func @main
// SIMPLE-SAME: (%[[X:.*]]: tensor<f32>)
// SIMPLE: %[[SIN:.*]] = ingot.sin %[[X]]
// SIMPLE: %[[SECOND:.*]] = ingot.neg %[[SIN]]
// SIMPLE: return %[[SECOND]]
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = ingot.grad(%a = %x) : (tensor<f32>) -> (tensor<f32>) attributes {with_value = 0 : i64, wrt = array<i64: 0>} {
    %1 = ingot.grad(%b = %a) : (tensor<f32>) -> (tensor<f32>) attributes {with_value = 0 : i64, wrt = array<i64: 0>} {
      %2 = ingot.sin %b : tensor<f32>
      ingot.yield %2 : tensor<f32>
    }
    ingot.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}
