// RUN: split-file %s %t
// RUN: ingot-opt %t/grad.mlir -ingot-to-differentiated | FileCheck %t/grad.mlir
// RUN: not ingot-opt %t/none.mlir -ingot-to-differentiated 2>&1 | FileCheck %t/none.mlir
// RUN: ingot-opt %t/simplify.mlir -ingot-to-simplified | FileCheck %t/simplify.mlir
// RUN: ingot-opt %t/fuse.mlir -ingot-to-planned | FileCheck %t/fuse.mlir
// RUN: ingot-opt %t/fuse.mlir -ingot-to-kernels | FileCheck %t/fuse.mlir --check-prefix=KERNELS

// A call of a native custom op on its way: its derivative is inlined, nothing is folded into it or fused with it, and
// main calls what the context has.

//--- grad.mlir
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<3xf32>
// CHECK: %[[Y:.*]] = ingot.custom_call "op"(%[[X]]) : (tensor<3xf32>) -> tensor<3xf32>{{$}}
// CHECK: %[[G:.*]] = ingot.broadcast
// CHECK: %[[D:.*]] = ingot.mul %[[G]], %[[Y]] {ingot.backward} : tensor<3xf32>
// CHECK-NOT: gradient
// CHECK: return %[[D]]
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = ingot.grad (%a = %x) : (tensor<3xf32>) -> (tensor<3xf32>) attributes {with_value = 0 : i64, wrt = array<i64: 0>} {
    %1 = ingot.custom_call "op"(%a) : (tensor<3xf32>) -> tensor<3xf32> gradient {
    ^bb0(%in: tensor<3xf32>, %out: tensor<3xf32>, %g: tensor<3xf32>):
      %d = ingot.mul %g, %out : tensor<3xf32>
      ingot.yield %d : tensor<3xf32>
    }
    %2 = ingot.reduce_sum %1 {axes = array<i64: 0>} : tensor<3xf32> -> tensor<f32>
    ingot.yield %2 : tensor<f32>
  }
  return %0 : tensor<3xf32>
}

//--- none.mlir
// CHECK: Autodiff not supported for custom op `op`
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = ingot.grad (%a = %x) : (tensor<f32>) -> (tensor<f32>) attributes {with_value = 0 : i64, wrt = array<i64: 0>} {
    %1 = ingot.custom_call "op"(%a) : (tensor<f32>) -> tensor<f32>
    ingot.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}

//--- simplify.mlir
// Equal calls are one; calls with other scalars or of another registration are not; constants fold none; what nobody
// reads goes.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-4: ingot.custom_call
// CHECK-NOT: ingot.custom_call
func.func @main(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %one = ingot.constant dense<1.0> : tensor<f32>
  %0 = ingot.custom_call "op"(%x) : (tensor<f32>) -> tensor<f32>
  %1 = ingot.custom_call "op"(%x) : (tensor<f32>) -> tensor<f32>
  %2 = ingot.custom_call "op"(%x) scalars [1.0] : (tensor<f32>) -> tensor<f32>
  %3 = ingot.custom_call "op"(%x) registration 1 : (tensor<f32>) -> tensor<f32>
  %4 = ingot.custom_call "op"(%one) : (tensor<f32>) -> tensor<f32>
  %unread = ingot.custom_call "other"(%x) : (tensor<f32>) -> tensor<f32>
  %5 = ingot.add %0, %1 : tensor<f32>
  %6 = ingot.mul %2, %3 : tensor<f32>
  return %5, %6, %4 : tensor<f32>, tensor<f32>, tensor<f32>
}

//--- fuse.mlir
// The constant is memory here, and the unread result has a place.
// CHECK-LABEL: func.func @main
// CHECK: %[[C:.*]] = ingot.constant dense<1.0{{.*}}> : tensor<4xf32>
// CHECK: ingot.fusion loop
// CHECK: ingot.fusion custom (%{{.*}} = %{{.*}}, %{{.*}} = %[[C]]) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<2xi64>) attributes {buffers = [#ingot.buffer<workspace, {{[0-9]+}}>, #ingot.buffer<workspace, {{[0-9]+}}>]}
// CHECK-NEXT: ingot.custom_call "op"
// CHECK-NEXT: ingot.yield
// CHECK: ingot.fusion loop
// KERNELS-LABEL: llvm.func @main
// KERNELS: llvm.call @ingot_loop_0
// KERNELS: %[[CODE:.*]] = llvm.call %{{.*}}(%{{.*}}, %{{.*}}, %{{.*}}) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
// KERNELS: llvm.icmp "ne" %[[CODE]]
// KERNELS: llvm.call @ingot_loop_0
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = ingot.constant dense<1.0> : tensor<4xf32>
  %0 = ingot.exp %x : tensor<4xf32>
  %1:2 = ingot.custom_call "op"(%0, %one) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<2xi64>)
  %2 = ingot.exp %1#0 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
