// RUN: ingot-opt %s --split-input-file --verify-diagnostics --ingot-contract=phase=kernels

// expected-error @+1 {{must not have tensors by now (contract of the phase kernels)}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{must be emitted by now (contract of the phase kernels)}}
  %0 = ingot.exp %x : tensor<4xf32>
  // expected-error @+1 {{must not have tensors by now (contract of the phase kernels)}}
  return %0 : tensor<4xf32>
}
