// RUN: ingot-opt %s --split-input-file --verify-diagnostics --ingot-contract=phase=differentiated
// RUN: not ingot-opt %s --split-input-file --ingot-contract=phase=nonsense 2>&1 | FileCheck %s --check-prefix=NONE

// NONE: there is no phase 'nonsense'

func.func @main(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{must be expanded by now (contract of the phase differentiated)}}
  %0 = ingot.grad(%a = %x) : (tensor<f32>) -> (tensor<f32>) attributes {with_value = 0 : i64, wrt = array<i64: 0>} {
    ingot.yield %a : tensor<f32>
  }
  return %0 : tensor<f32>
}
