#target = #ingot.target<name = "x86-64-v3", triple = "x86_64-unknown-linux-gnu", cpu = "x86-64-v3", features = "+sse3,+ssse3,+cx16,+sse4.1,+sse4.2,+movbe,+popcnt,+sahf,+lzcnt,+bmi,+bmi2,+avx,+f16c,+fma,+avx2", vector_bits = 256, vector_registers = 16, fma_ports = 2, fma_latency = 4, l1 = 32768, l2 = 524288, l3 = 8388608, line = 64, required_features = ["sse3", "ssse3", "cx16", "sse4.1", "sse4.2", "movbe", "popcnt", "sahf", "lzcnt", "bmi", "bmi2", "avx", "f16c", "fma", "avx2"]>
module attributes {ingot.target = #target} {
  func.func @main(%arg0: tensor<784x256xf32> {ingot.name = "p0"}, %arg1: tensor<256xf32> {ingot.name = "p1"}, %arg2: tensor<256x128xf32> {ingot.name = "p2"}, %arg3: tensor<128xf32> {ingot.name = "p3"}, %arg4: tensor<128x10xf32> {ingot.name = "p4"}, %arg5: tensor<10xf32> {ingot.name = "p5"}, %arg6: tensor<784x256xf32> {ingot.name = "m0"}, %arg7: tensor<256xf32> {ingot.name = "m1"}, %arg8: tensor<256x128xf32> {ingot.name = "m2"}, %arg9: tensor<128xf32> {ingot.name = "m3"}, %arg10: tensor<128x10xf32> {ingot.name = "m4"}, %arg11: tensor<10xf32> {ingot.name = "m5"}, %arg12: tensor<784x256xf32> {ingot.name = "v0"}, %arg13: tensor<256xf32> {ingot.name = "v1"}, %arg14: tensor<256x128xf32> {ingot.name = "v2"}, %arg15: tensor<128xf32> {ingot.name = "v3"}, %arg16: tensor<128x10xf32> {ingot.name = "v4"}, %arg17: tensor<10xf32> {ingot.name = "v5"}, %arg18: tensor<f32> {ingot.name = "t"}, %arg19: tensor<128x784xf32> {ingot.name = "x"}, %arg20: tensor<128xi64> {ingot.name = "labels"}) -> (tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<f32>, tensor<f32>) {
    ingot.check_index %arg20 {op = "gather", size = 10 : i64} : tensor<128xi64>
    %0 = ingot.constant dense<7.812500e-03> : tensor<128x1xf32>
    %1 = ingot.constant dense<-7.812500e-03> : tensor<128x10xf32>
    %2 = ingot.constant dense<10> : tensor<128x1xi64>
    %3 = ingot.constant dense<0> : tensor<128x1xi64>
    %4 = ingot.constant dense<7.812500e-03> : tensor<f32>
    %5 = ingot.constant dense<9.99999993E-9> : tensor<10xf32>
    %6 = ingot.constant dense<1.000000e-03> : tensor<10xf32>
    %7 = ingot.constant dense<9.990000e-01> : tensor<10xf32>
    %8 = ingot.constant dense<1.000000e-01> : tensor<10xf32>
    %9 = ingot.constant dense<0.899999976> : tensor<10xf32>
    %10 = ingot.constant dense<9.99999993E-9> : tensor<128x10xf32>
    %11 = ingot.constant dense<1.000000e-03> : tensor<128x10xf32>
    %12 = ingot.constant dense<9.990000e-01> : tensor<128x10xf32>
    %13 = ingot.constant dense<1.000000e-01> : tensor<128x10xf32>
    %14 = ingot.constant dense<0.899999976> : tensor<128x10xf32>
    %15 = ingot.constant dense<9.99999993E-9> : tensor<128xf32>
    %16 = ingot.constant dense<1.000000e-03> : tensor<128xf32>
    %17 = ingot.constant dense<9.990000e-01> : tensor<128xf32>
    %18 = ingot.constant dense<1.000000e-01> : tensor<128xf32>
    %19 = ingot.constant dense<0.899999976> : tensor<128xf32>
    %20 = ingot.constant dense<9.99999993E-9> : tensor<256x128xf32>
    %21 = ingot.constant dense<1.000000e-03> : tensor<256x128xf32>
    %22 = ingot.constant dense<9.990000e-01> : tensor<256x128xf32>
    %23 = ingot.constant dense<1.000000e-01> : tensor<256x128xf32>
    %24 = ingot.constant dense<0.899999976> : tensor<256x128xf32>
    %25 = ingot.constant dense<9.99999993E-9> : tensor<256xf32>
    %26 = ingot.constant dense<1.000000e-03> : tensor<256xf32>
    %27 = ingot.constant dense<9.990000e-01> : tensor<256xf32>
    %28 = ingot.constant dense<1.000000e-01> : tensor<256xf32>
    %29 = ingot.constant dense<0.899999976> : tensor<256xf32>
    %30 = ingot.constant dense<9.99999993E-9> : tensor<784x256xf32>
    %31 = ingot.constant dense<9.990000e-01> : tensor<f32>
    %32 = ingot.constant dense<0.899999976> : tensor<f32>
    %33 = ingot.constant dense<1.000000e-03> : tensor<784x256xf32>
    %34 = ingot.constant dense<9.990000e-01> : tensor<784x256xf32>
    %35 = ingot.constant dense<1.000000e-01> : tensor<784x256xf32>
    %36 = ingot.constant dense<0.899999976> : tensor<784x256xf32>
    %37 = ingot.constant {ingot.backward} dense<1.000000e+00> : tensor<128x1xf32>
    %38 = ingot.constant {ingot.backward} dense<0.000000e+00> : tensor<128x10xf32>
    %39 = ingot.constant {ingot.backward} dense<1.000000e+00> : tensor<f32>
    %40 = ingot.constant dense<0.000000e+00> : tensor<128x128xf32>
    %41 = ingot.constant dense<0.000000e+00> : tensor<128x256xf32>
    %42 = ingot.dot %arg19, %arg0 {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<128x784xf32>, tensor<784x256xf32>) -> tensor<128x256xf32>
    %43 = ingot.broadcast %arg1 {dims = array<i64: 1>, shape = array<i64: 128, 256>} : tensor<256xf32> -> tensor<128x256xf32>
    %44 = ingot.add %42, %43 : tensor<128x256xf32>
    %45 = ingot.le %44, %41 : tensor<128x256xf32>
    %46 = ingot.select %45, %41, %44 : tensor<128x256xi1>, tensor<128x256xf32>
    %47 = ingot.le %46, %41 : tensor<128x256xf32>
    %48 = ingot.dot %46, %arg2 {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<128x256xf32>, tensor<256x128xf32>) -> tensor<128x128xf32>
    %49 = ingot.broadcast %arg3 {dims = array<i64: 1>, shape = array<i64: 128, 128>} : tensor<128xf32> -> tensor<128x128xf32>
    %50 = ingot.add %48, %49 : tensor<128x128xf32>
    %51 = ingot.le %50, %40 : tensor<128x128xf32>
    %52 = ingot.select %51, %40, %50 : tensor<128x128xi1>, tensor<128x128xf32>
    %53 = ingot.le %52, %40 : tensor<128x128xf32>
    %54 = ingot.dot %52, %arg4 {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<128x128xf32>, tensor<128x10xf32>) -> tensor<128x10xf32>
    %55 = ingot.broadcast %arg5 {dims = array<i64: 1>, shape = array<i64: 128, 10>} : tensor<10xf32> -> tensor<128x10xf32>
    %56 = ingot.add %54, %55 : tensor<128x10xf32>
    %57 = ingot.reduce_max %56 {axes = array<i64: 1>} : tensor<128x10xf32> -> tensor<128xf32>
    %58 = ingot.broadcast %57 {dims = array<i64: 0>, shape = array<i64: 128, 10>} : tensor<128xf32> -> tensor<128x10xf32>
    %59 = ingot.sub %56, %58 : tensor<128x10xf32>
    %60 = ingot.exp %59 : tensor<128x10xf32>
    %61 = ingot.reduce_sum %60 {axes = array<i64: 1>} : tensor<128x10xf32> -> tensor<128xf32>
    %62 = ingot.reshape %61 {shape = array<i64: 128, 1>} : tensor<128xf32> -> tensor<128x1xf32>
    %63 = ingot.log %62 : tensor<128x1xf32>
    %64 = ingot.broadcast %63 {dims = array<i64: 0, 1>, shape = array<i64: 128, 10>} : tensor<128x1xf32> -> tensor<128x10xf32>
    %65 = ingot.sub %59, %64 : tensor<128x10xf32>
    %66 = ingot.reshape %arg20 {shape = array<i64: 128, 1>} : tensor<128xi64> -> tensor<128x1xi64>
    %67 = ingot.gather %65, %66 {axis = 1 : i64} : tensor<128x10xf32>, tensor<128x1xi64>
    %68 = ingot.reshape %67 {shape = array<i64: 128>} : tensor<128x1xf32> -> tensor<128xf32>
    %69 = ingot.reduce_sum %68 {axes = array<i64: 0>} : tensor<128xf32> -> tensor<f32>
    %70 = ingot.mul %69, %4 : tensor<f32>
    %71 = ingot.neg %70 : tensor<f32>
    %72 = ingot.lt %66, %3 : tensor<128x1xi64>
    %73 = ingot.add %66, %2 : tensor<128x1xi64>
    %74 = ingot.select %72, %73, %66 : tensor<128x1xi1>, tensor<128x1xi64>
    %75 = ingot.iota {axis = 1 : i64, dtype = i64, shape = array<i64: 128, 10>} : tensor<128x10xi64>
    %76 = ingot.broadcast %74 {dims = array<i64: 0, 1>, shape = array<i64: 128, 10>} : tensor<128x1xi64> -> tensor<128x10xi64>
    %77 = ingot.eq %76, %75 : tensor<128x10xi64>
    %78 = ingot.select %77, %1, %38 : tensor<128x10xi1>, tensor<128x10xf32>
    %79 = ingot.div %37, %62 {ingot.backward} : tensor<128x1xf32>
    %80 = ingot.mul %79, %0 {ingot.backward} : tensor<128x1xf32>
    %81 = ingot.broadcast %80 {dims = array<i64: 0, 1>, shape = array<i64: 128, 10>} : tensor<128x1xf32> -> tensor<128x10xf32>
    %82 = ingot.fma %81, %60, %78 : tensor<128x10xf32>
    %83 = ingot.reduce_sum %82 {axes = array<i64: 0>, ingot.backward} : tensor<128x10xf32> -> tensor<10xf32>
    %84 = ingot.dot %82, %arg4 {ingot.backward, lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 1>} : (tensor<128x10xf32>, tensor<128x10xf32>) -> tensor<128x128xf32>
    %85 = ingot.dot %52, %82 {ingot.backward, lhs_batch = array<i64>, lhs_contract = array<i64: 0>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<128x128xf32>, tensor<128x10xf32>) -> tensor<128x10xf32>
    %86 = ingot.select %53, %40, %84 {ingot.backward} : tensor<128x128xi1>, tensor<128x128xf32>
    %87 = ingot.reduce_sum %86 {axes = array<i64: 0>, ingot.backward} : tensor<128x128xf32> -> tensor<128xf32>
    %88 = ingot.dot %86, %arg2 {ingot.backward, lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 1>} : (tensor<128x128xf32>, tensor<256x128xf32>) -> tensor<128x256xf32>
    %89 = ingot.dot %46, %86 {ingot.backward, lhs_batch = array<i64>, lhs_contract = array<i64: 0>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<128x256xf32>, tensor<128x128xf32>) -> tensor<256x128xf32>
    %90 = ingot.select %47, %41, %88 {ingot.backward} : tensor<128x256xi1>, tensor<128x256xf32>
    %91 = ingot.reduce_sum %90 {axes = array<i64: 0>, ingot.backward} : tensor<128x256xf32> -> tensor<256xf32>
    %92 = ingot.dot %arg19, %90 {ingot.backward, lhs_batch = array<i64>, lhs_contract = array<i64: 0>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<128x784xf32>, tensor<128x256xf32>) -> tensor<784x256xf32>
    %93 = ingot.add %arg18, %39 : tensor<f32>
    %94 = ingot.mul %92, %35 : tensor<784x256xf32>
    %95 = ingot.fma %arg6, %36, %94 : tensor<784x256xf32>
    %96 = ingot.mul %92, %33 : tensor<784x256xf32>
    %97 = ingot.mul %96, %92 : tensor<784x256xf32>
    %98 = ingot.fma %arg12, %34, %97 : tensor<784x256xf32>
    %99 = ingot.pow %32, %93 : tensor<f32>
    %100 = ingot.sub %39, %99 : tensor<f32>
    %101 = ingot.broadcast %100 {dims = array<i64>, shape = array<i64: 784, 256>} : tensor<f32> -> tensor<784x256xf32>
    %102 = ingot.div %95, %101 : tensor<784x256xf32>
    %103 = ingot.pow %31, %93 : tensor<f32>
    %104 = ingot.sub %39, %103 : tensor<f32>
    %105 = ingot.broadcast %104 {dims = array<i64>, shape = array<i64: 784, 256>} : tensor<f32> -> tensor<784x256xf32>
    %106 = ingot.div %98, %105 : tensor<784x256xf32>
    %107 = ingot.mul %102, %33 : tensor<784x256xf32>
    %108 = ingot.sqrt %106 : tensor<784x256xf32>
    %109 = ingot.add %108, %30 : tensor<784x256xf32>
    %110 = ingot.div %107, %109 : tensor<784x256xf32>
    %111 = ingot.sub %arg0, %110 : tensor<784x256xf32>
    %112 = ingot.mul %91, %28 : tensor<256xf32>
    %113 = ingot.fma %arg7, %29, %112 : tensor<256xf32>
    %114 = ingot.mul %91, %26 : tensor<256xf32>
    %115 = ingot.mul %114, %91 : tensor<256xf32>
    %116 = ingot.fma %arg13, %27, %115 : tensor<256xf32>
    %117 = ingot.broadcast %100 {dims = array<i64>, shape = array<i64: 256>} : tensor<f32> -> tensor<256xf32>
    %118 = ingot.div %113, %117 : tensor<256xf32>
    %119 = ingot.broadcast %104 {dims = array<i64>, shape = array<i64: 256>} : tensor<f32> -> tensor<256xf32>
    %120 = ingot.div %116, %119 : tensor<256xf32>
    %121 = ingot.mul %118, %26 : tensor<256xf32>
    %122 = ingot.sqrt %120 : tensor<256xf32>
    %123 = ingot.add %122, %25 : tensor<256xf32>
    %124 = ingot.div %121, %123 : tensor<256xf32>
    %125 = ingot.sub %arg1, %124 : tensor<256xf32>
    %126 = ingot.mul %89, %23 : tensor<256x128xf32>
    %127 = ingot.fma %arg8, %24, %126 : tensor<256x128xf32>
    %128 = ingot.mul %89, %21 : tensor<256x128xf32>
    %129 = ingot.mul %128, %89 : tensor<256x128xf32>
    %130 = ingot.fma %arg14, %22, %129 : tensor<256x128xf32>
    %131 = ingot.broadcast %100 {dims = array<i64>, shape = array<i64: 256, 128>} : tensor<f32> -> tensor<256x128xf32>
    %132 = ingot.div %127, %131 : tensor<256x128xf32>
    %133 = ingot.broadcast %104 {dims = array<i64>, shape = array<i64: 256, 128>} : tensor<f32> -> tensor<256x128xf32>
    %134 = ingot.div %130, %133 : tensor<256x128xf32>
    %135 = ingot.mul %132, %21 : tensor<256x128xf32>
    %136 = ingot.sqrt %134 : tensor<256x128xf32>
    %137 = ingot.add %136, %20 : tensor<256x128xf32>
    %138 = ingot.div %135, %137 : tensor<256x128xf32>
    %139 = ingot.sub %arg2, %138 : tensor<256x128xf32>
    %140 = ingot.mul %87, %18 : tensor<128xf32>
    %141 = ingot.fma %arg9, %19, %140 : tensor<128xf32>
    %142 = ingot.mul %87, %16 : tensor<128xf32>
    %143 = ingot.mul %142, %87 : tensor<128xf32>
    %144 = ingot.fma %arg15, %17, %143 : tensor<128xf32>
    %145 = ingot.broadcast %100 {dims = array<i64>, shape = array<i64: 128>} : tensor<f32> -> tensor<128xf32>
    %146 = ingot.div %141, %145 : tensor<128xf32>
    %147 = ingot.broadcast %104 {dims = array<i64>, shape = array<i64: 128>} : tensor<f32> -> tensor<128xf32>
    %148 = ingot.div %144, %147 : tensor<128xf32>
    %149 = ingot.mul %146, %16 : tensor<128xf32>
    %150 = ingot.sqrt %148 : tensor<128xf32>
    %151 = ingot.add %150, %15 : tensor<128xf32>
    %152 = ingot.div %149, %151 : tensor<128xf32>
    %153 = ingot.sub %arg3, %152 : tensor<128xf32>
    %154 = ingot.mul %85, %13 : tensor<128x10xf32>
    %155 = ingot.fma %arg10, %14, %154 : tensor<128x10xf32>
    %156 = ingot.mul %85, %11 : tensor<128x10xf32>
    %157 = ingot.mul %156, %85 : tensor<128x10xf32>
    %158 = ingot.fma %arg16, %12, %157 : tensor<128x10xf32>
    %159 = ingot.broadcast %100 {dims = array<i64>, shape = array<i64: 128, 10>} : tensor<f32> -> tensor<128x10xf32>
    %160 = ingot.div %155, %159 : tensor<128x10xf32>
    %161 = ingot.broadcast %104 {dims = array<i64>, shape = array<i64: 128, 10>} : tensor<f32> -> tensor<128x10xf32>
    %162 = ingot.div %158, %161 : tensor<128x10xf32>
    %163 = ingot.mul %160, %11 : tensor<128x10xf32>
    %164 = ingot.sqrt %162 : tensor<128x10xf32>
    %165 = ingot.add %164, %10 : tensor<128x10xf32>
    %166 = ingot.div %163, %165 : tensor<128x10xf32>
    %167 = ingot.sub %arg4, %166 : tensor<128x10xf32>
    %168 = ingot.mul %83, %8 : tensor<10xf32>
    %169 = ingot.fma %arg11, %9, %168 : tensor<10xf32>
    %170 = ingot.mul %83, %6 : tensor<10xf32>
    %171 = ingot.mul %170, %83 : tensor<10xf32>
    %172 = ingot.fma %arg17, %7, %171 : tensor<10xf32>
    %173 = ingot.broadcast %100 {dims = array<i64>, shape = array<i64: 10>} : tensor<f32> -> tensor<10xf32>
    %174 = ingot.div %169, %173 : tensor<10xf32>
    %175 = ingot.broadcast %104 {dims = array<i64>, shape = array<i64: 10>} : tensor<f32> -> tensor<10xf32>
    %176 = ingot.div %172, %175 : tensor<10xf32>
    %177 = ingot.mul %174, %6 : tensor<10xf32>
    %178 = ingot.sqrt %176 : tensor<10xf32>
    %179 = ingot.add %178, %5 : tensor<10xf32>
    %180 = ingot.div %177, %179 : tensor<10xf32>
    %181 = ingot.sub %arg5, %180 : tensor<10xf32>
    return %111, %125, %139, %153, %167, %181, %95, %113, %127, %141, %155, %169, %98, %116, %130, %144, %158, %172, %93, %71 : tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<f32>, tensor<f32>
  }
}

