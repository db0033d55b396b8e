// RUN: ingot-opt %s --split-input-file --verify-diagnostics --ingot-contract=phase=simplified

func.func @main(%a: tensor<2x3x5xf32>, %b: tensor<5x4xf32>) -> tensor<2x3x4xf32> {
  // expected-error @+1 {{must be in canonical form by now (contract of the phase simplified)}}
  %0 = ingot.dot %a, %b {lhs_batch = array<i64>, lhs_contract = array<i64: 2>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<2x3x5xf32>, tensor<5x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// -----

func.func @main(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{must be dropped by now (contract of the phase simplified)}}
  %0 = ingot.stop_gradient %x : tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @main(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{must be dropped by now (contract of the phase simplified)}}
  %0 = ingot.saved %x, %x : tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @main(%x: tensor<2x3xf32>, %i: tensor<2x1xi64>, %u: tensor<2x1xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{must be a comparison of positions by now (contract of the phase simplified)}}
  %0 = ingot.scatter_add %x, %i, %u {axis = 1 : i64} : tensor<2x3xf32>, tensor<2x1xi64>, tensor<2x1xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%x: tensor<3xf32>, %i: tensor<2xi64>) -> tensor<2xf32> {
  // expected-error @+1 {{must have its indices checked by now (contract of the phase simplified)}}
  %0 = ingot.gather %x, %i {axis = 0 : i64} : tensor<3xf32>, tensor<2xi64>
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{must be contracted with its sum by now (contract of the phase simplified)}}
  %0 = ingot.mul %a, %b : tensor<f32>
  %1 = ingot.add %0, %a : tensor<f32>
  return %1 : tensor<f32>
}
