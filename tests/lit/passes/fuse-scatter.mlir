// RUN: ingot-opt %s --ingot-to-fused | FileCheck %s

// The updates of a scatter are read by a sum too. The scatter's kernel writes nothing but its own result, so they are a
// kernel of their own.

// CHECK: ingot.fusion scatter {{.*}} -> (tensor<3x3xf32>) {
// CHECK: ingot.yield %{{[0-9]+}} : tensor<3x3xf32>
func.func @main(%i: tensor<3xi64>, %x: tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<f32>) {
  %0 = ingot.broadcast %i {dims = array<i64: 1>, shape = array<i64: 3, 3>} : tensor<3xi64> -> tensor<3x3xi64>
  %1 = ingot.tanh %x : tensor<3x3xf32>
  %2 = ingot.exp %1 : tensor<3x3xf32>
  %3 = ingot.scatter_add %x, %0, %2 {axis = 1 : i64} : tensor<3x3xf32>, tensor<3x3xi64>, tensor<3x3xf32>
  %4 = ingot.reduce_sum %2 {axes = array<i64: 0, 1>} : tensor<3x3xf32> -> tensor<f32>
  return %3, %4 : tensor<3x3xf32>, tensor<f32>
}
