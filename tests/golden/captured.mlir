module {
  func.func @main(%arg0: tensor<784x256xf32> {ingot.name = "p0"}, %arg1: tensor<256xf32> {ingot.name = "p1"}, %arg2: tensor<256x128xf32> {ingot.name = "p2"}, %arg3: tensor<128xf32> {ingot.name = "p3"}, %arg4: tensor<128x10xf32> {ingot.name = "p4"}, %arg5: tensor<10xf32> {ingot.name = "p5"}, %arg6: tensor<784x256xf32> {ingot.name = "m0"}, %arg7: tensor<256xf32> {ingot.name = "m1"}, %arg8: tensor<256x128xf32> {ingot.name = "m2"}, %arg9: tensor<128xf32> {ingot.name = "m3"}, %arg10: tensor<128x10xf32> {ingot.name = "m4"}, %arg11: tensor<10xf32> {ingot.name = "m5"}, %arg12: tensor<784x256xf32> {ingot.name = "v0"}, %arg13: tensor<256xf32> {ingot.name = "v1"}, %arg14: tensor<256x128xf32> {ingot.name = "v2"}, %arg15: tensor<128xf32> {ingot.name = "v3"}, %arg16: tensor<128x10xf32> {ingot.name = "v4"}, %arg17: tensor<10xf32> {ingot.name = "v5"}, %arg18: tensor<f32> {ingot.name = "t"}, %arg19: tensor<128x784xf32> {ingot.name = "x"}, %arg20: tensor<128xi64> {ingot.name = "labels"}) -> (tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<f32>, tensor<f32>) {
    %0:7 = ingot.grad(%arg21 = %arg0, %arg22 = %arg1, %arg23 = %arg2, %arg24 = %arg3, %arg25 = %arg4, %arg26 = %arg5, %arg27 = %arg19, %arg28 = %arg20) : (tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<128x784xf32>, tensor<128xi64>) -> (tensor<f32>, tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>) attributes {with_value = 1 : i64, wrt = array<i64: 0, 1, 2, 3, 4, 5>} {
      %183 = ingot.dot %arg27, %arg21 {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<128x784xf32>, tensor<784x256xf32>) -> tensor<128x256xf32>
      %184 = ingot.broadcast %arg22 {dims = array<i64: 1>, shape = array<i64: 128, 256>} : tensor<256xf32> -> tensor<128x256xf32>
      %185 = ingot.add %183, %184 : tensor<128x256xf32>
      %186 = ingot.constant dense<0.000000e+00> : tensor<128x256xf32>
      %187 = ingot.le %185, %186 : tensor<128x256xf32>
      %188 = ingot.constant dense<0.000000e+00> : tensor<128x256xf32>
      %189 = ingot.select %187, %188, %185 : tensor<128x256xi1>, tensor<128x256xf32>
      %190 = ingot.dot %189, %arg23 {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<128x256xf32>, tensor<256x128xf32>) -> tensor<128x128xf32>
      %191 = ingot.broadcast %arg24 {dims = array<i64: 1>, shape = array<i64: 128, 128>} : tensor<128xf32> -> tensor<128x128xf32>
      %192 = ingot.add %190, %191 : tensor<128x128xf32>
      %193 = ingot.constant dense<0.000000e+00> : tensor<128x128xf32>
      %194 = ingot.le %192, %193 : tensor<128x128xf32>
      %195 = ingot.constant dense<0.000000e+00> : tensor<128x128xf32>
      %196 = ingot.select %194, %195, %192 : tensor<128x128xi1>, tensor<128x128xf32>
      %197 = ingot.dot %196, %arg25 {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<128x128xf32>, tensor<128x10xf32>) -> tensor<128x10xf32>
      %198 = ingot.broadcast %arg26 {dims = array<i64: 1>, shape = array<i64: 128, 10>} : tensor<10xf32> -> tensor<128x10xf32>
      %199 = ingot.add %197, %198 : tensor<128x10xf32>
      %200 = ingot.reduce_max %199 {axes = array<i64: 1>} : tensor<128x10xf32> -> tensor<128xf32>
      %201 = ingot.reshape %200 {shape = array<i64: 128, 1>} : tensor<128xf32> -> tensor<128x1xf32>
      %202 = ingot.stop_gradient %201 : tensor<128x1xf32>
      %203 = ingot.broadcast %202 {dims = array<i64: 0, 1>, shape = array<i64: 128, 10>} : tensor<128x1xf32> -> tensor<128x10xf32>
      %204 = ingot.sub %199, %203 : tensor<128x10xf32>
      %205 = ingot.exp %204 : tensor<128x10xf32>
      %206 = ingot.reduce_sum %205 {axes = array<i64: 1>} : tensor<128x10xf32> -> tensor<128xf32>
      %207 = ingot.reshape %206 {shape = array<i64: 128, 1>} : tensor<128xf32> -> tensor<128x1xf32>
      %208 = ingot.log %207 : tensor<128x1xf32>
      %209 = ingot.broadcast %208 {dims = array<i64: 0, 1>, shape = array<i64: 128, 10>} : tensor<128x1xf32> -> tensor<128x10xf32>
      %210 = ingot.sub %204, %209 : tensor<128x10xf32>
      %211 = ingot.reshape %arg28 {shape = array<i64: 128, 1>} : tensor<128xi64> -> tensor<128x1xi64>
      %212 = ingot.gather %210, %211 {axis = 1 : i64} : tensor<128x10xf32>, tensor<128x1xi64>
      %213 = ingot.reduce_sum %212 {axes = array<i64: 0, 1>} : tensor<128x1xf32> -> tensor<f32>
      %214 = ingot.constant dense<1.280000e+02> : tensor<f32>
      %215 = ingot.div %213, %214 : tensor<f32>
      %216 = ingot.neg %215 : tensor<f32>
      ingot.yield %216 : tensor<f32>
    }
    %1 = ingot.constant dense<1.000000e+00> : tensor<f32>
    %2 = ingot.add %arg18, %1 : tensor<f32>
    %3 = ingot.constant dense<0.899999976> : tensor<784x256xf32>
    %4 = ingot.mul %3, %arg6 : tensor<784x256xf32>
    %5 = ingot.constant dense<1.000000e-01> : tensor<784x256xf32>
    %6 = ingot.mul %5, %0#1 : tensor<784x256xf32>
    %7 = ingot.add %4, %6 : tensor<784x256xf32>
    %8 = ingot.constant dense<9.990000e-01> : tensor<784x256xf32>
    %9 = ingot.mul %8, %arg12 : tensor<784x256xf32>
    %10 = ingot.constant dense<1.000000e-03> : tensor<784x256xf32>
    %11 = ingot.mul %10, %0#1 : tensor<784x256xf32>
    %12 = ingot.mul %11, %0#1 : tensor<784x256xf32>
    %13 = ingot.add %9, %12 : tensor<784x256xf32>
    %14 = ingot.constant dense<0.899999976> : tensor<f32>
    %15 = ingot.pow %14, %2 : tensor<f32>
    %16 = ingot.constant dense<1.000000e+00> : tensor<f32>
    %17 = ingot.sub %16, %15 : tensor<f32>
    %18 = ingot.broadcast %17 {dims = array<i64>, shape = array<i64: 784, 256>} : tensor<f32> -> tensor<784x256xf32>
    %19 = ingot.div %7, %18 : tensor<784x256xf32>
    %20 = ingot.constant dense<9.990000e-01> : tensor<f32>
    %21 = ingot.pow %20, %2 : tensor<f32>
    %22 = ingot.constant dense<1.000000e+00> : tensor<f32>
    %23 = ingot.sub %22, %21 : tensor<f32>
    %24 = ingot.broadcast %23 {dims = array<i64>, shape = array<i64: 784, 256>} : tensor<f32> -> tensor<784x256xf32>
    %25 = ingot.div %13, %24 : tensor<784x256xf32>
    %26 = ingot.constant dense<1.000000e-03> : tensor<784x256xf32>
    %27 = ingot.mul %26, %19 : tensor<784x256xf32>
    %28 = ingot.sqrt %25 : tensor<784x256xf32>
    %29 = ingot.constant dense<9.99999993E-9> : tensor<784x256xf32>
    %30 = ingot.add %28, %29 : tensor<784x256xf32>
    %31 = ingot.div %27, %30 : tensor<784x256xf32>
    %32 = ingot.sub %arg0, %31 : tensor<784x256xf32>
    %33 = ingot.constant dense<0.899999976> : tensor<256xf32>
    %34 = ingot.mul %33, %arg7 : tensor<256xf32>
    %35 = ingot.constant dense<1.000000e-01> : tensor<256xf32>
    %36 = ingot.mul %35, %0#2 : tensor<256xf32>
    %37 = ingot.add %34, %36 : tensor<256xf32>
    %38 = ingot.constant dense<9.990000e-01> : tensor<256xf32>
    %39 = ingot.mul %38, %arg13 : tensor<256xf32>
    %40 = ingot.constant dense<1.000000e-03> : tensor<256xf32>
    %41 = ingot.mul %40, %0#2 : tensor<256xf32>
    %42 = ingot.mul %41, %0#2 : tensor<256xf32>
    %43 = ingot.add %39, %42 : tensor<256xf32>
    %44 = ingot.constant dense<0.899999976> : tensor<f32>
    %45 = ingot.pow %44, %2 : tensor<f32>
    %46 = ingot.constant dense<1.000000e+00> : tensor<f32>
    %47 = ingot.sub %46, %45 : tensor<f32>
    %48 = ingot.broadcast %47 {dims = array<i64>, shape = array<i64: 256>} : tensor<f32> -> tensor<256xf32>
    %49 = ingot.div %37, %48 : tensor<256xf32>
    %50 = ingot.constant dense<9.990000e-01> : tensor<f32>
    %51 = ingot.pow %50, %2 : tensor<f32>
    %52 = ingot.constant dense<1.000000e+00> : tensor<f32>
    %53 = ingot.sub %52, %51 : tensor<f32>
    %54 = ingot.broadcast %53 {dims = array<i64>, shape = array<i64: 256>} : tensor<f32> -> tensor<256xf32>
    %55 = ingot.div %43, %54 : tensor<256xf32>
    %56 = ingot.constant dense<1.000000e-03> : tensor<256xf32>
    %57 = ingot.mul %56, %49 : tensor<256xf32>
    %58 = ingot.sqrt %55 : tensor<256xf32>
    %59 = ingot.constant dense<9.99999993E-9> : tensor<256xf32>
    %60 = ingot.add %58, %59 : tensor<256xf32>
    %61 = ingot.div %57, %60 : tensor<256xf32>
    %62 = ingot.sub %arg1, %61 : tensor<256xf32>
    %63 = ingot.constant dense<0.899999976> : tensor<256x128xf32>
    %64 = ingot.mul %63, %arg8 : tensor<256x128xf32>
    %65 = ingot.constant dense<1.000000e-01> : tensor<256x128xf32>
    %66 = ingot.mul %65, %0#3 : tensor<256x128xf32>
    %67 = ingot.add %64, %66 : tensor<256x128xf32>
    %68 = ingot.constant dense<9.990000e-01> : tensor<256x128xf32>
    %69 = ingot.mul %68, %arg14 : tensor<256x128xf32>
    %70 = ingot.constant dense<1.000000e-03> : tensor<256x128xf32>
    %71 = ingot.mul %70, %0#3 : tensor<256x128xf32>
    %72 = ingot.mul %71, %0#3 : tensor<256x128xf32>
    %73 = ingot.add %69, %72 : tensor<256x128xf32>
    %74 = ingot.constant dense<0.899999976> : tensor<f32>
    %75 = ingot.pow %74, %2 : tensor<f32>
    %76 = ingot.constant dense<1.000000e+00> : tensor<f32>
    %77 = ingot.sub %76, %75 : tensor<f32>
    %78 = ingot.broadcast %77 {dims = array<i64>, shape = array<i64: 256, 128>} : tensor<f32> -> tensor<256x128xf32>
    %79 = ingot.div %67, %78 : tensor<256x128xf32>
    %80 = ingot.constant dense<9.990000e-01> : tensor<f32>
    %81 = ingot.pow %80, %2 : tensor<f32>
    %82 = ingot.constant dense<1.000000e+00> : tensor<f32>
    %83 = ingot.sub %82, %81 : tensor<f32>
    %84 = ingot.broadcast %83 {dims = array<i64>, shape = array<i64: 256, 128>} : tensor<f32> -> tensor<256x128xf32>
    %85 = ingot.div %73, %84 : tensor<256x128xf32>
    %86 = ingot.constant dense<1.000000e-03> : tensor<256x128xf32>
    %87 = ingot.mul %86, %79 : tensor<256x128xf32>
    %88 = ingot.sqrt %85 : tensor<256x128xf32>
    %89 = ingot.constant dense<9.99999993E-9> : tensor<256x128xf32>
    %90 = ingot.add %88, %89 : tensor<256x128xf32>
    %91 = ingot.div %87, %90 : tensor<256x128xf32>
    %92 = ingot.sub %arg2, %91 : tensor<256x128xf32>
    %93 = ingot.constant dense<0.899999976> : tensor<128xf32>
    %94 = ingot.mul %93, %arg9 : tensor<128xf32>
    %95 = ingot.constant dense<1.000000e-01> : tensor<128xf32>
    %96 = ingot.mul %95, %0#4 : tensor<128xf32>
    %97 = ingot.add %94, %96 : tensor<128xf32>
    %98 = ingot.constant dense<9.990000e-01> : tensor<128xf32>
    %99 = ingot.mul %98, %arg15 : tensor<128xf32>
    %100 = ingot.constant dense<1.000000e-03> : tensor<128xf32>
    %101 = ingot.mul %100, %0#4 : tensor<128xf32>
    %102 = ingot.mul %101, %0#4 : tensor<128xf32>
    %103 = ingot.add %99, %102 : tensor<128xf32>
    %104 = ingot.constant dense<0.899999976> : tensor<f32>
    %105 = ingot.pow %104, %2 : tensor<f32>
    %106 = ingot.constant dense<1.000000e+00> : tensor<f32>
    %107 = ingot.sub %106, %105 : tensor<f32>
    %108 = ingot.broadcast %107 {dims = array<i64>, shape = array<i64: 128>} : tensor<f32> -> tensor<128xf32>
    %109 = ingot.div %97, %108 : tensor<128xf32>
    %110 = ingot.constant dense<9.990000e-01> : tensor<f32>
    %111 = ingot.pow %110, %2 : tensor<f32>
    %112 = ingot.constant dense<1.000000e+00> : tensor<f32>
    %113 = ingot.sub %112, %111 : tensor<f32>
    %114 = ingot.broadcast %113 {dims = array<i64>, shape = array<i64: 128>} : tensor<f32> -> tensor<128xf32>
    %115 = ingot.div %103, %114 : tensor<128xf32>
    %116 = ingot.constant dense<1.000000e-03> : tensor<128xf32>
    %117 = ingot.mul %116, %109 : tensor<128xf32>
    %118 = ingot.sqrt %115 : tensor<128xf32>
    %119 = ingot.constant dense<9.99999993E-9> : tensor<128xf32>
    %120 = ingot.add %118, %119 : tensor<128xf32>
    %121 = ingot.div %117, %120 : tensor<128xf32>
    %122 = ingot.sub %arg3, %121 : tensor<128xf32>
    %123 = ingot.constant dense<0.899999976> : tensor<128x10xf32>
    %124 = ingot.mul %123, %arg10 : tensor<128x10xf32>
    %125 = ingot.constant dense<1.000000e-01> : tensor<128x10xf32>
    %126 = ingot.mul %125, %0#5 : tensor<128x10xf32>
    %127 = ingot.add %124, %126 : tensor<128x10xf32>
    %128 = ingot.constant dense<9.990000e-01> : tensor<128x10xf32>
    %129 = ingot.mul %128, %arg16 : tensor<128x10xf32>
    %130 = ingot.constant dense<1.000000e-03> : tensor<128x10xf32>
    %131 = ingot.mul %130, %0#5 : tensor<128x10xf32>
    %132 = ingot.mul %131, %0#5 : tensor<128x10xf32>
    %133 = ingot.add %129, %132 : tensor<128x10xf32>
    %134 = ingot.constant dense<0.899999976> : tensor<f32>
    %135 = ingot.pow %134, %2 : tensor<f32>
    %136 = ingot.constant dense<1.000000e+00> : tensor<f32>
    %137 = ingot.sub %136, %135 : tensor<f32>
    %138 = ingot.broadcast %137 {dims = array<i64>, shape = array<i64: 128, 10>} : tensor<f32> -> tensor<128x10xf32>
    %139 = ingot.div %127, %138 : tensor<128x10xf32>
    %140 = ingot.constant dense<9.990000e-01> : tensor<f32>
    %141 = ingot.pow %140, %2 : tensor<f32>
    %142 = ingot.constant dense<1.000000e+00> : tensor<f32>
    %143 = ingot.sub %142, %141 : tensor<f32>
    %144 = ingot.broadcast %143 {dims = array<i64>, shape = array<i64: 128, 10>} : tensor<f32> -> tensor<128x10xf32>
    %145 = ingot.div %133, %144 : tensor<128x10xf32>
    %146 = ingot.constant dense<1.000000e-03> : tensor<128x10xf32>
    %147 = ingot.mul %146, %139 : tensor<128x10xf32>
    %148 = ingot.sqrt %145 : tensor<128x10xf32>
    %149 = ingot.constant dense<9.99999993E-9> : tensor<128x10xf32>
    %150 = ingot.add %148, %149 : tensor<128x10xf32>
    %151 = ingot.div %147, %150 : tensor<128x10xf32>
    %152 = ingot.sub %arg4, %151 : tensor<128x10xf32>
    %153 = ingot.constant dense<0.899999976> : tensor<10xf32>
    %154 = ingot.mul %153, %arg11 : tensor<10xf32>
    %155 = ingot.constant dense<1.000000e-01> : tensor<10xf32>
    %156 = ingot.mul %155, %0#6 : tensor<10xf32>
    %157 = ingot.add %154, %156 : tensor<10xf32>
    %158 = ingot.constant dense<9.990000e-01> : tensor<10xf32>
    %159 = ingot.mul %158, %arg17 : tensor<10xf32>
    %160 = ingot.constant dense<1.000000e-03> : tensor<10xf32>
    %161 = ingot.mul %160, %0#6 : tensor<10xf32>
    %162 = ingot.mul %161, %0#6 : tensor<10xf32>
    %163 = ingot.add %159, %162 : tensor<10xf32>
    %164 = ingot.constant dense<0.899999976> : tensor<f32>
    %165 = ingot.pow %164, %2 : tensor<f32>
    %166 = ingot.constant dense<1.000000e+00> : tensor<f32>
    %167 = ingot.sub %166, %165 : tensor<f32>
    %168 = ingot.broadcast %167 {dims = array<i64>, shape = array<i64: 10>} : tensor<f32> -> tensor<10xf32>
    %169 = ingot.div %157, %168 : tensor<10xf32>
    %170 = ingot.constant dense<9.990000e-01> : tensor<f32>
    %171 = ingot.pow %170, %2 : tensor<f32>
    %172 = ingot.constant dense<1.000000e+00> : tensor<f32>
    %173 = ingot.sub %172, %171 : tensor<f32>
    %174 = ingot.broadcast %173 {dims = array<i64>, shape = array<i64: 10>} : tensor<f32> -> tensor<10xf32>
    %175 = ingot.div %163, %174 : tensor<10xf32>
    %176 = ingot.constant dense<1.000000e-03> : tensor<10xf32>
    %177 = ingot.mul %176, %169 : tensor<10xf32>
    %178 = ingot.sqrt %175 : tensor<10xf32>
    %179 = ingot.constant dense<9.99999993E-9> : tensor<10xf32>
    %180 = ingot.add %178, %179 : tensor<10xf32>
    %181 = ingot.div %177, %180 : tensor<10xf32>
    %182 = ingot.sub %arg5, %181 : tensor<10xf32>
    return %32, %62, %92, %122, %152, %182, %7, %37, %67, %97, %127, %157, %13, %43, %73, %103, %133, %163, %2, %0#0 : tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<f32>, tensor<f32>
  }
}

