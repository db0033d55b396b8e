// RUN: ingot-opt %s --ingot-simplify=fast-math | FileCheck %s

// What the default refuses.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[C:.*]] = ingot.constant dense<0.333333343>
// CHECK-NEXT: %[[Y:.*]] = ingot.mul %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.constant dense<3.0> : tensor<4xf32>
  %1 = ingot.constant dense<0.0> : tensor<4xf32>
  %2 = ingot.div %x, %0 : tensor<4xf32>
  %3 = ingot.add %2, %1 : tensor<4xf32>
  return %3 : tensor<4xf32>
}
