// RUN: ingot-opt %s | ingot-opt | FileCheck %s

// CHECK-LABEL: func.func @elementwise
// CHECK: ingot.add %{{.*}}, %{{.*}} : tensor<2x3xf32>
// CHECK: ingot.exp %{{.*}} : tensor<2x3xf32>
// CHECK: ingot.lt %{{.*}}, %{{.*}} : tensor<2x3xf32>
// CHECK: ingot.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x3xi1>, tensor<2x3xf32>
// CHECK: ingot.convert %{{.*}} : tensor<2x3xf32> -> tensor<2x3xf64>
func.func @elementwise(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf64> {
  %0 = ingot.add %a, %b : tensor<2x3xf32>
  %1 = ingot.exp %0 : tensor<2x3xf32>
  %2 = ingot.lt %1, %a : tensor<2x3xf32>
  %3 = ingot.select %2, %1, %b : tensor<2x3xi1>, tensor<2x3xf32>
  %4 = ingot.convert %3 {dtype = f64} : tensor<2x3xf32> -> tensor<2x3xf64>
  return %4 : tensor<2x3xf64>
}

// CHECK-LABEL: func.func @products
// CHECK: ingot.dot %{{.*}}, %{{.*}} {lhs_batch = array<i64>, lhs_contract = array<i64: 1>
// CHECK: ingot.reduce_max %{{.*}} {axes = array<i64: 1>} : tensor<2x4xf32> -> tensor<2xf32>
// CHECK: ingot.arg_max %{{.*}} {axis = 0 : i64} : tensor<2xf32> -> tensor<i64>
func.func @products(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<i64> {
  %0 = ingot.dot %a, %b {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = ingot.reduce_max %0 {axes = array<i64: 1>} : tensor<2x4xf32> -> tensor<2xf32>
  %2 = ingot.arg_max %1 {axis = 0 : i64} : tensor<2xf32> -> tensor<i64>
  return %2 : tensor<i64>
}
