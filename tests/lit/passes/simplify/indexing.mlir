// RUN: ingot-opt %s --split-input-file --ingot-simplify | FileCheck %s
// RUN: ingot-opt %s --split-input-file --ingot-simplify > %t.once
// RUN: ingot-opt %t.once --split-input-file --ingot-simplify | diff %t.once -

// Scatters of one index per line are comparisons.

// CHECK-LABEL: func.func @into_zeros
// CHECK-DAG: %[[ZERO:.*]] = ingot.constant dense<0.000000e+00> : tensor<2x3xf32>
// CHECK: ingot.check_index %arg0 {op = "scatter_add", size = 3 : i64}
// CHECK: %[[NEGATIVE:.*]] = ingot.lt %arg0
// CHECK: %[[WRAPPED:.*]] = ingot.add %arg0
// CHECK: %[[AT:.*]] = ingot.select %[[NEGATIVE]], %[[WRAPPED]], %arg0
// CHECK-DAG: %[[POSITION:.*]] = ingot.iota {axis = 1 : i64
// CHECK-DAG: %[[INDEX:.*]] = ingot.broadcast %[[AT]]
// CHECK: %[[HERE:.*]] = ingot.eq %[[INDEX]], %[[POSITION]]
// CHECK: %[[UPDATE:.*]] = ingot.broadcast %arg1
// CHECK: ingot.select %[[HERE]], %[[UPDATE]], %[[ZERO]]
func.func @into_zeros(%i: tensor<2x1xi64>, %u: tensor<2x1xf32>) -> tensor<2x3xf32> {
  %0 = ingot.constant dense<0.0> : tensor<2x3xf32>
  %1 = ingot.scatter_add %0, %i, %u {axis = 1 : i64} : tensor<2x3xf32>, tensor<2x1xi64>, tensor<2x1xf32>
  return %1 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func.func @into_data
// CHECK: ingot.eq
// CHECK: %[[SUM:.*]] = ingot.add %arg0
// CHECK: ingot.select %{{.*}}, %[[SUM]], %arg0
func.func @into_data(%x: tensor<2x3xf32>, %i: tensor<2x1xi64>, %u: tensor<2x1xf32>) -> tensor<2x3xf32> {
  %1 = ingot.scatter_add %x, %i, %u {axis = 1 : i64} : tensor<2x3xf32>, tensor<2x1xi64>, tensor<2x1xf32>
  return %1 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func.func @updates_may_meet
// CHECK-NEXT: ingot.scatter_add
func.func @updates_may_meet(%x: tensor<2x3xf32>, %i: tensor<2x2xi64>, %u: tensor<2x2xf32>) -> tensor<2x3xf32> {
  %1 = ingot.scatter_add %x, %i, %u {axis = 1 : i64} : tensor<2x3xf32>, tensor<2x2xi64>, tensor<2x2xf32>
  return %1 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func.func @sum_along_the_line
// CHECK: %[[C:.*]] = ingot.constant dense<2.500000e-01> : tensor<2xf32>
// CHECK-NOT: ingot.reduce_sum
// CHECK: return %[[C]]
func.func @sum_along_the_line(%i: tensor<2x1xi64>) -> tensor<2xf32> {
  %0 = ingot.constant dense<0.0> : tensor<2x3xf32>
  %u = ingot.constant dense<0.25> : tensor<2x1xf32>
  %1 = ingot.scatter_add %0, %i, %u {axis = 1 : i64} : tensor<2x3xf32>, tensor<2x1xi64>, tensor<2x1xf32>
  %2 = ingot.reduce_sum %1 {axes = array<i64: 1>} : tensor<2x3xf32> -> tensor<2xf32>
  return %2 : tensor<2xf32>
}

// -----

// Nothing says that this index is in range.
// CHECK-LABEL: func.func @unchecked_one_hot
// CHECK: ingot.reduce_sum
func.func @unchecked_one_hot(%i: tensor<2xi64>) -> tensor<2xf32> {
  %0 = ingot.constant dense<0.0> : tensor<2x3xf32>
  %u = ingot.constant dense<0.25> : tensor<2x3xf32>
  %1 = ingot.iota {axis = 1 : i64, dtype = i64, shape = array<i64: 2, 3>} : tensor<2x3xi64>
  %2 = ingot.broadcast %i {dims = array<i64: 0>, shape = array<i64: 2, 3>} : tensor<2xi64> -> tensor<2x3xi64>
  %3 = ingot.eq %2, %1 : tensor<2x3xi64>
  %4 = ingot.select %3, %u, %0 : tensor<2x3xi1>, tensor<2x3xf32>
  %5 = ingot.reduce_sum %4 {axes = array<i64: 1>} : tensor<2x3xf32> -> tensor<2xf32>
  return %5 : tensor<2xf32>
}
