// RUN: ingot-opt %s --split-input-file --verify-diagnostics --ingot-contract=phase=planned

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{must lie in a fusion by now (contract of the phase planned)}}
  %0 = ingot.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{must have buffers by now (contract of the phase planned)}}
  %0 = ingot.fusion loop (%a = %x) : (tensor<4xf32>) -> (tensor<4xf32>) {
    %1 = ingot.exp %a : tensor<4xf32>
    ingot.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{must be of a known kind by now (contract of the phase planned)}}
  %0 = ingot.fusion spiral (%a = %x) : (tensor<4xf32>) -> (tensor<4xf32>) attributes {buffers = [#ingot.buffer<output, 0>]} {
    %1 = ingot.exp %a : tensor<4xf32>
    ingot.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
