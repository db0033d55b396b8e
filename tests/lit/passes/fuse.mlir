// RUN: ingot-opt %s -ingot-to-fused | FileCheck %s

// A chain of elementwise ops is one kernel.
// CHECK-LABEL: func.func @chain
// CHECK-COUNT-1: ingot.fusion loop
// CHECK-NOT: ingot.fusion
// CHECK: return
func.func @chain(%a: tensor<64x32xf32>, %b: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %0 = ingot.add %a, %b : tensor<64x32xf32>
  %1 = ingot.exp %0 : tensor<64x32xf32>
  %2 = ingot.tanh %1 : tensor<64x32xf32>
  return %2 : tensor<64x32xf32>
}

// A product takes what follows it along.
// CHECK-LABEL: func.func @product
// CHECK-COUNT-1: ingot.fusion contract
// CHECK-NOT: ingot.fusion
// CHECK: return
func.func @product(%a: tensor<64x32xf32>, %b: tensor<32x16xf32>) -> tensor<64x16xf32> {
  %0 = ingot.dot %a, %b {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
  %1 = ingot.tanh %0 : tensor<64x16xf32>
  return %1 : tensor<64x16xf32>
}

// A reduction along the last axis and what uses it row by row is one kernel.
// CHECK-LABEL: func.func @rows
// CHECK-COUNT-1: ingot.fusion row
// CHECK-NOT: ingot.fusion
// CHECK: return
func.func @rows(%a: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %0 = ingot.reduce_max %a {axes = array<i64: 1>} : tensor<64x32xf32> -> tensor<64xf32>
  %1 = ingot.broadcast %0 {dims = array<i64: 0>, shape = array<i64: 64, 32>} : tensor<64xf32> -> tensor<64x32xf32>
  %2 = ingot.sub %a, %1 : tensor<64x32xf32>
  return %2 : tensor<64x32xf32>
}

// Rows that are long and few are reduced by many tasks: what needs their results of the full shape is another kernel.
// CHECK-LABEL: func.func @few_long_rows
// CHECK: ingot.fusion row
// CHECK: ingot.fusion loop
// CHECK: return
func.func @few_long_rows(%x: tensor<15x140000xf32>) -> tensor<15x140000xf32> {
  %0 = ingot.reduce_sum %x {axes = array<i64: 1>} : tensor<15x140000xf32> -> tensor<15xf32>
  %1 = ingot.broadcast %0 {dims = array<i64: 0>, shape = array<i64: 15, 140000>} : tensor<15xf32> -> tensor<15x140000xf32>
  %2 = ingot.sub %x, %1 : tensor<15x140000xf32>
  return %2 : tensor<15x140000xf32>
}

// CHECK-LABEL: func.func @many_long_rows
// CHECK-COUNT-1: ingot.fusion row
// CHECK-NOT: ingot.fusion
// CHECK: return
func.func @many_long_rows(%x: tensor<16x140000xf32>) -> tensor<16x140000xf32> {
  %0 = ingot.reduce_sum %x {axes = array<i64: 1>} : tensor<16x140000xf32> -> tensor<16xf32>
  %1 = ingot.broadcast %0 {dims = array<i64: 0>, shape = array<i64: 16, 140000>} : tensor<16xf32> -> tensor<16x140000xf32>
  %2 = ingot.sub %x, %1 : tensor<16x140000xf32>
  return %2 : tensor<16x140000xf32>
}

// An axis with nothing but dimensions of one element behind it is a row.
// CHECK-LABEL: func.func @trailing_units
// CHECK: ingot.fusion row
// CHECK: return
func.func @trailing_units(%x: tensor<100x1xf32>) -> tensor<1xf32> {
  %0 = ingot.reduce_sum %x {axes = array<i64: 0>} : tensor<100x1xf32> -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
