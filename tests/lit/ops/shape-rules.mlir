// RUN: ingot-opt %s -split-input-file -verify-diagnostics
// Every rule speaks of the shapes and dtypes that were given and of what would be right.

func.func @unequal_shapes(%b: tensor<2x3xi1>, %c: tensor<3x3xf32>) {
  // expected-error @+1 {{condition and choices}}
  %0 = "ingot.select"(%b, %c, %c) : (tensor<2x3xi1>, tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @bool_has_no_exp(%a: tensor<4xi64>) {
  // expected-error @+1 {{does not take i64}}
  %0 = ingot.exp %a : tensor<4xi64>
  return
}

// -----

func.func @inner_sizes(%a: tensor<2x3xf32>, %b: tensor<4x2xf32>) {
  // expected-error @+1 {{inner sizes differ: a is 2x3, b is 4x2}}
  %0 = "ingot.dot"(%a, %b) {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<2x3xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @reshape_keeps_the_elements(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{2x3 has 6 elements}}
  %0 = ingot.reshape %a {shape = array<i64: 7>} : tensor<2x3xf32> -> tensor<7xf32>
  return
}

// -----

func.func @permutation(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{is no permutation of the 2 dimensions of 2x3}}
  %0 = ingot.transpose %a {permutation = array<i64: 0, 0>} : tensor<2x3xf32> -> tensor<2x2xf32>
  return
}

// -----

func.func @extremum_of_nothing(%a: tensor<2x0xf32>) {
  // expected-error @+1 {{axis 1 of 2x0 is empty}}
  %0 = ingot.reduce_max %a {axes = array<i64: 1>} : tensor<2x0xf32> -> tensor<2xf32>
  return
}

// -----

func.func @range_of_a_slice(%a: tensor<5xf32>) {
  // expected-error @+1 {{is no range of dimension 0}}
  %0 = ingot.slice %a {starts = array<i64: 2>, stops = array<i64: 6>, steps = array<i64: 1>} : tensor<5xf32> -> tensor<4xf32>
  return
}

// -----

func.func @padding_is_a_scalar(%a: tensor<5xf32>, %b: tensor<1xf32>) {
  // expected-error @+1 {{the padding has shape 1; it has to be a scalar}}
  %0 = ingot.pad %a, %b {low = array<i64: 1>, high = array<i64: 1>} : (tensor<5xf32>, tensor<1xf32>) -> tensor<7xf32>
  return
}

// -----

func.func @indices_are_whole(%a: tensor<5xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{indices are f32; they have to be i32 or i64}}
  %0 = ingot.gather %a, %b {axis = 0 : i64} : tensor<5xf32>, tensor<5xf32>
  return
}

// -----

func.func @declared_type_is_the_inferred(%a: tensor<5xf32>) {
  // expected-error @+1 {{inferred type}}
  %0 = ingot.reduce_sum %a {axes = array<i64: 0>} : tensor<5xf32> -> tensor<1xf32>
  return
}

// -----

func.func @there_are_two_strategies(%x: tensor<f32>) {
  // expected-error @+1 {{there is no checkpointing strategy "All"; there are None and Balanced}}
  %0 = ingot.grad(%a = %x) : (tensor<f32>) -> (tensor<f32>) attributes {checkpointing = "All", with_value = 0 : i64, wrt = array<i64: 0>} {
    ingot.yield %a : tensor<f32>
  }
  return
}
