// RUN: ingot-opt %s --ingot-to-fused | FileCheck %s

// Layer norm, product, gelu and residual: one kernel over rows, one product with all the rest behind it.
// CHECK: %[[N:.*]] = ingot.fusion row {{.*}} -> (tensor<64x48xf32>) {
// CHECK: ingot.rsqrt
// CHECK: ingot.fusion contract ({{.*}} = %[[N]], {{.*}} -> (tensor<64x48xf32>) {
// CHECK: ingot.dot
// CHECK: ingot.erf
// CHECK: ingot.fma
// CHECK-NOT: ingot.fusion
func.func @main(%arg0: tensor<64x48xf32>, %arg1: tensor<48x48xf32>, %arg2: tensor<48xf32>) -> (tensor<64x48xf32>) {
  %v1 = ingot.reduce_sum %arg0 {axes = array<i64: 1>} : tensor<64x48xf32> -> tensor<64xf32>
  %v2 = ingot.reshape %v1 {shape = array<i64: 64, 1>} : tensor<64xf32> -> tensor<64x1xf32>
  %v3 = ingot.constant dense<4.80000000000000000e+01> : tensor<64x1xf32>
  %v4 = ingot.div %v2, %v3 : tensor<64x1xf32>
  %v5 = ingot.broadcast %v4 {dims = array<i64: 0, 1>, shape = array<i64: 64, 48>} : tensor<64x1xf32> -> tensor<64x48xf32>
  %v6 = ingot.sub %arg0, %v5 : tensor<64x48xf32>
  %v7 = ingot.mul %v6, %v6 : tensor<64x48xf32>
  %v8 = ingot.reduce_sum %v7 {axes = array<i64: 1>} : tensor<64x48xf32> -> tensor<64xf32>
  %v9 = ingot.reshape %v8 {shape = array<i64: 64, 1>} : tensor<64xf32> -> tensor<64x1xf32>
  %v10 = ingot.constant dense<4.80000000000000000e+01> : tensor<64x1xf32>
  %v11 = ingot.div %v9, %v10 : tensor<64x1xf32>
  %v12 = ingot.constant dense<1.00000000000000008e-05> : tensor<64x1xf32>
  %v13 = ingot.add %v11, %v12 : tensor<64x1xf32>
  %v14 = ingot.rsqrt %v13 : tensor<64x1xf32>
  %v15 = ingot.broadcast %v14 {dims = array<i64: 0, 1>, shape = array<i64: 64, 48>} : tensor<64x1xf32> -> tensor<64x48xf32>
  %v16 = ingot.mul %v6, %v15 : tensor<64x48xf32>
  %v17 = ingot.broadcast %arg2 {dims = array<i64: 1>, shape = array<i64: 64, 48>} : tensor<48xf32> -> tensor<64x48xf32>
  %v18 = ingot.mul %v16, %v17 : tensor<64x48xf32>
  %v19 = ingot.dot %v18, %arg1 {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<64x48xf32>, tensor<48x48xf32>) -> tensor<64x48xf32>
  %v20 = ingot.constant dense<5.00000000000000000e-01> : tensor<64x48xf32>
  %v21 = ingot.mul %v19, %v20 : tensor<64x48xf32>
  %v22 = ingot.constant dense<7.07106781186547573e-01> : tensor<64x48xf32>
  %v23 = ingot.mul %v19, %v22 : tensor<64x48xf32>
  %v24 = ingot.erf %v23 : tensor<64x48xf32>
  %v25 = ingot.constant dense<1.00000000000000000e+00> : tensor<64x48xf32>
  %v26 = ingot.add %v24, %v25 : tensor<64x48xf32>
  %v27 = ingot.mul %v21, %v26 : tensor<64x48xf32>
  %v28 = ingot.add %v27, %arg0 : tensor<64x48xf32>
  return %v28 : tensor<64x48xf32>
}

