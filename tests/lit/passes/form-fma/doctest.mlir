// RUN: ingot-opt %s --split-input-file --ingot-form-fma | FileCheck %s

// CHECK-LABEL: func.func @sum
// CHECK: ingot.fma %arg0, %arg1, %arg2 : tensor<4xf32>
// CHECK-NOT: ingot.mul
func.func @sum(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.mul %a, %b : tensor<4xf32>
  %1 = ingot.add %c, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// Of two products the first operand is contracted.
// CHECK-LABEL: func.func @two_products
// CHECK: %[[B:.*]] = ingot.mul %arg1, %arg1
// CHECK: ingot.fma %arg0, %arg0, %[[B]]
func.func @two_products(%a: tensor<4xf64>, %b: tensor<4xf64>) -> tensor<4xf64> {
  %0 = ingot.mul %a, %a : tensor<4xf64>
  %1 = ingot.mul %b, %b : tensor<4xf64>
  %2 = ingot.add %0, %1 : tensor<4xf64>
  return %2 : tensor<4xf64>
}

// -----

// CHECK-LABEL: func.func @difference_of_product
// CHECK: %[[C:.*]] = ingot.neg %arg2
// CHECK: ingot.fma %arg0, %arg1, %[[C]]
func.func @difference_of_product(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>) -> tensor<f32> {
  %0 = ingot.mul %a, %b : tensor<f32>
  %1 = ingot.sub %0, %c : tensor<f32>
  return %1 : tensor<f32>
}

// -----

// CHECK-LABEL: func.func @product_subtracted
// CHECK: %[[A:.*]] = ingot.neg %arg0
// CHECK: ingot.fma %[[A]], %arg1, %arg2
func.func @product_subtracted(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>) -> tensor<f32> {
  %0 = ingot.mul %a, %b : tensor<f32>
  %1 = ingot.sub %c, %0 : tensor<f32>
  return %1 : tensor<f32>
}

// -----

// A product that is read twice keeps its own rounding.
// CHECK-LABEL: func.func @read_twice
// CHECK-NOT: ingot.fma
func.func @read_twice(%a: tensor<f32>, %b: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = ingot.mul %a, %b : tensor<f32>
  %1 = ingot.add %0, %a : tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// -----

// Both operands of the sum are the product.
// CHECK-LABEL: func.func @added_to_itself
// CHECK-NOT: ingot.fma
func.func @added_to_itself(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = ingot.mul %a, %b : tensor<f32>
  %1 = ingot.add %0, %0 : tensor<f32>
  return %1 : tensor<f32>
}

// -----

// CHECK-LABEL: func.func @integers
// CHECK-NOT: ingot.fma
func.func @integers(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %0 = ingot.mul %a, %b : tensor<4xi32>
  %1 = ingot.add %0, %a : tensor<4xi32>
  return %1 : tensor<4xi32>
}
