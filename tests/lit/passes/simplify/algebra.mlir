// RUN: ingot-opt %s --split-input-file --ingot-simplify | FileCheck %s
// RUN: ingot-opt %s --split-input-file --ingot-simplify > %t.once
// RUN: ingot-opt %t.once --split-input-file --ingot-simplify | diff %t.once -
// Each identity with its guard: what is not exact for every bit stays.

// CHECK-LABEL: func.func @unit_factor
// CHECK-NEXT: %[[N:.*]] = ingot.neg %arg0
// CHECK-NEXT: return %arg0, %[[N]]
func.func @unit_factor(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = ingot.constant dense<1.0> : tensor<4xf32>
  %1 = ingot.constant dense<-1.0> : tensor<4xf32>
  %2 = ingot.mul %0, %x : tensor<4xf32>
  %3 = ingot.mul %x, %1 : tensor<4xf32>
  return %2, %3 : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @other_factor
// CHECK: ingot.mul
func.func @other_factor(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.constant dense<0.0> : tensor<4xf32>
  %1 = ingot.mul %x, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @power_of_two_divisor
// CHECK: %[[C:.*]] = ingot.constant dense<-1.250000e-01>
// CHECK: ingot.mul %arg0, %[[C]]
func.func @power_of_two_divisor(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.constant dense<-8.0> : tensor<4xf32>
  %1 = ingot.div %x, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @other_divisor
// CHECK: ingot.div
func.func @other_divisor(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.constant dense<3.0> : tensor<4xf32>
  %1 = ingot.div %x, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @integer_divisor
// CHECK: ingot.div
func.func @integer_divisor(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = ingot.constant dense<4> : tensor<4xi32>
  %1 = ingot.div %x, %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// -----

// CHECK-LABEL: func.func @negative_zero_term
// CHECK-NEXT: return %arg0
func.func @negative_zero_term(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.constant dense<-0.0> : tensor<4xf32>
  %1 = ingot.add %0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @positive_zero_term
// CHECK: ingot.add
func.func @positive_zero_term(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.constant dense<0.0> : tensor<4xf32>
  %1 = ingot.add %x, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @integer_zero_term
// CHECK-NEXT: return %arg0
func.func @integer_zero_term(%x: tensor<4xi64>) -> tensor<4xi64> {
  %0 = ingot.constant dense<0> : tensor<4xi64>
  %1 = ingot.add %x, %0 : tensor<4xi64>
  return %1 : tensor<4xi64>
}

// -----

// CHECK-LABEL: func.func @zero_subtrahend
// CHECK-NEXT: return %arg0
func.func @zero_subtrahend(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.constant dense<0.0> : tensor<4xf32>
  %1 = ingot.sub %x, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @negative_zero_subtrahend
// CHECK: ingot.sub
func.func @negative_zero_subtrahend(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.constant dense<-0.0> : tensor<4xf32>
  %1 = ingot.sub %x, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @sum_with_negation
// CHECK-NEXT: ingot.sub %arg1, %arg0
func.func @sum_with_negation(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.neg %x : tensor<4xf32>
  %1 = ingot.add %0, %y : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @difference_with_negation
// CHECK-NEXT: ingot.add %arg1, %arg0
func.func @difference_with_negation(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.neg %x : tensor<4xf32>
  %1 = ingot.sub %y, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @product_of_negations
// CHECK-NEXT: ingot.mul %arg0, %arg1
func.func @product_of_negations(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.neg %x : tensor<4xf32>
  %1 = ingot.neg %y : tensor<4xf32>
  %2 = ingot.mul %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @double_negation
// CHECK-NEXT: return %arg0
func.func @double_negation(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.neg %x : tensor<4xf32>
  %1 = ingot.neg %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @square
// CHECK-NEXT: ingot.mul %arg0, %arg0
func.func @square(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.constant dense<2.0> : tensor<4xf32>
  %1 = ingot.pow %x, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @reciprocal
// CHECK: ingot.div %{{.*}}, %arg0
func.func @reciprocal(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.constant dense<-1.0> : tensor<4xf32>
  %1 = ingot.pow %x, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @cube
// CHECK: ingot.pow
func.func @cube(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.constant dense<3.0> : tensor<4xf32>
  %1 = ingot.pow %x, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @square_root
// CHECK: ingot.pow
func.func @square_root(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.constant dense<0.5> : tensor<4xf32>
  %1 = ingot.pow %x, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @stop_gradient
// CHECK-NEXT: return %arg0
func.func @stop_gradient(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.stop_gradient %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @round_trip
// CHECK-NEXT: return %arg0
func.func @round_trip(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.convert %x {dtype = f64} : tensor<4xf32> -> tensor<4xf64>
  %1 = ingot.convert %0 {dtype = f32} : tensor<4xf64> -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @lossy_round_trip
// CHECK-COUNT-2: ingot.convert
func.func @lossy_round_trip(%x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = ingot.convert %x {dtype = f32} : tensor<4xf64> -> tensor<4xf32>
  %1 = ingot.convert %0 {dtype = f64} : tensor<4xf32> -> tensor<4xf64>
  return %1 : tensor<4xf64>
}
