// RUN: ingot-opt %s -split-input-file -verify-diagnostics | ingot-opt -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @round_trip
// CHECK: ingot.custom_call "plain"(%{{.*}}) : (tensor<5xf32>) -> tensor<5xf32>
// CHECK: ingot.custom_call "a b\22c"(%{{.*}}, %{{.*}}) registration 2 scalars [5.000000e-01 : f64, -1 : i64, 7 : ui64, true] : (tensor<5xf32>, tensor<5xf32>) -> (tensor<2xi8>, tensor<f16>)
func.func @round_trip(%a: tensor<5xf32>) -> (tensor<2xi8>, tensor<f16>) {
  %0 = ingot.custom_call "plain"(%a) : (tensor<5xf32>) -> tensor<5xf32>
  %1:2 = ingot.custom_call "a b\22c"(%0, %a) registration 2 scalars [0.5, -1, 7 : ui64, true] : (tensor<5xf32>, tensor<5xf32>) -> (tensor<2xi8>, tensor<f16>)
  return %1#0, %1#1 : tensor<2xi8>, tensor<f16>
}

// -----

// A derivative: operands, results, cotangents of float results.
// CHECK-LABEL: func.func @derivative
// CHECK: ingot.custom_call "mixed"(%{{.*}}, %{{.*}}) : (tensor<3xi64>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xi64>) gradient {
// CHECK: ^bb0(%{{.*}}: tensor<3xi64>, %{{.*}}: tensor<3xf32>, %{{.*}}: tensor<3xf32>, %{{.*}}: tensor<3xi64>, %[[G:.*]]: tensor<3xf32>):
// CHECK: ingot.yield %[[G]] : tensor<3xf32>
func.func @derivative(%n: tensor<3xi64>, %x: tensor<3xf32>) -> tensor<3xf32> {
  %0:2 = ingot.custom_call "mixed"(%n, %x) : (tensor<3xi64>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xi64>) gradient {
  ^bb0(%in0: tensor<3xi64>, %in1: tensor<3xf32>, %out0: tensor<3xf32>, %out1: tensor<3xi64>, %g: tensor<3xf32>):
    ingot.yield %g : tensor<3xf32>
  }
  return %0#0 : tensor<3xf32>
}

// -----

func.func @no_operand() {
  // expected-error @+1 {{[custom_call] takes at least one tensor}}
  %0 = ingot.custom_call "op"() : () -> tensor<5xf32>
  return
}

// -----

func.func @no_scalars(%x: tensor<2xf32>) {
  // expected-error @+1 {{has scalars that are no numbers}}
  %0 = "ingot.custom_call"(%x) {callee = #ingot.native<"op">, scalars = array<i64: 9, 1>, result_types = array<i64: 1, 1, 2>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @no_types(%x: tensor<2xf32>) {
  // expected-error @+1 {{has result types that are none}}
  %0 = "ingot.custom_call"(%x) {callee = #ingot.native<"op">, scalars = array<i64>, result_types = array<i64: 1, 7, 2>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @other_types(%x: tensor<2xf32>) {
  // expected-error @+1 {{has result 0 of type 'tensor<3xf32>'; the inferred type is 'tensor<2xf32>'}}
  %0 = "ingot.custom_call"(%x) {callee = #ingot.native<"op">, scalars = array<i64>, result_types = array<i64: 1, 1, 2>} : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @no_result(%x: tensor<2xf32>) {
  // expected-error @+1 {{the shape rule gives no result; an op has at least one}}
  ingot.custom_call "op"(%x) : (tensor<2xf32>) -> ()
  return
}

// -----

func.func @unknown_size(%x: tensor<2xf32>) {
  // expected-error @+1 {{the shape rule gives result 0 the type ?xf32; sizes have to be known}}
  %0 = ingot.custom_call "op"(%x) : (tensor<2xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @negative_size(%x: tensor<2xf32>) {
  // expected-error @+1 {{the shape rule gives result 0 a dimension of size -4 in the shape -4}}
  %0 = "ingot.custom_call"(%x) {callee = #ingot.native<"op">, scalars = array<i64>, result_types = array<i64: 1, 1, -4>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @two_derivatives(%x: tensor<2xf32>) {
  // expected-error @+1 {{has more than one derivative}}
  %0 = "ingot.custom_call"(%x) ({
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>, %g: tensor<2xf32>):
    ingot.yield %g : tensor<2xf32>
  }, {
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>, %g: tensor<2xf32>):
    ingot.yield %g : tensor<2xf32>
  }) {callee = #ingot.native<"op">, scalars = array<i64>, result_types = array<i64: 1, 1, 2>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @derivative_without_cotangent(%x: tensor<2xf32>) {
  // expected-error @+1 {{the derivative has to take the operands, the results and the cotangents of float results}}
  %0 = ingot.custom_call "op"(%x) : (tensor<2xf32>) -> tensor<2xf32> gradient {
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
    ingot.yield %a : tensor<2xf32>
  }
  return
}

// -----

func.func @derivative_of_nothing(%x: tensor<2xf32>) {
  // expected-error @+1 {{the derivative has to give a cotangent of each float operand}}
  %0 = ingot.custom_call "op"(%x) : (tensor<2xf32>) -> tensor<2xf32> gradient {
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>, %g: tensor<2xf32>):
    ingot.yield
  }
  return
}

// -----

func.func @scalar_of_another_type(%x: tensor<2xf32>) {
  // expected-error @+1 {{a scalar is a number of f64, i64 or ui64, or a bool}}
  %0 = ingot.custom_call "op"(%x) scalars [1.0 : f32] : (tensor<2xf32>) -> tensor<2xf32>
  return
}
