// RUN: ingot-opt %s --split-input-file --ingot-check-indices | FileCheck %s
// RUN: ingot-opt %s --split-input-file --ingot-check-indices --ingot-check-indices | FileCheck %s

// One check behind the definition, through views, for the shortest axis.
// CHECK-LABEL: func.func @data
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<4xi64>
// CHECK-NEXT: ingot.check_index %[[I]] {op = "gather", size = 5 : i64} : tensor<4xi64>
// CHECK-NOT: check_index
func.func @data(%x: tensor<7x4xf32>, %y: tensor<5x4xf32>, %i: tensor<4xi64>) -> (tensor<1x4xf32>, tensor<1x4xf32>) {
  %0 = ingot.reshape %i {shape = array<i64: 1, 4>} : tensor<4xi64> -> tensor<1x4xi64>
  %1 = ingot.gather %x, %0 {axis = 0 : i64} : tensor<7x4xf32>, tensor<1x4xi64>
  %2 = ingot.gather %y, %0 {axis = 0 : i64} : tensor<5x4xf32>, tensor<1x4xi64>
  return %1, %2 : tensor<1x4xf32>, tensor<1x4xf32>
}

// -----

// CHECK-LABEL: func.func @computed
// CHECK: %[[I:.*]] = ingot.add
// CHECK-NEXT: ingot.check_index %[[I]] {op = "scatter_add", size = 3 : i64}
func.func @computed(%x: tensor<3xf32>, %i: tensor<2xi32>, %u: tensor<2xf32>) -> tensor<3xf32> {
  %0 = ingot.add %i, %i : tensor<2xi32>
  %1 = ingot.scatter_add %x, %0, %u {axis = 0 : i64} : tensor<3xf32>, tensor<2xi32>, tensor<2xf32>
  return %1 : tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @literal_in_range
// CHECK-NOT: check_index
func.func @literal_in_range(%x: tensor<3xf32>) -> tensor<2xf32> {
  %0 = ingot.constant dense<[-3, 2]> : tensor<2xi64>
  %1 = ingot.gather %x, %0 {axis = 0 : i64} : tensor<3xf32>, tensor<2xi64>
  return %1 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @literal_out_of_range
// CHECK: check_index
func.func @literal_out_of_range(%x: tensor<3xf32>) -> tensor<2xf32> {
  %0 = ingot.constant dense<[-4, 2]> : tensor<2xi64>
  %1 = ingot.gather %x, %0 {axis = 0 : i64} : tensor<3xf32>, tensor<2xi64>
  return %1 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @counter
// CHECK-NOT: check_index
func.func @counter(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = ingot.iota {axis = 0 : i64, dtype = i64, shape = array<i64: 3>} : tensor<3xi64>
  %1 = ingot.gather %x, %0 {axis = 0 : i64} : tensor<3xf32>, tensor<3xi64>
  return %1 : tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @counter_too_long
// CHECK: check_index
func.func @counter_too_long(%x: tensor<3xf32>) -> tensor<4xf32> {
  %0 = ingot.iota {axis = 0 : i64, dtype = i64, shape = array<i64: 4>} : tensor<4xi64>
  %1 = ingot.gather %x, %0 {axis = 0 : i64} : tensor<3xf32>, tensor<4xi64>
  return %1 : tensor<4xf32>
}

// -----

// A check that is there already goes when it can never fail.
// CHECK-LABEL: func.func @known_already
// CHECK-NOT: check_index
func.func @known_already(%x: tensor<2x3xf32>) -> tensor<2xi64> {
  %0 = ingot.arg_max %x {axis = 1 : i64} : tensor<2x3xf32> -> tensor<2xi64>
  ingot.check_index %0 {op = "scatter_add", size = 3 : i64} : tensor<2xi64>
  return %0 : tensor<2xi64>
}

// -----

// CHECK-LABEL: func.func @position_of_extremum
// CHECK-NOT: check_index
func.func @position_of_extremum(%x: tensor<2x3xf32>) -> tensor<2x1xf32> {
  %0 = ingot.arg_max %x {axis = 1 : i64} : tensor<2x3xf32> -> tensor<2xi64>
  %1 = ingot.reshape %0 {shape = array<i64: 2, 1>} : tensor<2xi64> -> tensor<2x1xi64>
  %2 = ingot.gather %x, %1 {axis = 1 : i64} : tensor<2x3xf32>, tensor<2x1xi64>
  return %2 : tensor<2x1xf32>
}
