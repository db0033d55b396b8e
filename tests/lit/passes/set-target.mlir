// RUN: ingot-opt %s --ingot-set-target=name=x86-64-v3 | FileCheck %s --check-prefix=V3
// RUN: ingot-opt %s --ingot-set-target=name=x86-64-v3 --ingot-set-target --ingot-set-target=name=aarch64 | FileCheck %s --check-prefix=LAST
// RUN: ingot-opt %s --ingot-set-target=name=x86-64-v3 --ingot-set-target | FileCheck %s --check-prefix=V3
// RUN: ingot-opt %s --ingot-set-target | FileCheck %s --check-prefix=HOST
// RUN: not ingot-opt %s --ingot-set-target=name=pdp-11 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not ingot-opt %s --ingot-to-kernels=target=pdp-11 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not ingot-opt %s --ingot-emit-kernels 2>&1 | FileCheck %s --check-prefix=NONE

// V3: #target = #ingot.target<name = "x86-64-v3", triple = "x86_64-unknown-linux-gnu", cpu = "x86-64-v3", features = "+sse3{{.*}}+avx2", vector_bits = 256, vector_registers = 16, {{.*}}, required_features = ["sse3"
// V3: module attributes {ingot.target = #target}
// LAST: name = "aarch64"
// HOST: name = "host"
// UNKNOWN: error: unknown target `pdp-11`; the known ones are x86-64, x86-64-v3, x86-64-v4, aarch64 and host
// NONE: error: the module has no `ingot.target`, the machine to compile for; the pass ingot-set-target sets one
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = ingot.neg %x : tensor<64xf32>
  return %0 : tensor<64xf32>
}
