// RUN: ingot-opt %s --ingot-schedule | FileCheck %s

// What grows memory least comes first, but not where that makes the peak larger: the exponentials, 256 bytes that only
// the last kernel reads, wait for the kilobyte between them to be gone.
// CHECK-LABEL: func.func @main
// CHECK: ingot.neg
// CHECK: ingot.broadcast
// CHECK: ingot.reduce_sum
// CHECK: ingot.exp
// CHECK: ingot.add
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %h = ingot.fusion loop (%a = %x) : (tensor<64xf32>) -> (tensor<64xf32>) {
    %0 = ingot.neg %a : tensor<64xf32>
    ingot.yield %0 : tensor<64xf32>
  }
  %f = ingot.fusion loop (%a = %h) : (tensor<64xf32>) -> (tensor<4x64xf32>) {
    %0 = ingot.broadcast %a {dims = array<i64: 1>, shape = array<i64: 4, 64>} : tensor<64xf32> -> tensor<4x64xf32>
    ingot.yield %0 : tensor<4x64xf32>
  }
  %g = ingot.fusion row (%a = %f) : (tensor<4x64xf32>) -> (tensor<f32>) {
    %0 = ingot.reduce_sum %a {axes = array<i64: 0, 1>} : tensor<4x64xf32> -> tensor<f32>
    ingot.yield %0 : tensor<f32>
  }
  %r = ingot.fusion loop (%a = %h) : (tensor<64xf32>) -> (tensor<64xf32>) {
    %0 = ingot.exp %a : tensor<64xf32>
    ingot.yield %0 : tensor<64xf32>
  }
  %o = ingot.fusion loop (%a = %r, %b = %g) : (tensor<64xf32>, tensor<f32>) -> (tensor<64xf32>) {
    %0 = ingot.broadcast %b {dims = array<i64>, shape = array<i64: 64>} : tensor<f32> -> tensor<64xf32>
    %1 = ingot.add %a, %0 : tensor<64xf32>
    ingot.yield %1 : tensor<64xf32>
  }
  return %o : tensor<64xf32>
}
