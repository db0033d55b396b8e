#target = #ingot.target<name = "x86-64-v3", triple = "x86_64-unknown-linux-gnu", cpu = "x86-64-v3", features = "+sse3,+ssse3,+cx16,+sse4.1,+sse4.2,+movbe,+popcnt,+sahf,+lzcnt,+bmi,+bmi2,+avx,+f16c,+fma,+avx2", vector_bits = 256, vector_registers = 16, fma_ports = 2, fma_latency = 4, l1 = 32768, l2 = 524288, l3 = 8388608, line = 64, required_features = ["sse3", "ssse3", "cx16", "sse4.1", "sse4.2", "movbe", "popcnt", "sahf", "lzcnt", "bmi", "bmi2", "avx", "f16c", "fma", "avx2"]>
module attributes {ingot.target = #target} {
  func.func @main(%arg0: tensor<784x256xf32> {ingot.donated, ingot.name = "p0"}, %arg1: tensor<256xf32> {ingot.donated, ingot.name = "p1"}, %arg2: tensor<256x128xf32> {ingot.donated, ingot.name = "p2"}, %arg3: tensor<128xf32> {ingot.donated, ingot.name = "p3"}, %arg4: tensor<128x10xf32> {ingot.donated, ingot.name = "p4"}, %arg5: tensor<10xf32> {ingot.donated, ingot.name = "p5"}, %arg6: tensor<784x256xf32> {ingot.donated, ingot.name = "m0"}, %arg7: tensor<256xf32> {ingot.donated, ingot.name = "m1"}, %arg8: tensor<256x128xf32> {ingot.donated, ingot.name = "m2"}, %arg9: tensor<128xf32> {ingot.donated, ingot.name = "m3"}, %arg10: tensor<128x10xf32> {ingot.donated, ingot.name = "m4"}, %arg11: tensor<10xf32> {ingot.donated, ingot.name = "m5"}, %arg12: tensor<784x256xf32> {ingot.donated, ingot.name = "v0"}, %arg13: tensor<256xf32> {ingot.donated, ingot.name = "v1"}, %arg14: tensor<256x128xf32> {ingot.donated, ingot.name = "v2"}, %arg15: tensor<128xf32> {ingot.donated, ingot.name = "v3"}, %arg16: tensor<128x10xf32> {ingot.donated, ingot.name = "v4"}, %arg17: tensor<10xf32> {ingot.donated, ingot.name = "v5"}, %arg18: tensor<f32> {ingot.donated, ingot.name = "t"}, %arg19: tensor<128x784xf32> {ingot.name = "x"}, %arg20: tensor<128xi64> {ingot.name = "labels"}) -> (tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<f32>, tensor<f32>) attributes {ingot.donated = array<i64: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, -1, -1>, ingot.workspace_bytes = 327808 : i64} {
    ingot.fusion check (%arg21 = %arg20) : (tensor<128xi64>) -> () attributes {buffers = []} {
      ingot.check_index %arg21 {op = "gather", size = 10 : i64} : tensor<128xi64>
      ingot.yield
    }
    %0:3 = ingot.fusion loop (%arg21 = %arg18) : (tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) attributes {buffers = [#ingot.buffer<output, 18>, #ingot.buffer<workspace, 327680>, #ingot.buffer<workspace, 327744>]} {
      %14 = ingot.constant dense<1.000000e+00> : tensor<f32>
      %15 = ingot.constant dense<0.899999976> : tensor<f32>
      %16 = ingot.constant dense<9.990000e-01> : tensor<f32>
      %17 = ingot.add %arg21, %14 : tensor<f32>
      %18 = ingot.pow %15, %17 : tensor<f32>
      %19 = ingot.pow %16, %17 : tensor<f32>
      ingot.yield %17, %18, %19 : tensor<f32>, tensor<f32>, tensor<f32>
    }
    %1 = ingot.fusion contract (%arg21 = %arg19, %arg22 = %arg0, %arg23 = %arg1) : (tensor<128x784xf32>, tensor<784x256xf32>, tensor<256xf32>) -> (tensor<128x256xf32>) attributes {buffers = [#ingot.buffer<workspace, 0>]} {
      %14 = ingot.constant dense<0.000000e+00> : tensor<128x256xf32>
      %15 = ingot.dot %arg21, %arg22 {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<128x784xf32>, tensor<784x256xf32>) -> tensor<128x256xf32>
      %16 = ingot.broadcast %arg23 {dims = array<i64: 1>, shape = array<i64: 128, 256>} : tensor<256xf32> -> tensor<128x256xf32>
      %17 = ingot.add %15, %16 : tensor<128x256xf32>
      %18 = ingot.le %17, %14 : tensor<128x256xf32>
      %19 = ingot.select %18, %14, %17 : tensor<128x256xi1>, tensor<128x256xf32>
      ingot.yield %19 : tensor<128x256xf32>
    }
    %2 = ingot.fusion contract (%arg21 = %1, %arg22 = %arg2, %arg23 = %arg3) : (tensor<128x256xf32>, tensor<256x128xf32>, tensor<128xf32>) -> (tensor<128x128xf32>) attributes {buffers = [#ingot.buffer<workspace, 131072>]} {
      %14 = ingot.constant dense<0.000000e+00> : tensor<128x128xf32>
      %15 = ingot.dot %arg21, %arg22 {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<128x256xf32>, tensor<256x128xf32>) -> tensor<128x128xf32>
      %16 = ingot.broadcast %arg23 {dims = array<i64: 1>, shape = array<i64: 128, 128>} : tensor<128xf32> -> tensor<128x128xf32>
      %17 = ingot.add %15, %16 : tensor<128x128xf32>
      %18 = ingot.le %17, %14 : tensor<128x128xf32>
      %19 = ingot.select %18, %14, %17 : tensor<128x128xi1>, tensor<128x128xf32>
      ingot.yield %19 : tensor<128x128xf32>
    }
    %3 = ingot.fusion contract (%arg21 = %2, %arg22 = %arg4, %arg23 = %arg5) : (tensor<128x128xf32>, tensor<128x10xf32>, tensor<10xf32>) -> (tensor<128x10xf32>) attributes {buffers = [#ingot.buffer<workspace, 196608>]} {
      %14 = ingot.dot %arg21, %arg22 {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<128x128xf32>, tensor<128x10xf32>) -> tensor<128x10xf32>
      %15 = ingot.broadcast %arg23 {dims = array<i64: 1>, shape = array<i64: 128, 10>} : tensor<10xf32> -> tensor<128x10xf32>
      %16 = ingot.add %14, %15 : tensor<128x10xf32>
      ingot.yield %16 : tensor<128x10xf32>
    }
    %4:2 = ingot.fusion row (%arg21 = %3, %arg22 = %arg20) : (tensor<128x10xf32>, tensor<128xi64>) -> (tensor<128xf32>, tensor<128x10xf32>) attributes {buffers = [#ingot.buffer<workspace, 206848>, #ingot.buffer<workspace, 201728>]} {
      %14 = ingot.constant dense<0> : tensor<128x1xi64>
      %15 = ingot.constant dense<10> : tensor<128x1xi64>
      %16 = ingot.constant dense<-7.812500e-03> : tensor<128x10xf32>
      %17 = ingot.constant dense<0.000000e+00> : tensor<128x10xf32>
      %18 = ingot.constant dense<1.000000e+00> : tensor<128x1xf32>
      %19 = ingot.constant dense<7.812500e-03> : tensor<128x1xf32>
      %20 = ingot.reduce_max %arg21 {axes = array<i64: 1>} : tensor<128x10xf32> -> tensor<128xf32>
      %21 = ingot.broadcast %20 {dims = array<i64: 0>, shape = array<i64: 128, 10>} : tensor<128xf32> -> tensor<128x10xf32>
      %22 = ingot.sub %arg21, %21 : tensor<128x10xf32>
      %23 = ingot.exp %22 : tensor<128x10xf32>
      %24 = ingot.reduce_sum %23 {axes = array<i64: 1>} : tensor<128x10xf32> -> tensor<128xf32>
      %25 = ingot.reshape %24 {shape = array<i64: 128, 1>} : tensor<128xf32> -> tensor<128x1xf32>
      %26 = ingot.log %25 : tensor<128x1xf32>
      %27 = ingot.broadcast %26 {dims = array<i64: 0, 1>, shape = array<i64: 128, 10>} : tensor<128x1xf32> -> tensor<128x10xf32>
      %28 = ingot.sub %22, %27 : tensor<128x10xf32>
      %29 = ingot.reshape %arg22 {shape = array<i64: 128, 1>} : tensor<128xi64> -> tensor<128x1xi64>
      %30 = ingot.gather %28, %29 {axis = 1 : i64} : tensor<128x10xf32>, tensor<128x1xi64>
      %31 = ingot.reshape %30 {shape = array<i64: 128>} : tensor<128x1xf32> -> tensor<128xf32>
      %32 = ingot.lt %29, %14 : tensor<128x1xi64>
      %33 = ingot.add %29, %15 : tensor<128x1xi64>
      %34 = ingot.select %32, %33, %29 : tensor<128x1xi1>, tensor<128x1xi64>
      %35 = ingot.iota {axis = 1 : i64, dtype = i64, shape = array<i64: 128, 10>} : tensor<128x10xi64>
      %36 = ingot.broadcast %34 {dims = array<i64: 0, 1>, shape = array<i64: 128, 10>} : tensor<128x1xi64> -> tensor<128x10xi64>
      %37 = ingot.eq %36, %35 : tensor<128x10xi64>
      %38 = ingot.select %37, %16, %17 : tensor<128x10xi1>, tensor<128x10xf32>
      %39 = ingot.div %18, %25 : tensor<128x1xf32>
      %40 = ingot.mul %39, %19 : tensor<128x1xf32>
      %41 = ingot.broadcast %40 {dims = array<i64: 0, 1>, shape = array<i64: 128, 10>} : tensor<128x1xf32> -> tensor<128x10xf32>
      %42 = ingot.fma %41, %23, %38 : tensor<128x10xf32>
      ingot.yield %31, %42 : tensor<128xf32>, tensor<128x10xf32>
    }
    %5 = ingot.fusion row (%arg21 = %4#0) : (tensor<128xf32>) -> (tensor<f32>) attributes {buffers = [#ingot.buffer<output, 19>]} {
      %14 = ingot.constant dense<7.812500e-03> : tensor<f32>
      %15 = ingot.reduce_sum %arg21 {axes = array<i64: 0>} : tensor<128xf32> -> tensor<f32>
      %16 = ingot.mul %15, %14 : tensor<f32>
      %17 = ingot.neg %16 : tensor<f32>
      ingot.yield %17 : tensor<f32>
    }
    %6:3 = ingot.fusion column (%arg21 = %4#1, %arg22 = %0#1, %arg23 = %0#2, %arg24 = %arg11, %arg25 = %arg17, %arg26 = %arg5) : (tensor<128x10xf32>, tensor<f32>, tensor<f32>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>) -> (tensor<10xf32>, tensor<10xf32>, tensor<10xf32>) attributes {buffers = [#ingot.buffer<output, 11>, #ingot.buffer<output, 17>, #ingot.buffer<output, 5>]} {
      %14 = ingot.constant dense<1.000000e+00> : tensor<f32>
      %15 = ingot.constant dense<1.000000e-01> : tensor<10xf32>
      %16 = ingot.constant dense<0.899999976> : tensor<10xf32>
      %17 = ingot.constant dense<1.000000e-03> : tensor<10xf32>
      %18 = ingot.constant dense<9.990000e-01> : tensor<10xf32>
      %19 = ingot.constant dense<9.99999993E-9> : tensor<10xf32>
      %20 = ingot.reduce_sum %arg21 {axes = array<i64: 0>} : tensor<128x10xf32> -> tensor<10xf32>
      %21 = ingot.sub %14, %arg22 : tensor<f32>
      %22 = ingot.sub %14, %arg23 : tensor<f32>
      %23 = ingot.mul %20, %15 : tensor<10xf32>
      %24 = ingot.fma %arg24, %16, %23 : tensor<10xf32>
      %25 = ingot.mul %20, %17 : tensor<10xf32>
      %26 = ingot.mul %25, %20 : tensor<10xf32>
      %27 = ingot.fma %arg25, %18, %26 : tensor<10xf32>
      %28 = ingot.broadcast %21 {dims = array<i64>, shape = array<i64: 10>} : tensor<f32> -> tensor<10xf32>
      %29 = ingot.div %24, %28 : tensor<10xf32>
      %30 = ingot.broadcast %22 {dims = array<i64>, shape = array<i64: 10>} : tensor<f32> -> tensor<10xf32>
      %31 = ingot.div %27, %30 : tensor<10xf32>
      %32 = ingot.mul %29, %17 : tensor<10xf32>
      %33 = ingot.sqrt %31 : tensor<10xf32>
      %34 = ingot.add %33, %19 : tensor<10xf32>
      %35 = ingot.div %32, %34 : tensor<10xf32>
      %36 = ingot.sub %arg26, %35 : tensor<10xf32>
      ingot.yield %24, %27, %36 : tensor<10xf32>, tensor<10xf32>, tensor<10xf32>
    }
    %7 = ingot.fusion contract (%arg21 = %4#1, %arg22 = %arg4, %arg23 = %2) : (tensor<128x10xf32>, tensor<128x10xf32>, tensor<128x128xf32>) -> (tensor<128x128xf32>) attributes {buffers = [#ingot.buffer<workspace, 262144>]} {
      %14 = ingot.constant dense<0.000000e+00> : tensor<128x128xf32>
      %15 = ingot.dot %arg21, %arg22 {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 1>} : (tensor<128x10xf32>, tensor<128x10xf32>) -> tensor<128x128xf32>
      %16 = ingot.le %arg23, %14 : tensor<128x128xf32>
      %17 = ingot.select %16, %14, %15 : tensor<128x128xi1>, tensor<128x128xf32>
      ingot.yield %17 : tensor<128x128xf32>
    }
    %8:3 = ingot.fusion contract (%arg21 = %2, %arg22 = %4#1, %arg23 = %0#1, %arg24 = %0#2, %arg25 = %arg10, %arg26 = %arg16, %arg27 = %arg4) : (tensor<128x128xf32>, tensor<128x10xf32>, tensor<f32>, tensor<f32>, tensor<128x10xf32>, tensor<128x10xf32>, tensor<128x10xf32>) -> (tensor<128x10xf32>, tensor<128x10xf32>, tensor<128x10xf32>) attributes {buffers = [#ingot.buffer<output, 10>, #ingot.buffer<output, 16>, #ingot.buffer<output, 4>]} {
      %14 = ingot.constant dense<1.000000e+00> : tensor<f32>
      %15 = ingot.constant dense<1.000000e-01> : tensor<128x10xf32>
      %16 = ingot.constant dense<0.899999976> : tensor<128x10xf32>
      %17 = ingot.constant dense<1.000000e-03> : tensor<128x10xf32>
      %18 = ingot.constant dense<9.990000e-01> : tensor<128x10xf32>
      %19 = ingot.constant dense<9.99999993E-9> : tensor<128x10xf32>
      %20 = ingot.dot %arg21, %arg22 {lhs_batch = array<i64>, lhs_contract = array<i64: 0>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<128x128xf32>, tensor<128x10xf32>) -> tensor<128x10xf32>
      %21 = ingot.sub %14, %arg23 : tensor<f32>
      %22 = ingot.sub %14, %arg24 : tensor<f32>
      %23 = ingot.mul %20, %15 : tensor<128x10xf32>
      %24 = ingot.fma %arg25, %16, %23 : tensor<128x10xf32>
      %25 = ingot.mul %20, %17 : tensor<128x10xf32>
      %26 = ingot.mul %25, %20 : tensor<128x10xf32>
      %27 = ingot.fma %arg26, %18, %26 : tensor<128x10xf32>
      %28 = ingot.broadcast %21 {dims = array<i64>, shape = array<i64: 128, 10>} : tensor<f32> -> tensor<128x10xf32>
      %29 = ingot.div %24, %28 : tensor<128x10xf32>
      %30 = ingot.broadcast %22 {dims = array<i64>, shape = array<i64: 128, 10>} : tensor<f32> -> tensor<128x10xf32>
      %31 = ingot.div %27, %30 : tensor<128x10xf32>
      %32 = ingot.mul %29, %17 : tensor<128x10xf32>
      %33 = ingot.sqrt %31 : tensor<128x10xf32>
      %34 = ingot.add %33, %19 : tensor<128x10xf32>
      %35 = ingot.div %32, %34 : tensor<128x10xf32>
      %36 = ingot.sub %arg27, %35 : tensor<128x10xf32>
      ingot.yield %24, %27, %36 : tensor<128x10xf32>, tensor<128x10xf32>, tensor<128x10xf32>
    }
    %9:3 = ingot.fusion column (%arg21 = %7, %arg22 = %0#1, %arg23 = %0#2, %arg24 = %arg9, %arg25 = %arg15, %arg26 = %arg3) : (tensor<128x128xf32>, tensor<f32>, tensor<f32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) attributes {buffers = [#ingot.buffer<output, 9>, #ingot.buffer<output, 15>, #ingot.buffer<output, 3>]} {
      %14 = ingot.constant dense<1.000000e+00> : tensor<f32>
      %15 = ingot.constant dense<1.000000e-01> : tensor<128xf32>
      %16 = ingot.constant dense<0.899999976> : tensor<128xf32>
      %17 = ingot.constant dense<1.000000e-03> : tensor<128xf32>
      %18 = ingot.constant dense<9.990000e-01> : tensor<128xf32>
      %19 = ingot.constant dense<9.99999993E-9> : tensor<128xf32>
      %20 = ingot.reduce_sum %arg21 {axes = array<i64: 0>} : tensor<128x128xf32> -> tensor<128xf32>
      %21 = ingot.sub %14, %arg22 : tensor<f32>
      %22 = ingot.sub %14, %arg23 : tensor<f32>
      %23 = ingot.mul %20, %15 : tensor<128xf32>
      %24 = ingot.fma %arg24, %16, %23 : tensor<128xf32>
      %25 = ingot.mul %20, %17 : tensor<128xf32>
      %26 = ingot.mul %25, %20 : tensor<128xf32>
      %27 = ingot.fma %arg25, %18, %26 : tensor<128xf32>
      %28 = ingot.broadcast %21 {dims = array<i64>, shape = array<i64: 128>} : tensor<f32> -> tensor<128xf32>
      %29 = ingot.div %24, %28 : tensor<128xf32>
      %30 = ingot.broadcast %22 {dims = array<i64>, shape = array<i64: 128>} : tensor<f32> -> tensor<128xf32>
      %31 = ingot.div %27, %30 : tensor<128xf32>
      %32 = ingot.mul %29, %17 : tensor<128xf32>
      %33 = ingot.sqrt %31 : tensor<128xf32>
      %34 = ingot.add %33, %19 : tensor<128xf32>
      %35 = ingot.div %32, %34 : tensor<128xf32>
      %36 = ingot.sub %arg26, %35 : tensor<128xf32>
      ingot.yield %24, %27, %36 : tensor<128xf32>, tensor<128xf32>, tensor<128xf32>
    }
    %10 = ingot.fusion contract (%arg21 = %7, %arg22 = %arg2, %arg23 = %1) : (tensor<128x128xf32>, tensor<256x128xf32>, tensor<128x256xf32>) -> (tensor<128x256xf32>) attributes {buffers = [#ingot.buffer<workspace, 131072>]} {
      %14 = ingot.constant dense<0.000000e+00> : tensor<128x256xf32>
      %15 = ingot.dot %arg21, %arg22 {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 1>} : (tensor<128x128xf32>, tensor<256x128xf32>) -> tensor<128x256xf32>
      %16 = ingot.le %arg23, %14 : tensor<128x256xf32>
      %17 = ingot.select %16, %14, %15 : tensor<128x256xi1>, tensor<128x256xf32>
      ingot.yield %17 : tensor<128x256xf32>
    }
    %11:3 = ingot.fusion column (%arg21 = %10, %arg22 = %0#1, %arg23 = %0#2, %arg24 = %arg7, %arg25 = %arg13, %arg26 = %arg1) : (tensor<128x256xf32>, tensor<f32>, tensor<f32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) attributes {buffers = [#ingot.buffer<output, 7>, #ingot.buffer<output, 13>, #ingot.buffer<output, 1>]} {
      %14 = ingot.constant dense<1.000000e+00> : tensor<f32>
      %15 = ingot.constant dense<1.000000e-01> : tensor<256xf32>
      %16 = ingot.constant dense<0.899999976> : tensor<256xf32>
      %17 = ingot.constant dense<1.000000e-03> : tensor<256xf32>
      %18 = ingot.constant dense<9.990000e-01> : tensor<256xf32>
      %19 = ingot.constant dense<9.99999993E-9> : tensor<256xf32>
      %20 = ingot.reduce_sum %arg21 {axes = array<i64: 0>} : tensor<128x256xf32> -> tensor<256xf32>
      %21 = ingot.sub %14, %arg22 : tensor<f32>
      %22 = ingot.sub %14, %arg23 : tensor<f32>
      %23 = ingot.mul %20, %15 : tensor<256xf32>
      %24 = ingot.fma %arg24, %16, %23 : tensor<256xf32>
      %25 = ingot.mul %20, %17 : tensor<256xf32>
      %26 = ingot.mul %25, %20 : tensor<256xf32>
      %27 = ingot.fma %arg25, %18, %26 : tensor<256xf32>
      %28 = ingot.broadcast %21 {dims = array<i64>, shape = array<i64: 256>} : tensor<f32> -> tensor<256xf32>
      %29 = ingot.div %24, %28 : tensor<256xf32>
      %30 = ingot.broadcast %22 {dims = array<i64>, shape = array<i64: 256>} : tensor<f32> -> tensor<256xf32>
      %31 = ingot.div %27, %30 : tensor<256xf32>
      %32 = ingot.mul %29, %17 : tensor<256xf32>
      %33 = ingot.sqrt %31 : tensor<256xf32>
      %34 = ingot.add %33, %19 : tensor<256xf32>
      %35 = ingot.div %32, %34 : tensor<256xf32>
      %36 = ingot.sub %arg26, %35 : tensor<256xf32>
      ingot.yield %24, %27, %36 : tensor<256xf32>, tensor<256xf32>, tensor<256xf32>
    }
    %12:3 = ingot.fusion contract (%arg21 = %1, %arg22 = %7, %arg23 = %0#1, %arg24 = %0#2, %arg25 = %arg8, %arg26 = %arg14, %arg27 = %arg2) : (tensor<128x256xf32>, tensor<128x128xf32>, tensor<f32>, tensor<f32>, tensor<256x128xf32>, tensor<256x128xf32>, tensor<256x128xf32>) -> (tensor<256x128xf32>, tensor<256x128xf32>, tensor<256x128xf32>) attributes {buffers = [#ingot.buffer<output, 8>, #ingot.buffer<output, 14>, #ingot.buffer<output, 2>]} {
      %14 = ingot.constant dense<1.000000e+00> : tensor<f32>
      %15 = ingot.constant dense<1.000000e-01> : tensor<256x128xf32>
      %16 = ingot.constant dense<0.899999976> : tensor<256x128xf32>
      %17 = ingot.constant dense<1.000000e-03> : tensor<256x128xf32>
      %18 = ingot.constant dense<9.990000e-01> : tensor<256x128xf32>
      %19 = ingot.constant dense<9.99999993E-9> : tensor<256x128xf32>
      %20 = ingot.dot %arg21, %arg22 {lhs_batch = array<i64>, lhs_contract = array<i64: 0>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<128x256xf32>, tensor<128x128xf32>) -> tensor<256x128xf32>
      %21 = ingot.sub %14, %arg23 : tensor<f32>
      %22 = ingot.sub %14, %arg24 : tensor<f32>
      %23 = ingot.mul %20, %15 : tensor<256x128xf32>
      %24 = ingot.fma %arg25, %16, %23 : tensor<256x128xf32>
      %25 = ingot.mul %20, %17 : tensor<256x128xf32>
      %26 = ingot.mul %25, %20 : tensor<256x128xf32>
      %27 = ingot.fma %arg26, %18, %26 : tensor<256x128xf32>
      %28 = ingot.broadcast %21 {dims = array<i64>, shape = array<i64: 256, 128>} : tensor<f32> -> tensor<256x128xf32>
      %29 = ingot.div %24, %28 : tensor<256x128xf32>
      %30 = ingot.broadcast %22 {dims = array<i64>, shape = array<i64: 256, 128>} : tensor<f32> -> tensor<256x128xf32>
      %31 = ingot.div %27, %30 : tensor<256x128xf32>
      %32 = ingot.mul %29, %17 : tensor<256x128xf32>
      %33 = ingot.sqrt %31 : tensor<256x128xf32>
      %34 = ingot.add %33, %19 : tensor<256x128xf32>
      %35 = ingot.div %32, %34 : tensor<256x128xf32>
      %36 = ingot.sub %arg27, %35 : tensor<256x128xf32>
      ingot.yield %24, %27, %36 : tensor<256x128xf32>, tensor<256x128xf32>, tensor<256x128xf32>
    }
    %13:3 = ingot.fusion contract (%arg21 = %arg19, %arg22 = %10, %arg23 = %arg6, %arg24 = %arg12, %arg25 = %0#1, %arg26 = %0#2, %arg27 = %arg0) : (tensor<128x784xf32>, tensor<128x256xf32>, tensor<784x256xf32>, tensor<784x256xf32>, tensor<f32>, tensor<f32>, tensor<784x256xf32>) -> (tensor<784x256xf32>, tensor<784x256xf32>, tensor<784x256xf32>) attributes {buffers = [#ingot.buffer<output, 6>, #ingot.buffer<output, 12>, #ingot.buffer<output, 0>]} {
      %14 = ingot.constant dense<1.000000e-01> : tensor<784x256xf32>
      %15 = ingot.constant dense<0.899999976> : tensor<784x256xf32>
      %16 = ingot.constant dense<1.000000e-03> : tensor<784x256xf32>
      %17 = ingot.constant dense<9.990000e-01> : tensor<784x256xf32>
      %18 = ingot.constant dense<1.000000e+00> : tensor<f32>
      %19 = ingot.constant dense<9.99999993E-9> : tensor<784x256xf32>
      %20 = ingot.dot %arg21, %arg22 {lhs_batch = array<i64>, lhs_contract = array<i64: 0>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<128x784xf32>, tensor<128x256xf32>) -> tensor<784x256xf32>
      %21 = ingot.mul %20, %14 : tensor<784x256xf32>
      %22 = ingot.fma %arg23, %15, %21 : tensor<784x256xf32>
      %23 = ingot.mul %20, %16 : tensor<784x256xf32>
      %24 = ingot.mul %23, %20 : tensor<784x256xf32>
      %25 = ingot.fma %arg24, %17, %24 : tensor<784x256xf32>
      %26 = ingot.sub %18, %arg25 : tensor<f32>
      %27 = ingot.broadcast %26 {dims = array<i64>, shape = array<i64: 784, 256>} : tensor<f32> -> tensor<784x256xf32>
      %28 = ingot.div %22, %27 : tensor<784x256xf32>
      %29 = ingot.sub %18, %arg26 : tensor<f32>
      %30 = ingot.broadcast %29 {dims = array<i64>, shape = array<i64: 784, 256>} : tensor<f32> -> tensor<784x256xf32>
      %31 = ingot.div %25, %30 : tensor<784x256xf32>
      %32 = ingot.mul %28, %16 : tensor<784x256xf32>
      %33 = ingot.sqrt %31 : tensor<784x256xf32>
      %34 = ingot.add %33, %19 : tensor<784x256xf32>
      %35 = ingot.div %32, %34 : tensor<784x256xf32>
      %36 = ingot.sub %arg27, %35 : tensor<784x256xf32>
      ingot.yield %22, %25, %36 : tensor<784x256xf32>, tensor<784x256xf32>, tensor<784x256xf32>
    }
    return %13#2, %11#2, %12#2, %9#2, %8#2, %6#2, %13#0, %11#0, %12#0, %9#0, %8#0, %6#0, %13#1, %11#1, %12#1, %9#1, %8#1, %6#1, %0#0, %5 : tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<f32>, tensor<f32>
  }
}

