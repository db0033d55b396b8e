// RUN: ingot-opt %s --split-input-file --ingot-partition | FileCheck %s
// RUN: ingot-opt %s --split-input-file --ingot-partition=recompute-expensive | FileCheck %s --check-prefix=LIMIT

// Functions like exp are kept, unless memory is short.
// CHECK-LABEL: func.func @expensive
// CHECK: %[[E:.*]] = ingot.exp
// CHECK: ingot.mul %[[E]], %[[E]] {ingot.backward}
// LIMIT-LABEL: func.func @expensive
// LIMIT: ingot.reduce_sum
// LIMIT: %[[E:.*]] = ingot.exp %arg0 {ingot.backward, ingot.recompute}
// LIMIT: ingot.mul %[[E]], %[[E]] {ingot.backward}
func.func @expensive(%x: tensor<1024xf32>) -> (tensor<f32>, tensor<1024xf32>) {
  %0 = ingot.exp %x : tensor<1024xf32>
  %1 = ingot.neg %0 : tensor<1024xf32>
  %2 = ingot.reduce_sum %1 {axes = array<i64: 0>} : tensor<1024xf32> -> tensor<f32>
  %3 = ingot.mul %0, %0 {ingot.backward} : tensor<1024xf32>
  return %2, %3 : tensor<f32>, tensor<1024xf32>
}

// -----

// A small value that a large one is a repetition of.
// CHECK-LABEL: func.func @repeated
// CHECK: %[[S:.*]] = ingot.exp %arg0
// CHECK: %[[B:.*]] = ingot.broadcast %[[S]] {{.*}}ingot.recompute
// CHECK: ingot.mul %[[B]], %arg1 {ingot.backward}
// LIMIT-LABEL: func.func @repeated
func.func @repeated(%s: tensor<f32>, %x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = ingot.exp %s : tensor<f32>
  %1 = ingot.broadcast %0 {dims = array<i64>, shape = array<i64: 64>} : tensor<f32> -> tensor<64xf32>
  %2 = ingot.add %1, %x : tensor<64xf32>
  %3 = ingot.mul %1, %x {ingot.backward} : tensor<64xf32>
  return %2, %3 : tensor<64xf32>, tensor<64xf32>
}

// -----

// Random bits, products and reductions are never made twice.
// CHECK-LABEL: func.func @never
// CHECK-COUNT-1: ingot.rng_bits
// CHECK-COUNT-1: ingot.reduce_max
// CHECK-NOT: ingot.recompute
// LIMIT-LABEL: func.func @never
// LIMIT-NOT: ingot.recompute
func.func @never(%key: tensor<2xi64>, %x: tensor<8x8xf32>) -> (tensor<8xi32>, tensor<8xf32>) {
  %0 = ingot.rng_bits %key {dtype = i32, shape = array<i64: 8>} : tensor<2xi64> -> tensor<8xi32>
  %1 = ingot.reduce_max %x {axes = array<i64: 0>} : tensor<8x8xf32> -> tensor<8xf32>
  %2 = ingot.add %0, %0 {ingot.backward} : tensor<8xi32>
  %3 = ingot.add %1, %1 {ingot.backward} : tensor<8xf32>
  return %2, %3 : tensor<8xi32>, tensor<8xf32>
}

// -----

// What comes after the backward belongs to it: no result of the forward is made again for it when it is returned.
// CHECK-LABEL: func.func @results
// CHECK-NOT: ingot.recompute
// LIMIT-LABEL: func.func @results
func.func @results(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = ingot.neg %x : tensor<64xf32>
  %1 = ingot.add %x, %x {ingot.backward} : tensor<64xf32>
  %2 = ingot.mul %1, %0 : tensor<64xf32>
  return %0, %2 : tensor<64xf32>, tensor<64xf32>
}

// -----

// Without a backward nothing changes.
// CHECK-LABEL: func.func @forward_only
// CHECK-NEXT: ingot.neg
// CHECK-NEXT: ingot.exp
// CHECK-NEXT: return
// LIMIT-LABEL: func.func @forward_only
func.func @forward_only(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = ingot.neg %x : tensor<64xf32>
  %1 = ingot.exp %0 : tensor<64xf32>
  return %1 : tensor<64xf32>
}
