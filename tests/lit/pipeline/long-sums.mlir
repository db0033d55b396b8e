// RUN: split-file %s %t
// RUN: ingot inspect %t/column.mlir --phase kernels --target x86-64-v3 | FileCheck %s --check-prefix=COLUMN
// RUN: ingot inspect %t/row.mlir --phase kernels --target x86-64-v3 | FileCheck %s --check-prefix=ROW
// RUN: ingot inspect %t/whole.mlir --phase kernels --target x86-64-v3 | FileCheck %s --check-prefix=WHOLE

//--- column.mlir
// Blocks of 256 rows: eight at a time over the whole width, as a tree, then into the accumulators.
// COLUMN: arith.addi %{{.*}}, %c256 : index
// COLUMN-NEXT: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c8
// COLUMN-NEXT: scf.for %{{.*}} = %c0 to %c96 step %c8
// COLUMN-COUNT-8: vector.load %[[X:.*]][%{{.*}}] : memref<393216xf32>
// COLUMN: vector.load %[[SUMS:.*]][%{{.*}}] : memref<1536xf32>
// COLUMN: vector.store %{{.*}}, %[[SUMS]]
func.func @main(%x: tensor<4096x96xf32>) -> tensor<96xf32> {
  %0 = ingot.reduce_sum %x {axes = array<i64: 0>} : tensor<4096x96xf32> -> tensor<96xf32>
  return %0 : tensor<96xf32>
}

//--- row.mlir
// A row of one segment keeps four accumulators and needs no scratch.
// ROW: scf.for %{{.*}} = %c0 to %c4096 step %c32 iter_args(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}})
// ROW-NOT: scf.for
func.func @main(%x: tensor<64x4096xf32>) -> tensor<64xf32> {
  %0 = ingot.reduce_sum %x {axes = array<i64: 1>} : tensor<64x4096xf32> -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

//--- whole.mlir
// The first stage writes one vector for each of 25 segments, the last one combines them in five rounds.
// WHOLE: scf.if
// WHOLE: scf.for %{{.*}} = %c0 to %c5 step %c1 iter_args(%{{.*}} = %c25) -> (index)
// WHOLE: else
// WHOLE: vector.store %{{.*}} : memref<200xf32>, vector<8xf32>
func.func @main(%x: tensor<100000xf32>) -> tensor<f32> {
  %0 = ingot.reduce_sum %x {axes = array<i64: 0>} : tensor<100000xf32> -> tensor<f32>
  return %0 : tensor<f32>
}
