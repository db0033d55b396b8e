// RUN: ingot-opt %s --split-input-file --ingot-differentiate | FileCheck %s

// Cotangents of a value that is read twice are added, the later reader's first.
// CHECK-LABEL: func.func @read_twice
// CHECK-SAME: (%[[X:.*]]: tensor<f32>)
// CHECK: %[[EXP:.*]] = ingot.exp %[[X]] : tensor<f32>
// CHECK: %[[OF_EXP:.*]] = ingot.mul %{{.*}}, %[[EXP]] {ingot.backward}
// CHECK: %[[COS:.*]] = ingot.cos %[[X]] {ingot.backward}
// CHECK: %[[OF_SIN:.*]] = ingot.mul %{{.*}}, %[[COS]] {ingot.backward}
// CHECK: %[[SUM:.*]] = ingot.add %[[OF_EXP]], %[[OF_SIN]] {ingot.backward}
// CHECK: return %[[SUM]]
func.func @read_twice(%x: tensor<f32>) -> tensor<f32> {
  %0 = ingot.grad(%a = %x) : (tensor<f32>) -> (tensor<f32>) attributes {with_value = 0 : i64, wrt = array<i64: 0>} {
    %1 = ingot.sin %a : tensor<f32>
    %2 = ingot.exp %a : tensor<f32>
    %3 = ingot.add %1, %2 : tensor<f32>
    ingot.yield %3 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// An operand that is two inputs of the region keeps their gradients apart.
// CHECK-LABEL: func.func @same_operand
// CHECK-SAME: (%[[X:.*]]: tensor<f32>)
// CHECK: %[[EXP:.*]] = ingot.exp %[[X]]
// CHECK: %[[DB:.*]] = ingot.mul %{{.*}}, %[[EXP]] {ingot.backward}
// CHECK: %[[DA:.*]] = ingot.mul %{{.*}}, %[[EXP]] {ingot.backward}
// CHECK: return %{{.*}}, %{{.*}} : tensor<f32>, tensor<f32>
func.func @same_operand(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0:2 = ingot.grad(%a = %x, %b = %x) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>) attributes {with_value = 0 : i64, wrt = array<i64: 0, 1>} {
    %1 = ingot.exp %a : tensor<f32>
    %2 = ingot.mul %1, %b : tensor<f32>
    ingot.yield %2 : tensor<f32>
  }
  return %0#0, %0#1 : tensor<f32>, tensor<f32>
}

// -----

// Where nothing flows the gradient is zeros of the input's type, and no rule runs.
// CHECK-LABEL: func.func @nothing_flows
// CHECK-DAG: %[[ZA:.*]] = ingot.constant {ingot.backward} dense<0.000000e+00> : tensor<2x3xf64>
// CHECK-DAG: %[[ZB:.*]] = ingot.constant {ingot.backward} dense<0.000000e+00> : tensor<f32>
// CHECK-NOT: ingot.backward
// CHECK: return %[[ZA]], %[[ZB]]
func.func @nothing_flows(%x: tensor<2x3xf64>, %y: tensor<f32>) -> (tensor<2x3xf64>, tensor<f32>) {
  %0:2 = ingot.grad(%a = %x, %b = %y) : (tensor<2x3xf64>, tensor<f32>) -> (tensor<2x3xf64>, tensor<f32>) attributes {with_value = 0 : i64, wrt = array<i64: 0, 1>} {
    %1 = ingot.stop_gradient %b : tensor<f32>
    %2 = ingot.exp %1 : tensor<f32>
    ingot.yield %2 : tensor<f32>
  }
  return %0#0, %0#1 : tensor<2x3xf64>, tensor<f32>
}

// -----

// The output is the input.
// CHECK-LABEL: func.func @identity
// CHECK: %[[ONE:.*]] = ingot.constant {ingot.backward} dense<1.000000e+00> : tensor<f32>
// CHECK: return %[[ONE]]
func.func @identity(%x: tensor<f32>) -> tensor<f32> {
  %0 = ingot.grad(%a = %x) : (tensor<f32>) -> (tensor<f32>) attributes {with_value = 0 : i64, wrt = array<i64: 0>} {
    ingot.yield %a : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// More outputs come along; only the first is differentiated.
// CHECK-LABEL: func.func @auxiliary
// CHECK: %[[S:.*]] = ingot.sin %[[X:.*]] : tensor<f32>
// CHECK: %[[E:.*]] = ingot.exp %[[X]] : tensor<f32>
// CHECK-NOT: ingot.mul %{{.*}}, %[[E]]
// CHECK: return %[[S]], %[[E]], %{{.*}}
func.func @auxiliary(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %0:3 = ingot.grad(%a = %x) : (tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) attributes {with_value = 1 : i64, wrt = array<i64: 0>} {
    %1 = ingot.sin %a : tensor<f32>
    %2 = ingot.exp %a : tensor<f32>
    ingot.yield %1, %2 : tensor<f32>, tensor<f32>
  }
  return %0#0, %0#1, %0#2 : tensor<f32>, tensor<f32>, tensor<f32>
}
