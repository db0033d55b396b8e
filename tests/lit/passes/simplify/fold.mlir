// RUN: ingot-opt %s --split-input-file --ingot-simplify | FileCheck %s
// RUN: ingot-opt %s --split-input-file --ingot-simplify > %t.once
// RUN: ingot-opt %t.once --split-input-file --ingot-simplify | diff %t.once -
// Constants by the reference kernels, within a bound.

// CHECK-LABEL: func.func @elements
// CHECK-NEXT: %[[C:.*]] = ingot.constant dense<[5, 7, 9]> : tensor<3xi32>
// CHECK-NEXT: return %[[C]]
func.func @elements() -> tensor<3xi32> {
  %0 = ingot.constant dense<[1, 2, 3]> : tensor<3xi32>
  %1 = ingot.constant dense<[4, 5, 6]> : tensor<3xi32>
  %2 = ingot.add %0, %1 : tensor<3xi32>
  return %2 : tensor<3xi32>
}

// -----

// CHECK-LABEL: func.func @splats_of_any_size
// CHECK-NEXT: ingot.constant dense<5.000000e+00> : tensor<4096x4096xf32>
// CHECK-NEXT: return
func.func @splats_of_any_size() -> tensor<4096x4096xf32> {
  %0 = ingot.constant dense<2.0> : tensor<4096x4096xf32>
  %1 = ingot.constant dense<3.0> : tensor<4096x4096xf32>
  %2 = ingot.add %0, %1 : tensor<4096x4096xf32>
  return %2 : tensor<4096x4096xf32>
}

// -----

// CHECK-LABEL: func.func @movement
// CHECK-NEXT: ingot.constant dense<{{\[}}[1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]>
// CHECK-NEXT: return
func.func @movement() -> tensor<2x2xf32> {
  %0 = ingot.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %1 = ingot.transpose %0 {permutation = array<i64: 1, 0>} : tensor<2x2xf32> -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: func.func @too_large
// CHECK: ingot.concat
func.func @too_large() -> tensor<2048xf32> {
  %0 = ingot.constant dense<1.0> : tensor<1024xf32>
  %1 = ingot.concat %0, %0 {axis = 0 : i64} : tensor<1024xf32>, tensor<1024xf32> -> tensor<2048xf32>
  return %1 : tensor<2048xf32>
}

// -----

// CHECK-LABEL: func.func @fault_stays
// CHECK: ingot.gather
func.func @fault_stays() -> tensor<1xf32> {
  %0 = ingot.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = ingot.constant dense<[7]> : tensor<1xi64>
  %2 = ingot.gather %0, %1 {axis = 0 : i64} : tensor<2xf32>, tensor<1xi64>
  return %2 : tensor<1xf32>
}

// -----

// CHECK-LABEL: func.func @exact_sum_of_equals
// CHECK-NEXT: ingot.constant dense<1.536000e+03> : tensor<f32>
// CHECK-NEXT: return
func.func @exact_sum_of_equals() -> tensor<f32> {
  %0 = ingot.constant dense<1.5> : tensor<1024x1xf32>
  %1 = ingot.reshape %0 {shape = array<i64: 1024>} : tensor<1024x1xf32> -> tensor<1024xf32>
  %2 = ingot.broadcast %1 {dims = array<i64: 0>, shape = array<i64: 1024, 4096>} : tensor<1024xf32> -> tensor<1024x4096xf32>
  %3 = ingot.reduce_sum %2 {axes = array<i64: 0>} : tensor<1024x4096xf32> -> tensor<4096xf32>
  %4 = ingot.slice %3 {starts = array<i64: 0>, stops = array<i64: 1>, steps = array<i64: 1>} : tensor<4096xf32> -> tensor<1xf32>
  %5 = ingot.reshape %4 {shape = array<i64>} : tensor<1xf32> -> tensor<f32>
  return %5 : tensor<f32>
}

// -----

// CHECK-LABEL: func.func @rounding_sum_of_equals
// CHECK: ingot.reduce_sum
func.func @rounding_sum_of_equals() -> tensor<f32> {
  %0 = ingot.constant dense<0.1> : tensor<100000xf32>
  %1 = ingot.reduce_sum %0 {axes = array<i64: 0>} : tensor<100000xf32> -> tensor<f32>
  return %1 : tensor<f32>
}
