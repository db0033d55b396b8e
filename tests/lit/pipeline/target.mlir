// What the module says counts, whatever the target is called.
// RUN: split-file %s %t
// RUN: ingot-opt %t/narrow.mlir --ingot-to-kernels | FileCheck %t/narrow.mlir
// RUN: ingot-opt %t/wide.mlir --ingot-to-kernels | FileCheck %t/wide.mlir
// RUN: ingot-opt %t/wide.mlir --ingot-to-kernels=target=x86-64 | FileCheck %t/narrow.mlir
// RUN: not ingot-opt %t/bad.mlir 2>&1 | FileCheck %t/bad.mlir

//--- narrow.mlir
// CHECK: vector<4xf32>
// CHECK-NOT: vector<8xf32>
module attributes {ingot.target = #ingot.target<name = "x86-64-v4", triple = "x86_64-unknown-linux-gnu", cpu = "x86-64-v4", features = "", vector_bits = 128, vector_registers = 16, fma_ports = 2, fma_latency = 4, l1 = 32768, l2 = 262144, l3 = 0, line = 64, required_features = []>} {
  func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
    %0 = ingot.neg %x : tensor<64xf32>
    return %0 : tensor<64xf32>
  }
}
//--- wide.mlir
// CHECK: vector<16xf32>
module attributes {ingot.target = #ingot.target<name = "x86-64", triple = "x86_64-unknown-linux-gnu", cpu = "x86-64", features = "", vector_bits = 512, vector_registers = 16, fma_ports = 2, fma_latency = 4, l1 = 32768, l2 = 262144, l3 = 0, line = 64, required_features = []>} {
  func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
    %0 = ingot.neg %x : tensor<64xf32>
    return %0 : tensor<64xf32>
  }
}
//--- bad.mlir
// CHECK: error: target `odd`: vector_bits is 96 and must be a power of two from 64 to 2048
module attributes {ingot.target = #ingot.target<name = "odd", triple = "x86_64-unknown-linux-gnu", cpu = "x86-64", features = "", vector_bits = 96, vector_registers = 16, fma_ports = 2, fma_latency = 4, l1 = 32768, l2 = 262144, l3 = 0, line = 64, required_features = []>} {
}
