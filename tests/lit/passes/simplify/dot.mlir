// RUN: ingot-opt %s --split-input-file --ingot-simplify | FileCheck %s
// RUN: ingot-opt %s --split-input-file --ingot-simplify > %t.once
// RUN: ingot-opt %t.once --split-input-file --ingot-simplify | diff %t.once -

// Products in canonical form.

// CHECK-LABEL: func.func @transposed_operands
// CHECK-NEXT: ingot.dot %arg0, %arg1 {lhs_batch = array<i64>, lhs_contract = array<i64: 0>, rhs_batch = array<i64>, rhs_contract = array<i64: 1>}
// CHECK-NEXT: return
func.func @transposed_operands(%a: tensor<5x3xf32>, %b: tensor<4x5xf32>) -> tensor<3x4xf32> {
  %0 = ingot.transpose %a {permutation = array<i64: 1, 0>} : tensor<5x3xf32> -> tensor<3x5xf32>
  %1 = ingot.transpose %b {permutation = array<i64: 1, 0>} : tensor<4x5xf32> -> tensor<5x4xf32>
  %2 = ingot.dot %0, %1 {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<3x5xf32>, tensor<5x4xf32>) -> tensor<3x4xf32>
  return %2 : tensor<3x4xf32>
}

// -----

// CHECK-LABEL: func.func @transposed_result
// CHECK-NEXT: ingot.dot %arg1, %arg0 {lhs_batch = array<i64>, lhs_contract = array<i64: 0>, rhs_batch = array<i64>, rhs_contract = array<i64: 1>}
// CHECK-NEXT: return
func.func @transposed_result(%a: tensor<3x5xf32>, %b: tensor<5x4xf32>) -> tensor<4x3xf32> {
  %0 = ingot.dot %a, %b {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<3x5xf32>, tensor<5x4xf32>) -> tensor<3x4xf32>
  %1 = ingot.transpose %0 {permutation = array<i64: 1, 0>} : tensor<3x4xf32> -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// -----

// CHECK-LABEL: func.func @result_read_twice
// CHECK: ingot.transpose
func.func @result_read_twice(%a: tensor<3x5xf32>, %b: tensor<5x4xf32>) -> (tensor<3x4xf32>, tensor<4x3xf32>) {
  %0 = ingot.dot %a, %b {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<3x5xf32>, tensor<5x4xf32>) -> tensor<3x4xf32>
  %1 = ingot.transpose %0 {permutation = array<i64: 1, 0>} : tensor<3x4xf32> -> tensor<4x3xf32>
  return %0, %1 : tensor<3x4xf32>, tensor<4x3xf32>
}

// -----

// CHECK-LABEL: func.func @two_row_dimensions
// CHECK-NEXT: %[[A:.*]] = ingot.reshape %arg0 {shape = array<i64: 6, 5>}
// CHECK-NEXT: %[[Y:.*]] = ingot.dot %[[A]], %arg1 {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>}
// CHECK-NEXT: ingot.reshape %[[Y]] {shape = array<i64: 2, 3, 4>}
func.func @two_row_dimensions(%a: tensor<2x3x5xf32>, %b: tensor<5x4xf32>) -> tensor<2x3x4xf32> {
  %0 = ingot.dot %a, %b {lhs_batch = array<i64>, lhs_contract = array<i64: 2>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<2x3x5xf32>, tensor<5x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// -----

// CHECK-LABEL: func.func @two_summed_dimensions
// CHECK-DAG: %[[A:.*]] = ingot.reshape %arg0 {shape = array<i64: 2, 15>}
// CHECK-DAG: %[[B:.*]] = ingot.reshape %arg1 {shape = array<i64: 15, 4>}
// CHECK: ingot.dot %[[A]], %[[B]] {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>}
func.func @two_summed_dimensions(%a: tensor<2x3x5xf32>, %b: tensor<3x5x4xf32>) -> tensor<2x4xf32> {
  %0 = ingot.dot %a, %b {lhs_batch = array<i64>, lhs_contract = array<i64: 1, 2>, rhs_batch = array<i64>, rhs_contract = array<i64: 0, 1>} : (tensor<2x3x5xf32>, tensor<3x5x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func.func @scattered_dimensions
// CHECK-NEXT: %[[T:.*]] = ingot.transpose %arg0 {permutation = array<i64: 0, 2, 1>}
// CHECK-NEXT: %[[A:.*]] = ingot.reshape %[[T]] {shape = array<i64: 10, 3>}
// CHECK: ingot.dot %[[A]], %arg1
func.func @scattered_dimensions(%a: tensor<2x3x5xf32>, %b: tensor<3x4xf32>) -> tensor<2x5x4xf32> {
  %0 = ingot.dot %a, %b {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<2x3x5xf32>, tensor<3x4xf32>) -> tensor<2x5x4xf32>
  return %0 : tensor<2x5x4xf32>
}

// -----

// CHECK-LABEL: func.func @two_batch_dimensions
// CHECK-DAG: %[[A:.*]] = ingot.reshape %arg0 {shape = array<i64: 6, 4, 5>}
// CHECK-DAG: %[[B:.*]] = ingot.reshape %arg1 {shape = array<i64: 6, 7, 5>}
// CHECK: ingot.dot %[[A]], %[[B]] {lhs_batch = array<i64: 0>, lhs_contract = array<i64: 2>, rhs_batch = array<i64: 0>, rhs_contract = array<i64: 2>}
func.func @two_batch_dimensions(%a: tensor<2x3x4x5xf32>, %b: tensor<2x3x7x5xf32>) -> tensor<2x3x4x7xf32> {
  %0 = ingot.dot %a, %b {lhs_batch = array<i64: 0, 1>, lhs_contract = array<i64: 3>, rhs_batch = array<i64: 0, 1>, rhs_contract = array<i64: 3>} : (tensor<2x3x4x5xf32>, tensor<2x3x7x5xf32>) -> tensor<2x3x4x7xf32>
  return %0 : tensor<2x3x4x7xf32>
}

// -----

// CHECK-LABEL: func.func @outer_product
// CHECK-NEXT: ingot.dot %arg0, %arg1
// CHECK-NEXT: return
func.func @outer_product(%a: tensor<3xf32>, %b: tensor<4xf32>) -> tensor<3x4xf32> {
  %0 = ingot.dot %a, %b {lhs_batch = array<i64>, lhs_contract = array<i64>, rhs_batch = array<i64>, rhs_contract = array<i64>} : (tensor<3xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

// Products of vectors are sums.

// CHECK-LABEL: func.func @vectors
// CHECK-NEXT: %[[P:.*]] = ingot.mul %arg0, %arg1 : tensor<5xf32>
// CHECK-NEXT: %[[S:.*]] = ingot.reduce_sum %[[P]] {axes = array<i64: 0>} : tensor<5xf32> -> tensor<f32>
// CHECK-NEXT: return %[[S]]
func.func @vectors(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<f32> {
  %0 = ingot.dot %a, %b {lhs_batch = array<i64>, lhs_contract = array<i64: 0>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<5xf32>, tensor<5xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK-LABEL: func.func @row_and_column
// CHECK: ingot.mul {{.*}} : tensor<5xf32>
// CHECK-NEXT: ingot.reduce_sum {{.*}} : tensor<5xf32> -> tensor<f32>
// CHECK-NEXT: ingot.reshape {{.*}} : tensor<f32> -> tensor<1x1xf32>
func.func @row_and_column(%a: tensor<1x5xf32>, %b: tensor<5x1xf32>) -> tensor<1x1xf32> {
  %0 = ingot.dot %a, %b {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<1x5xf32>, tensor<5x1xf32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: func.func @batch_of_vectors
// CHECK-NEXT: ingot.mul
// CHECK-NEXT: ingot.reduce_sum {{.*}} {axes = array<i64: 1>} : tensor<3x5xf32> -> tensor<3xf32>
func.func @batch_of_vectors(%a: tensor<3x5xf32>, %b: tensor<3x5xf32>) -> tensor<3xf32> {
  %0 = ingot.dot %a, %b {lhs_batch = array<i64: 0>, lhs_contract = array<i64: 1>, rhs_batch = array<i64: 0>, rhs_contract = array<i64: 1>} : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @batch_of_columns
// CHECK-NEXT: ingot.mul
// CHECK-NEXT: ingot.reduce_sum {{.*}} {axes = array<i64: 0>} : tensor<5x3xf32> -> tensor<3xf32>
func.func @batch_of_columns(%a: tensor<5x3xf32>, %b: tensor<5x3xf32>) -> tensor<3xf32> {
  %0 = ingot.dot %a, %b {lhs_batch = array<i64: 1>, lhs_contract = array<i64: 0>, rhs_batch = array<i64: 1>, rhs_contract = array<i64: 0>} : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// Neither a sum of rows nor one of columns.
// CHECK-LABEL: func.func @rows_with_columns
// CHECK-NEXT: ingot.dot
func.func @rows_with_columns(%a: tensor<3x5xf32>, %b: tensor<5x3xf32>) -> tensor<3xf32> {
  %0 = ingot.dot %a, %b {lhs_batch = array<i64: 0>, lhs_contract = array<i64: 1>, rhs_batch = array<i64: 1>, rhs_contract = array<i64: 0>} : (tensor<3x5xf32>, tensor<5x3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
