// RUN: ingot-opt %s --split-input-file --ingot-simplify | FileCheck %s
// RUN: ingot-opt %s --split-input-file --ingot-simplify > %t.once
// RUN: ingot-opt %t.once --split-input-file --ingot-simplify | diff %t.once -

// Movement next to movement is one op; movement of nothing is none.

// CHECK-LABEL: func.func @merged_broadcasts
// CHECK-NEXT: ingot.broadcast %arg0 {dims = array<i64: 1>, shape = array<i64: 5, 4, 3>}
// CHECK-NEXT: return
func.func @merged_broadcasts(%x: tensor<4xf32>) -> tensor<5x4x3xf32> {
  %0 = ingot.broadcast %x {dims = array<i64: 0>, shape = array<i64: 4, 3>} : tensor<4xf32> -> tensor<4x3xf32>
  %1 = ingot.broadcast %0 {dims = array<i64: 1, 2>, shape = array<i64: 5, 4, 3>} : tensor<4x3xf32> -> tensor<5x4x3xf32>
  return %1 : tensor<5x4x3xf32>
}

// -----

// CHECK-LABEL: func.func @broadcast_of_nothing
// CHECK-NEXT: ingot.reshape %arg0 {shape = array<i64: 4, 1>}
// CHECK-NEXT: return
func.func @broadcast_of_nothing(%x: tensor<4xf32>) -> tensor<4x1xf32> {
  %0 = ingot.broadcast %x {dims = array<i64: 0>, shape = array<i64: 4, 1>} : tensor<4xf32> -> tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}

// -----

