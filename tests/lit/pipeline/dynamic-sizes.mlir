// Sizes that are no numbers end at the first phase that computes with sizes, wherever the driver is sent.
// RUN: not ingot-opt %s --ingot-to-differentiated 2>&1 | FileCheck %s
// RUN: not ingot-opt %s --ingot-to-kernels 2>&1 | FileCheck %s
// RUN: not ingot-opt %s --ingot-contract=phase=fused 2>&1 | FileCheck %s --check-prefix=CONTRACT
// RUN: not ingot-opt %s --pass-pipeline='builtin.module(ingot-set-target,func.func(ingot-fuse,ingot-schedule,ingot-plan),ingot-emit-kernels)' 2>&1 | FileCheck %s --check-prefix=KERNELS

// CHECK: dynamic-sizes.mlir:[[@LINE+7]]:{{.*}} error: 'ingot.exp' op has a dynamic size, which the phase differentiated does not know
// CHECK: error: 'func.func' op has a dynamic size, which the phase differentiated does not know
// CONTRACT: error: 'ingot.exp' op must have known sizes by now (contract of the phase fused)
// KERNELS: error: 'ingot.exp' op has a dynamic size, which the phase kernels does not know
func.func @main(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // What has sizes is not to blame.
  %c = ingot.constant dense<1.0> : tensor<2xf32>
  %0 = ingot.exp %x : tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}
