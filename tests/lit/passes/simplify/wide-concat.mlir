// A concat of more operands than a kernel looks at for each vector is a tree of concats.
// RUN: ingot-opt %s -ingot-simplify | FileCheck %s

// CHECK-LABEL: func.func @wide
// CHECK: %[[LEFT:.*]] = ingot.concat {{.*}} -> tensor<32xf32>
// CHECK: %[[RIGHT:.*]] = ingot.concat {{.*}} -> tensor<34xf32>
// CHECK: ingot.concat %[[LEFT]], %[[RIGHT]]
// CHECK-NOT: ingot.concat
// CHECK: return
func.func @wide(%a: tensor<2xf32>) -> tensor<66xf32> {
  %0 = ingot.concat %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a {axis = 0 : i64} : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32> -> tensor<66xf32>
  return %0 : tensor<66xf32>
}

// One that it does look at stays.
// CHECK-LABEL: func.func @few
// CHECK-COUNT-1: ingot.concat
// CHECK-NOT: ingot.concat
// CHECK: return
func.func @few(%a: tensor<2xf32>) -> tensor<6xf32> {
  %0 = ingot.concat %a, %a, %a {axis = 0 : i64} : tensor<2xf32>, tensor<2xf32>, tensor<2xf32> -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
