// RUN: ingot-opt %s -split-input-file -verify-diagnostics | ingot-opt | FileCheck %s

// CHECK-LABEL: func.func @round_trip
// CHECK: ingot.logaddexp %{{.*}}, %{{.*}} : tensor<2x3xf32>
func.func @round_trip(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = ingot.logaddexp %a, %b : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @refused_dtype(%a: tensor<4xi64>, %b: tensor<4xi64>) {
  // expected-error @+1 {{does not take i64}}
  %0 = ingot.logaddexp %a, %b : tensor<4xi64>
  return
}
