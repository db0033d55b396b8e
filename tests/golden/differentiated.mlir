#target = #ingot.target<name = "x86-64-v3", triple = "x86_64-unknown-linux-gnu", cpu = "x86-64-v3", features = "+sse3,+ssse3,+cx16,+sse4.1,+sse4.2,+movbe,+popcnt,+sahf,+lzcnt,+bmi,+bmi2,+avx,+f16c,+fma,+avx2", vector_bits = 256, vector_registers = 16, fma_ports = 2, fma_latency = 4, l1 = 32768, l2 = 524288, l3 = 8388608, line = 64, required_features = ["sse3", "ssse3", "cx16", "sse4.1", "sse4.2", "movbe", "popcnt", "sahf", "lzcnt", "bmi", "bmi2", "avx", "f16c", "fma", "avx2"]>
module attributes {ingot.target = #target} {
  func.func @main(%arg0: tensor<784x256xf32> {ingot.name = "p0"}, %arg1: tensor<256xf32> {ingot.name = "p1"}, %arg2: tensor<256x128xf32> {ingot.name = "p2"}, %arg3: tensor<128xf32> {ingot.name = "p3"}, %arg4: tensor<128x10xf32> {ingot.name = "p4"}, %arg5: tensor<10xf32> {ingot.name = "p5"}, %arg6: tensor<784x256xf32> {ingot.name = "m0"}, %arg7: tensor<256xf32> {ingot.name = "m1"}, %arg8: tensor<256x128xf32> {ingot.name = "m2"}, %arg9: tensor<128xf32> {ingot.name = "m3"}, %arg10: tensor<128x10xf32> {ingot.name = "m4"}, %arg11: tensor<10xf32> {ingot.name = "m5"}, %arg12: tensor<784x256xf32> {ingot.name = "v0"}, %arg13: tensor<256xf32> {ingot.name = "v1"}, %arg14: tensor<256x128xf32> {ingot.name = "v2"}, %arg15: tensor<128xf32> {ingot.name = "v3"}, %arg16: tensor<128x10xf32> {ingot.name = "v4"}, %arg17: tensor<10xf32> {ingot.name = "v5"}, %arg18: tensor<f32> {ingot.name = "t"}, %arg19: tensor<128x784xf32> {ingot.name = "x"}, %arg20: tensor<128xi64> {ingot.name = "labels"}) -> (tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<f32>, tensor<f32>) {
    %0 = ingot.dot %arg19, %arg0 {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<128x784xf32>, tensor<784x256xf32>) -> tensor<128x256xf32>
    %1 = ingot.broadcast %arg1 {dims = array<i64: 1>, shape = array<i64: 128, 256>} : tensor<256xf32> -> tensor<128x256xf32>
    %2 = ingot.add %0, %1 : tensor<128x256xf32>
    %3 = ingot.constant dense<0.000000e+00> : tensor<128x256xf32>
    %4 = ingot.le %2, %3 : tensor<128x256xf32>
    %5 = ingot.constant dense<0.000000e+00> : tensor<128x256xf32>
    %6 = ingot.select %4, %5, %2 : tensor<128x256xi1>, tensor<128x256xf32>
    %7 = ingot.dot %6, %arg2 {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<128x256xf32>, tensor<256x128xf32>) -> tensor<128x128xf32>
    %8 = ingot.broadcast %arg3 {dims = array<i64: 1>, shape = array<i64: 128, 128>} : tensor<128xf32> -> tensor<128x128xf32>
    %9 = ingot.add %7, %8 : tensor<128x128xf32>
    %10 = ingot.constant dense<0.000000e+00> : tensor<128x128xf32>
    %11 = ingot.le %9, %10 : tensor<128x128xf32>
    %12 = ingot.constant dense<0.000000e+00> : tensor<128x128xf32>
    %13 = ingot.select %11, %12, %9 : tensor<128x128xi1>, tensor<128x128xf32>
    %14 = ingot.dot %13, %arg4 {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<128x128xf32>, tensor<128x10xf32>) -> tensor<128x10xf32>
    %15 = ingot.broadcast %arg5 {dims = array<i64: 1>, shape = array<i64: 128, 10>} : tensor<10xf32> -> tensor<128x10xf32>
    %16 = ingot.add %14, %15 : tensor<128x10xf32>
    %17 = ingot.reduce_max %16 {axes = array<i64: 1>} : tensor<128x10xf32> -> tensor<128xf32>
    %18 = ingot.reshape %17 {shape = array<i64: 128, 1>} : tensor<128xf32> -> tensor<128x1xf32>
    %19 = ingot.stop_gradient %18 : tensor<128x1xf32>
    %20 = ingot.broadcast %19 {dims = array<i64: 0, 1>, shape = array<i64: 128, 10>} : tensor<128x1xf32> -> tensor<128x10xf32>
    %21 = ingot.sub %16, %20 : tensor<128x10xf32>
    %22 = ingot.exp %21 : tensor<128x10xf32>
    %23 = ingot.reduce_sum %22 {axes = array<i64: 1>} : tensor<128x10xf32> -> tensor<128xf32>
    %24 = ingot.reshape %23 {shape = array<i64: 128, 1>} : tensor<128xf32> -> tensor<128x1xf32>
    %25 = ingot.log %24 : tensor<128x1xf32>
    %26 = ingot.broadcast %25 {dims = array<i64: 0, 1>, shape = array<i64: 128, 10>} : tensor<128x1xf32> -> tensor<128x10xf32>
    %27 = ingot.sub %21, %26 : tensor<128x10xf32>
    %28 = ingot.reshape %arg20 {shape = array<i64: 128, 1>} : tensor<128xi64> -> tensor<128x1xi64>
    %29 = ingot.gather %27, %28 {axis = 1 : i64} : tensor<128x10xf32>, tensor<128x1xi64>
    %30 = ingot.reduce_sum %29 {axes = array<i64: 0, 1>} : tensor<128x1xf32> -> tensor<f32>
    %31 = ingot.constant dense<1.280000e+02> : tensor<f32>
    %32 = ingot.div %30, %31 : tensor<f32>
    %33 = ingot.neg %32 : tensor<f32>
    %34 = ingot.constant {ingot.backward} dense<1.000000e+00> : tensor<f32>
    %35 = ingot.neg %34 {ingot.backward} : tensor<f32>
    %36 = ingot.constant {ingot.backward} dense<1.000000e+00> : tensor<f32>
    %37 = ingot.div %36, %31 {ingot.backward} : tensor<f32>
    %38 = ingot.mul %35, %37 {ingot.backward} : tensor<f32>
    %39 = ingot.broadcast %38 {dims = array<i64>, ingot.backward, shape = array<i64: 128, 1>} : tensor<f32> -> tensor<128x1xf32>
    %40 = ingot.constant {ingot.backward} dense<0.000000e+00> : tensor<128x10xf32>
    %41 = ingot.scatter_add %40, %28, %39 {axis = 1 : i64, ingot.backward} : tensor<128x10xf32>, tensor<128x1xi64>, tensor<128x1xf32>
    %42 = ingot.neg %41 {ingot.backward} : tensor<128x10xf32>
    %43 = ingot.reduce_sum %42 {axes = array<i64: 1>, ingot.backward} : tensor<128x10xf32> -> tensor<128xf32>
    %44 = ingot.reshape %43 {ingot.backward, shape = array<i64: 128, 1>} : tensor<128xf32> -> tensor<128x1xf32>
    %45 = ingot.constant {ingot.backward} dense<1.000000e+00> : tensor<128x1xf32>
    %46 = ingot.div %45, %24 {ingot.backward} : tensor<128x1xf32>
    %47 = ingot.mul %44, %46 {ingot.backward} : tensor<128x1xf32>
    %48 = ingot.reshape %47 {ingot.backward, shape = array<i64: 128>} : tensor<128x1xf32> -> tensor<128xf32>
    %49 = ingot.broadcast %48 {dims = array<i64: 0>, ingot.backward, shape = array<i64: 128, 10>} : tensor<128xf32> -> tensor<128x10xf32>
    %50 = ingot.mul %49, %22 {ingot.backward} : tensor<128x10xf32>
    %51 = ingot.add %41, %50 {ingot.backward} : tensor<128x10xf32>
    %52 = ingot.reduce_sum %51 {axes = array<i64: 0>, ingot.backward} : tensor<128x10xf32> -> tensor<10xf32>
    %53 = ingot.dot %51, %arg4 {ingot.backward, lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 1>} : (tensor<128x10xf32>, tensor<128x10xf32>) -> tensor<128x128xf32>
    %54 = ingot.dot %13, %51 {ingot.backward, lhs_batch = array<i64>, lhs_contract = array<i64: 0>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<128x128xf32>, tensor<128x10xf32>) -> tensor<128x10xf32>
    %55 = ingot.constant {ingot.backward} dense<0.000000e+00> : tensor<128x128xf32>
    %56 = ingot.select %11, %55, %53 {ingot.backward} : tensor<128x128xi1>, tensor<128x128xf32>
    %57 = ingot.reduce_sum %56 {axes = array<i64: 0>, ingot.backward} : tensor<128x128xf32> -> tensor<128xf32>
    %58 = ingot.dot %56, %arg2 {ingot.backward, lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 1>} : (tensor<128x128xf32>, tensor<256x128xf32>) -> tensor<128x256xf32>
    %59 = ingot.dot %6, %56 {ingot.backward, lhs_batch = array<i64>, lhs_contract = array<i64: 0>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<128x256xf32>, tensor<128x128xf32>) -> tensor<256x128xf32>
    %60 = ingot.constant {ingot.backward} dense<0.000000e+00> : tensor<128x256xf32>
    %61 = ingot.select %4, %60, %58 {ingot.backward} : tensor<128x256xi1>, tensor<128x256xf32>
    %62 = ingot.reduce_sum %61 {axes = array<i64: 0>, ingot.backward} : tensor<128x256xf32> -> tensor<256xf32>
    %63 = ingot.dot %arg19, %61 {ingot.backward, lhs_batch = array<i64>, lhs_contract = array<i64: 0>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<128x784xf32>, tensor<128x256xf32>) -> tensor<784x256xf32>
    %64 = ingot.constant dense<1.000000e+00> : tensor<f32>
    %65 = ingot.add %arg18, %64 : tensor<f32>
    %66 = ingot.constant dense<0.899999976> : tensor<784x256xf32>
    %67 = ingot.mul %66, %arg6 : tensor<784x256xf32>
    %68 = ingot.constant dense<1.000000e-01> : tensor<784x256xf32>
    %69 = ingot.mul %68, %63 : tensor<784x256xf32>
    %70 = ingot.add %67, %69 : tensor<784x256xf32>
    %71 = ingot.constant dense<9.990000e-01> : tensor<784x256xf32>
    %72 = ingot.mul %71, %arg12 : tensor<784x256xf32>
    %73 = ingot.constant dense<1.000000e-03> : tensor<784x256xf32>
    %74 = ingot.mul %73, %63 : tensor<784x256xf32>
    %75 = ingot.mul %74, %63 : tensor<784x256xf32>
    %76 = ingot.add %72, %75 : tensor<784x256xf32>
    %77 = ingot.constant dense<0.899999976> : tensor<f32>
    %78 = ingot.pow %77, %65 : tensor<f32>
    %79 = ingot.constant dense<1.000000e+00> : tensor<f32>
    %80 = ingot.sub %79, %78 : tensor<f32>
    %81 = ingot.broadcast %80 {dims = array<i64>, shape = array<i64: 784, 256>} : tensor<f32> -> tensor<784x256xf32>
    %82 = ingot.div %70, %81 : tensor<784x256xf32>
    %83 = ingot.constant dense<9.990000e-01> : tensor<f32>
    %84 = ingot.pow %83, %65 : tensor<f32>
    %85 = ingot.constant dense<1.000000e+00> : tensor<f32>
    %86 = ingot.sub %85, %84 : tensor<f32>
    %87 = ingot.broadcast %86 {dims = array<i64>, shape = array<i64: 784, 256>} : tensor<f32> -> tensor<784x256xf32>
    %88 = ingot.div %76, %87 : tensor<784x256xf32>
    %89 = ingot.constant dense<1.000000e-03> : tensor<784x256xf32>
    %90 = ingot.mul %89, %82 : tensor<784x256xf32>
    %91 = ingot.sqrt %88 : tensor<784x256xf32>
    %92 = ingot.constant dense<9.99999993E-9> : tensor<784x256xf32>
    %93 = ingot.add %91, %92 : tensor<784x256xf32>
    %94 = ingot.div %90, %93 : tensor<784x256xf32>
    %95 = ingot.sub %arg0, %94 : tensor<784x256xf32>
    %96 = ingot.constant dense<0.899999976> : tensor<256xf32>
    %97 = ingot.mul %96, %arg7 : tensor<256xf32>
    %98 = ingot.constant dense<1.000000e-01> : tensor<256xf32>
    %99 = ingot.mul %98, %62 : tensor<256xf32>
    %100 = ingot.add %97, %99 : tensor<256xf32>
    %101 = ingot.constant dense<9.990000e-01> : tensor<256xf32>
    %102 = ingot.mul %101, %arg13 : tensor<256xf32>
    %103 = ingot.constant dense<1.000000e-03> : tensor<256xf32>
    %104 = ingot.mul %103, %62 : tensor<256xf32>
    %105 = ingot.mul %104, %62 : tensor<256xf32>
    %106 = ingot.add %102, %105 : tensor<256xf32>
    %107 = ingot.constant dense<0.899999976> : tensor<f32>
    %108 = ingot.pow %107, %65 : tensor<f32>
    %109 = ingot.constant dense<1.000000e+00> : tensor<f32>
    %110 = ingot.sub %109, %108 : tensor<f32>
    %111 = ingot.broadcast %110 {dims = array<i64>, shape = array<i64: 256>} : tensor<f32> -> tensor<256xf32>
    %112 = ingot.div %100, %111 : tensor<256xf32>
    %113 = ingot.constant dense<9.990000e-01> : tensor<f32>
    %114 = ingot.pow %113, %65 : tensor<f32>
    %115 = ingot.constant dense<1.000000e+00> : tensor<f32>
    %116 = ingot.sub %115, %114 : tensor<f32>
    %117 = ingot.broadcast %116 {dims = array<i64>, shape = array<i64: 256>} : tensor<f32> -> tensor<256xf32>
    %118 = ingot.div %106, %117 : tensor<256xf32>
    %119 = ingot.constant dense<1.000000e-03> : tensor<256xf32>
    %120 = ingot.mul %119, %112 : tensor<256xf32>
    %121 = ingot.sqrt %118 : tensor<256xf32>
    %122 = ingot.constant dense<9.99999993E-9> : tensor<256xf32>
    %123 = ingot.add %121, %122 : tensor<256xf32>
    %124 = ingot.div %120, %123 : tensor<256xf32>
    %125 = ingot.sub %arg1, %124 : tensor<256xf32>
    %126 = ingot.constant dense<0.899999976> : tensor<256x128xf32>
    %127 = ingot.mul %126, %arg8 : tensor<256x128xf32>
    %128 = ingot.constant dense<1.000000e-01> : tensor<256x128xf32>
    %129 = ingot.mul %128, %59 : tensor<256x128xf32>
    %130 = ingot.add %127, %129 : tensor<256x128xf32>
    %131 = ingot.constant dense<9.990000e-01> : tensor<256x128xf32>
    %132 = ingot.mul %131, %arg14 : tensor<256x128xf32>
    %133 = ingot.constant dense<1.000000e-03> : tensor<256x128xf32>
    %134 = ingot.mul %133, %59 : tensor<256x128xf32>
    %135 = ingot.mul %134, %59 : tensor<256x128xf32>
    %136 = ingot.add %132, %135 : tensor<256x128xf32>
    %137 = ingot.constant dense<0.899999976> : tensor<f32>
    %138 = ingot.pow %137, %65 : tensor<f32>
    %139 = ingot.constant dense<1.000000e+00> : tensor<f32>
    %140 = ingot.sub %139, %138 : tensor<f32>
    %141 = ingot.broadcast %140 {dims = array<i64>, shape = array<i64: 256, 128>} : tensor<f32> -> tensor<256x128xf32>
    %142 = ingot.div %130, %141 : tensor<256x128xf32>
    %143 = ingot.constant dense<9.990000e-01> : tensor<f32>
    %144 = ingot.pow %143, %65 : tensor<f32>
    %145 = ingot.constant dense<1.000000e+00> : tensor<f32>
    %146 = ingot.sub %145, %144 : tensor<f32>
    %147 = ingot.broadcast %146 {dims = array<i64>, shape = array<i64: 256, 128>} : tensor<f32> -> tensor<256x128xf32>
    %148 = ingot.div %136, %147 : tensor<256x128xf32>
    %149 = ingot.constant dense<1.000000e-03> : tensor<256x128xf32>
    %150 = ingot.mul %149, %142 : tensor<256x128xf32>
    %151 = ingot.sqrt %148 : tensor<256x128xf32>
    %152 = ingot.constant dense<9.99999993E-9> : tensor<256x128xf32>
    %153 = ingot.add %151, %152 : tensor<256x128xf32>
    %154 = ingot.div %150, %153 : tensor<256x128xf32>
    %155 = ingot.sub %arg2, %154 : tensor<256x128xf32>
    %156 = ingot.constant dense<0.899999976> : tensor<128xf32>
    %157 = ingot.mul %156, %arg9 : tensor<128xf32>
    %158 = ingot.constant dense<1.000000e-01> : tensor<128xf32>
    %159 = ingot.mul %158, %57 : tensor<128xf32>
    %160 = ingot.add %157, %159 : tensor<128xf32>
    %161 = ingot.constant dense<9.990000e-01> : tensor<128xf32>
    %162 = ingot.mul %161, %arg15 : tensor<128xf32>
    %163 = ingot.constant dense<1.000000e-03> : tensor<128xf32>
    %164 = ingot.mul %163, %57 : tensor<128xf32>
    %165 = ingot.mul %164, %57 : tensor<128xf32>
    %166 = ingot.add %162, %165 : tensor<128xf32>
    %167 = ingot.constant dense<0.899999976> : tensor<f32>
    %168 = ingot.pow %167, %65 : tensor<f32>
    %169 = ingot.constant dense<1.000000e+00> : tensor<f32>
    %170 = ingot.sub %169, %168 : tensor<f32>
    %171 = ingot.broadcast %170 {dims = array<i64>, shape = array<i64: 128>} : tensor<f32> -> tensor<128xf32>
    %172 = ingot.div %160, %171 : tensor<128xf32>
    %173 = ingot.constant dense<9.990000e-01> : tensor<f32>
    %174 = ingot.pow %173, %65 : tensor<f32>
    %175 = ingot.constant dense<1.000000e+00> : tensor<f32>
    %176 = ingot.sub %175, %174 : tensor<f32>
    %177 = ingot.broadcast %176 {dims = array<i64>, shape = array<i64: 128>} : tensor<f32> -> tensor<128xf32>
    %178 = ingot.div %166, %177 : tensor<128xf32>
    %179 = ingot.constant dense<1.000000e-03> : tensor<128xf32>
    %180 = ingot.mul %179, %172 : tensor<128xf32>
    %181 = ingot.sqrt %178 : tensor<128xf32>
    %182 = ingot.constant dense<9.99999993E-9> : tensor<128xf32>
    %183 = ingot.add %181, %182 : tensor<128xf32>
    %184 = ingot.div %180, %183 : tensor<128xf32>
    %185 = ingot.sub %arg3, %184 : tensor<128xf32>
    %186 = ingot.constant dense<0.899999976> : tensor<128x10xf32>
    %187 = ingot.mul %186, %arg10 : tensor<128x10xf32>
    %188 = ingot.constant dense<1.000000e-01> : tensor<128x10xf32>
    %189 = ingot.mul %188, %54 : tensor<128x10xf32>
    %190 = ingot.add %187, %189 : tensor<128x10xf32>
    %191 = ingot.constant dense<9.990000e-01> : tensor<128x10xf32>
    %192 = ingot.mul %191, %arg16 : tensor<128x10xf32>
    %193 = ingot.constant dense<1.000000e-03> : tensor<128x10xf32>
    %194 = ingot.mul %193, %54 : tensor<128x10xf32>
    %195 = ingot.mul %194, %54 : tensor<128x10xf32>
    %196 = ingot.add %192, %195 : tensor<128x10xf32>
    %197 = ingot.constant dense<0.899999976> : tensor<f32>
    %198 = ingot.pow %197, %65 : tensor<f32>
    %199 = ingot.constant dense<1.000000e+00> : tensor<f32>
    %200 = ingot.sub %199, %198 : tensor<f32>
    %201 = ingot.broadcast %200 {dims = array<i64>, shape = array<i64: 128, 10>} : tensor<f32> -> tensor<128x10xf32>
    %202 = ingot.div %190, %201 : tensor<128x10xf32>
    %203 = ingot.constant dense<9.990000e-01> : tensor<f32>
    %204 = ingot.pow %203, %65 : tensor<f32>
    %205 = ingot.constant dense<1.000000e+00> : tensor<f32>
    %206 = ingot.sub %205, %204 : tensor<f32>
    %207 = ingot.broadcast %206 {dims = array<i64>, shape = array<i64: 128, 10>} : tensor<f32> -> tensor<128x10xf32>
    %208 = ingot.div %196, %207 : tensor<128x10xf32>
    %209 = ingot.constant dense<1.000000e-03> : tensor<128x10xf32>
    %210 = ingot.mul %209, %202 : tensor<128x10xf32>
    %211 = ingot.sqrt %208 : tensor<128x10xf32>
    %212 = ingot.constant dense<9.99999993E-9> : tensor<128x10xf32>
    %213 = ingot.add %211, %212 : tensor<128x10xf32>
    %214 = ingot.div %210, %213 : tensor<128x10xf32>
    %215 = ingot.sub %arg4, %214 : tensor<128x10xf32>
    %216 = ingot.constant dense<0.899999976> : tensor<10xf32>
    %217 = ingot.mul %216, %arg11 : tensor<10xf32>
    %218 = ingot.constant dense<1.000000e-01> : tensor<10xf32>
    %219 = ingot.mul %218, %52 : tensor<10xf32>
    %220 = ingot.add %217, %219 : tensor<10xf32>
    %221 = ingot.constant dense<9.990000e-01> : tensor<10xf32>
    %222 = ingot.mul %221, %arg17 : tensor<10xf32>
    %223 = ingot.constant dense<1.000000e-03> : tensor<10xf32>
    %224 = ingot.mul %223, %52 : tensor<10xf32>
    %225 = ingot.mul %224, %52 : tensor<10xf32>
    %226 = ingot.add %222, %225 : tensor<10xf32>
    %227 = ingot.constant dense<0.899999976> : tensor<f32>
    %228 = ingot.pow %227, %65 : tensor<f32>
    %229 = ingot.constant dense<1.000000e+00> : tensor<f32>
    %230 = ingot.sub %229, %228 : tensor<f32>
    %231 = ingot.broadcast %230 {dims = array<i64>, shape = array<i64: 10>} : tensor<f32> -> tensor<10xf32>
    %232 = ingot.div %220, %231 : tensor<10xf32>
    %233 = ingot.constant dense<9.990000e-01> : tensor<f32>
    %234 = ingot.pow %233, %65 : tensor<f32>
    %235 = ingot.constant dense<1.000000e+00> : tensor<f32>
    %236 = ingot.sub %235, %234 : tensor<f32>
    %237 = ingot.broadcast %236 {dims = array<i64>, shape = array<i64: 10>} : tensor<f32> -> tensor<10xf32>
    %238 = ingot.div %226, %237 : tensor<10xf32>
    %239 = ingot.constant dense<1.000000e-03> : tensor<10xf32>
    %240 = ingot.mul %239, %232 : tensor<10xf32>
    %241 = ingot.sqrt %238 : tensor<10xf32>
    %242 = ingot.constant dense<9.99999993E-9> : tensor<10xf32>
    %243 = ingot.add %241, %242 : tensor<10xf32>
    %244 = ingot.div %240, %243 : tensor<10xf32>
    %245 = ingot.sub %arg5, %244 : tensor<10xf32>
    return %95, %125, %155, %185, %215, %245, %70, %100, %130, %160, %190, %220, %76, %106, %136, %166, %196, %226, %65, %33 : tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<f32>, tensor<f32>
  }
}

