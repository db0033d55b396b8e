// RUN: ingot-opt %s --split-input-file --ingot-simplify | FileCheck %s
// RUN: ingot-opt %s --split-input-file --ingot-simplify > %t.once
// RUN: ingot-opt %t.once --split-input-file --ingot-simplify | diff %t.once -
// Comparisons and choices.

// CHECK-LABEL: func.func @equal_branches
// CHECK-NEXT: return %arg1
func.func @equal_branches(%c: tensor<4xi1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.select %c, %x, %x : tensor<4xi1>, tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @constant_condition
// CHECK-NEXT: return %arg1
func.func @constant_condition(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.constant dense<false> : tensor<4xi1>
  %1 = ingot.select %0, %x, %y : tensor<4xi1>, tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @negated_condition
// CHECK-NEXT: ingot.select %arg0, %arg2, %arg1
func.func @negated_condition(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.not %c : tensor<4xi1>
  %1 = ingot.select %0, %x, %y : tensor<4xi1>, tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @op_on_chosen_constants
// CHECK-DAG: %[[A:.*]] = ingot.constant dense<6.000000e+00>
// CHECK-DAG: %[[B:.*]] = ingot.constant dense<0.000000e+00>
// CHECK: ingot.select %arg0, %[[A]], %[[B]]
// CHECK-NEXT: return
func.func @op_on_chosen_constants(%c: tensor<4xi1>) -> tensor<4xf32> {
  %0 = ingot.constant dense<2.0> : tensor<4xf32>
  %1 = ingot.constant dense<0.0> : tensor<4xf32>
  %2 = ingot.constant dense<-3.0> : tensor<4xf32>
  %3 = ingot.select %c, %0, %1 : tensor<4xi1>, tensor<4xf32>
  %4 = ingot.mul %3, %2 : tensor<4xf32>
  %5 = ingot.neg %4 : tensor<4xf32>
  %6 = ingot.neg %5 : tensor<4xf32>
  %7 = ingot.neg %6 : tensor<4xf32>
  return %7 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @op_on_chosen_values
// CHECK: ingot.exp
func.func @op_on_chosen_values(%c: tensor<4xi1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.constant dense<0.0> : tensor<4xf32>
  %1 = ingot.select %c, %0, %x : tensor<4xi1>, tensor<4xf32>
  %2 = ingot.exp %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// The second reader of the mask compares the result, which is in memory anyway.
// CHECK-LABEL: func.func @rectifier
// CHECK: %[[MASK:.*]] = ingot.le %arg0, %[[ZERO:.*]] :
// CHECK-NEXT: %[[Y:.*]] = ingot.select %[[MASK]], %[[ZERO]], %arg0
// CHECK-NEXT: %[[AGAIN:.*]] = ingot.le %[[Y]], %[[ZERO]]
// CHECK-NEXT: ingot.select %[[AGAIN]], %[[ZERO]], %arg1
func.func @rectifier(%x: tensor<4xf32>, %g: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = ingot.constant dense<0.0> : tensor<4xf32>
  %1 = ingot.le %x, %0 : tensor<4xf32>
  %2 = ingot.select %1, %0, %x : tensor<4xi1>, tensor<4xf32>
  %3 = ingot.select %1, %0, %g : tensor<4xi1>, tensor<4xf32>
  return %2, %3 : tensor<4xf32>, tensor<4xf32>
}

// -----

// x < c says nothing about the result where x is c.
// CHECK-LABEL: func.func @open_comparison
// CHECK-COUNT-1: ingot.lt
// CHECK-NOT: ingot.lt
func.func @open_comparison(%x: tensor<4xf32>, %g: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = ingot.constant dense<0.0> : tensor<4xf32>
  %1 = ingot.lt %x, %0 : tensor<4xf32>
  %2 = ingot.select %1, %0, %x : tensor<4xi1>, tensor<4xf32>
  %3 = ingot.select %1, %0, %g : tensor<4xi1>, tensor<4xf32>
  return %2, %3 : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @rectifier_other_way
// CHECK: %[[Y:.*]] = ingot.select
// CHECK-NEXT: ingot.gt %[[Y]]
func.func @rectifier_other_way(%x: tensor<4xf32>, %g: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = ingot.constant dense<0.0> : tensor<4xf32>
  %1 = ingot.gt %x, %0 : tensor<4xf32>
  %2 = ingot.select %1, %x, %0 : tensor<4xi1>, tensor<4xf32>
  %3 = ingot.select %1, %g, %0 : tensor<4xi1>, tensor<4xf32>
  return %2, %3 : tensor<4xf32>, tensor<4xf32>
}