// CHECK-LABEL: func.func @kept_dimension_repeated
// CHECK-NEXT: ingot.broadcast %arg0 {dims = array<i64: 0>, shape = array<i64: 4, 3>}
// CHECK-NEXT: return
func.func @kept_dimension_repeated(%x: tensor<4xf32>) -> tensor<4x3xf32> {
  %0 = ingot.reshape %x {shape = array<i64: 4, 1>} : tensor<4xf32> -> tensor<4x1xf32>
  %1 = ingot.broadcast %0 {dims = array<i64: 0, 1>, shape = array<i64: 4, 3>} : tensor<4x1xf32> -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// -----

// CHECK-LABEL: func.func @unit_dimension_of_operand
// CHECK-NEXT: ingot.broadcast %arg0 {dims = array<i64: 0, 1>, shape = array<i64: 4, 3>}
// CHECK-NEXT: return
func.func @unit_dimension_of_operand(%x: tensor<4x1xf32>) -> tensor<4x3xf32> {
  %0 = ingot.reshape %x {shape = array<i64: 4>} : tensor<4x1xf32> -> tensor<4xf32>
  %1 = ingot.broadcast %0 {dims = array<i64: 0>, shape = array<i64: 4, 3>} : tensor<4xf32> -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// -----

// CHECK-LABEL: func.func @real_reshape_repeated
// CHECK-NEXT: ingot.reshape
// CHECK-NEXT: ingot.broadcast
func.func @real_reshape_repeated(%x: tensor<4xf32>) -> tensor<3x2x2xf32> {
  %0 = ingot.reshape %x {shape = array<i64: 2, 2>} : tensor<4xf32> -> tensor<2x2xf32>
  %1 = ingot.broadcast %0 {dims = array<i64: 1, 2>, shape = array<i64: 3, 2, 2>} : tensor<2x2xf32> -> tensor<3x2x2xf32>
  return %1 : tensor<3x2x2xf32>
}

// -----

// CHECK-LABEL: func.func @transpose_of_units
// CHECK-NEXT: ingot.reshape %arg0 {shape = array<i64: 4, 1, 3>}
// CHECK-NEXT: return
func.func @transpose_of_units(%x: tensor<1x4x3xf32>) -> tensor<4x1x3xf32> {
  %0 = ingot.transpose %x {permutation = array<i64: 1, 0, 2>} : tensor<1x4x3xf32> -> tensor<4x1x3xf32>
  return %0 : tensor<4x1x3xf32>
}

// -----

// CHECK-LABEL: func.func @transposes
// CHECK-NEXT: ingot.transpose %arg0 {permutation = array<i64: 2, 1, 0>}
// CHECK-NEXT: return
func.func @transposes(%x: tensor<2x3x4xf32>) -> tensor<4x3x2xf32> {
  %0 = ingot.transpose %x {permutation = array<i64: 1, 2, 0>} : tensor<2x3x4xf32> -> tensor<3x4x2xf32>
  %1 = ingot.transpose %0 {permutation = array<i64: 1, 0, 2>} : tensor<3x4x2xf32> -> tensor<4x3x2xf32>
  return %1 : tensor<4x3x2xf32>
}

// -----

// CHECK-LABEL: func.func @transpose_back
// CHECK-NEXT: return %arg0
func.func @transpose_back(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = ingot.transpose %x {permutation = array<i64: 1, 0>} : tensor<2x3xf32> -> tensor<3x2xf32>
  %1 = ingot.transpose %0 {permutation = array<i64: 1, 0>} : tensor<3x2xf32> -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func.func @transposed_broadcast
// CHECK-NEXT: ingot.broadcast %arg0 {dims = array<i64: 0>, shape = array<i64: 4, 3>}
// CHECK-NEXT: return
func.func @transposed_broadcast(%x: tensor<4xf32>) -> tensor<4x3xf32> {
  %0 = ingot.broadcast %x {dims = array<i64: 1>, shape = array<i64: 3, 4>} : tensor<4xf32> -> tensor<3x4xf32>
  %1 = ingot.transpose %0 {permutation = array<i64: 1, 0>} : tensor<3x4xf32> -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// -----

// CHECK-LABEL: func.func @transposed_broadcast_of_matrix
// CHECK-NEXT: ingot.broadcast
// CHECK-NEXT: ingot.transpose
func.func @transposed_broadcast_of_matrix(%x: tensor<4x5xf32>) -> tensor<3x5x4xf32> {
  %0 = ingot.broadcast %x {dims = array<i64: 1, 2>, shape = array<i64: 3, 4, 5>} : tensor<4x5xf32> -> tensor<3x4x5xf32>
  %1 = ingot.transpose %0 {permutation = array<i64: 0, 2, 1>} : tensor<3x4x5xf32> -> tensor<3x5x4xf32>
  return %1 : tensor<3x5x4xf32>
}

// -----

// CHECK-LABEL: func.func @slices
// CHECK-NEXT: ingot.slice %arg0 {starts = array<i64: 5>, steps = array<i64: 6>, stops = array<i64: 12>}
// CHECK-NEXT: return
func.func @slices(%x: tensor<20xf32>) -> tensor<2xf32> {
  %0 = ingot.slice %x {starts = array<i64: 1>, steps = array<i64: 2>, stops = array<i64: 20>} : tensor<20xf32> -> tensor<10xf32>
  %1 = ingot.slice %0 {starts = array<i64: 2>, steps = array<i64: 3>, stops = array<i64: 8>} : tensor<10xf32> -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @whole_slice
// CHECK-NEXT: return %arg0
func.func @whole_slice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.slice %x {starts = array<i64: 0>, steps = array<i64: 1>, stops = array<i64: 4>} : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @slice_of_concat
// CHECK-NEXT: ingot.slice %arg1 {starts = array<i64: 1>, steps = array<i64: 1>, stops = array<i64: 3>}
// CHECK-NEXT: return
func.func @slice_of_concat(%x: tensor<4xf32>, %y: tensor<5xf32>) -> tensor<2xf32> {
  %0 = ingot.concat %x, %y {axis = 0 : i64} : tensor<4xf32>, tensor<5xf32> -> tensor<9xf32>
  %1 = ingot.slice %0 {starts = array<i64: 5>, steps = array<i64: 1>, stops = array<i64: 7>} : tensor<9xf32> -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @slice_across_concat
// CHECK: ingot.concat
func.func @slice_across_concat(%x: tensor<4xf32>, %y: tensor<5xf32>) -> tensor<2xf32> {
  %0 = ingot.concat %x, %y {axis = 0 : i64} : tensor<4xf32>, tensor<5xf32> -> tensor<9xf32>
  %1 = ingot.slice %0 {starts = array<i64: 3>, steps = array<i64: 1>, stops = array<i64: 5>} : tensor<9xf32> -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @slice_of_pad
// CHECK-NEXT: ingot.slice %arg0 {starts = array<i64: 1>, steps = array<i64: 1>, stops = array<i64: 3>}
// CHECK-NEXT: return
func.func @slice_of_pad(%x: tensor<4xf32>, %v: tensor<f32>) -> tensor<2xf32> {
  %0 = ingot.pad %x, %v {high = array<i64: 1>, low = array<i64: 2>} : (tensor<4xf32>, tensor<f32>) -> tensor<7xf32>
  %1 = ingot.slice %0 {starts = array<i64: 3>, steps = array<i64: 1>, stops = array<i64: 5>} : tensor<7xf32> -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @slice_of_padding
// CHECK: ingot.pad
func.func @slice_of_padding(%x: tensor<4xf32>, %v: tensor<f32>) -> tensor<2xf32> {
  %0 = ingot.pad %x, %v {high = array<i64: 1>, low = array<i64: 2>} : (tensor<4xf32>, tensor<f32>) -> tensor<7xf32>
  %1 = ingot.slice %0 {starts = array<i64: 1>, steps = array<i64: 1>, stops = array<i64: 3>} : tensor<7xf32> -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @pad_of_nothing
// CHECK-NEXT: return %arg0
func.func @pad_of_nothing(%x: tensor<4xf32>, %v: tensor<f32>) -> tensor<4xf32> {
  %0 = ingot.pad %x, %v {high = array<i64: 0>, low = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @concat_of_one
// CHECK-NEXT: return %arg0
func.func @concat_of_one(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.concat %x {axis = 0 : i64} : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @reversed_twice
// CHECK-NEXT: return %arg0
func.func @reversed_twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.reverse %x {axes = array<i64: 0>} : tensor<4xf32>
  %1 = ingot.reverse %0 {axes = array<i64: 0>} : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @sum_of_one_element
// CHECK-NEXT: ingot.reshape %arg0 {shape = array<i64: 4>}
// CHECK-NEXT: return
func.func @sum_of_one_element(%x: tensor<4x1xf32>) -> tensor<4xf32> {
  %0 = ingot.reduce_sum %x {axes = array<i64: 1>} : tensor<4x1xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @sum_with_unit_axis
// CHECK-NEXT: %[[R:.*]] = ingot.reshape %arg0 {shape = array<i64: 4>}
// CHECK-NEXT: ingot.reduce_sum %[[R]] {axes = array<i64: 0>}
func.func @sum_with_unit_axis(%x: tensor<4x1xf32>) -> tensor<f32> {
  %0 = ingot.reduce_sum %x {axes = array<i64: 0, 1>} : tensor<4x1xf32> -> tensor<f32>
  return %0 : tensor<f32>
}
