// RUN: ingot-opt %s --ingot-to-fused | FileCheck %s
// RUN: ingot-opt %s --ingot-to-fused | FileCheck %s --check-prefix=COUNT

// A training step of a 784-256-128-10 classifier with Adam: what has to become of it in fourteen kernels and a check.
// Products carry bias and rectifier, or the mask of the rectifier that they differentiate, or the whole update of their
// weights; sums over the batch carry the update of their biases; the loss and its gradient are one kernel over rows.

// CHECK: ingot.fusion check
// CHECK: %[[H1:.*]] = ingot.fusion contract {{.*}} -> (tensor<128x256xf32>) {
// CHECK: %[[H2:.*]] = ingot.fusion contract ({{.*}} = %[[H1]], {{.*}} -> (tensor<128x128xf32>) {
// CHECK: %[[LOGITS:.*]] = ingot.fusion contract ({{.*}} = %[[H2]], {{.*}} -> (tensor<128x10xf32>) {
// CHECK: ingot.fusion row ({{.*}} = %[[LOGITS]], {{.*}} -> (tensor<128xf32>, tensor<128x10xf32>) {
// CHECK: ingot.reduce_max
// CHECK: ingot.reduce_sum
// CHECK: ingot.gather
// CHECK: ingot.eq
// CHECK: ingot.fusion row
// CHECK: ingot.fusion contract {{.*}} = %[[H2]]) {{.*}} -> (tensor<128x128xf32>) {
// CHECK: ingot.le
// CHECK: ingot.fusion contract {{.*}} = %[[H1]]) {{.*}} -> (tensor<128x256xf32>) {
// CHECK: ingot.le
// CHECK-DAG: ingot.fusion column {{.*}} -> (tensor<10xf32>, tensor<10xf32>, tensor<10xf32>) {
// CHECK-DAG: ingot.fusion column {{.*}} -> (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) {
// CHECK-DAG: ingot.fusion column {{.*}} -> (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) {
// CHECK-DAG: ingot.fusion contract {{.*}} -> (tensor<128x10xf32>, tensor<128x10xf32>, tensor<128x10xf32>) {
// CHECK-DAG: ingot.fusion contract {{.*}} -> (tensor<256x128xf32>, tensor<256x128xf32>, tensor<256x128xf32>) {
// CHECK-DAG: ingot.fusion contract {{.*}} -> (tensor<784x256xf32>, tensor<784x256xf32>, tensor<784x256xf32>) {
// COUNT-COUNT-15: ingot.fusion
// COUNT-NOT: ingot.fusion
func.func @main(%arg0: tensor<784x256xf32>, %arg1: tensor<256xf32>, %arg2: tensor<256x128xf32>, %arg3: tensor<128xf32>, %arg4: tensor<128x10xf32>, %arg5: tensor<10xf32>, %arg6: tensor<784x256xf32>, %arg7: tensor<256xf32>, %arg8: tensor<256x128xf32>, %arg9: tensor<128xf32>, %arg10: tensor<128x10xf32>, %arg11: tensor<10xf32>, %arg12: tensor<784x256xf32>, %arg13: tensor<256xf32>, %arg14: tensor<256x128xf32>, %arg15: tensor<128xf32>, %arg16: tensor<128x10xf32>, %arg17: tensor<10xf32>, %arg18: tensor<f32>, %arg19: tensor<128x784xf32>, %arg20: tensor<128xi64>) -> (tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<f32>, tensor<f32>) {
  %v43:7 = ingot.grad(%v1 = %arg0, %v2 = %arg1, %v3 = %arg2, %v4 = %arg3, %v5 = %arg4, %v6 = %arg5, %v7 = %arg19, %v8 = %arg20) : (tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<128x784xf32>, tensor<128xi64>) -> (tensor<f32>, tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>) attributes {with_value = 1 : i64, wrt = array<i64: 0, 1, 2, 3, 4, 5>} {
    %v9 = ingot.dot %v7, %v1 {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<128x784xf32>, tensor<784x256xf32>) -> tensor<128x256xf32>
    %v10 = ingot.broadcast %v2 {dims = array<i64: 1>, shape = array<i64: 128, 256>} : tensor<256xf32> -> tensor<128x256xf32>
    %v11 = ingot.add %v9, %v10 : tensor<128x256xf32>
    %v12 = ingot.constant dense<0.00000000000000000e+00> : tensor<128x256xf32>
    %v13 = ingot.le %v11, %v12 : tensor<128x256xf32>
    %v14 = ingot.constant dense<0.00000000000000000e+00> : tensor<128x256xf32>
    %v15 = ingot.select %v13, %v14, %v11 : tensor<128x256xi1>, tensor<128x256xf32>
    %v16 = ingot.dot %v15, %v3 {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<128x256xf32>, tensor<256x128xf32>) -> tensor<128x128xf32>
    %v17 = ingot.broadcast %v4 {dims = array<i64: 1>, shape = array<i64: 128, 128>} : tensor<128xf32> -> tensor<128x128xf32>
    %v18 = ingot.add %v16, %v17 : tensor<128x128xf32>
    %v19 = ingot.constant dense<0.00000000000000000e+00> : tensor<128x128xf32>
    %v20 = ingot.le %v18, %v19 : tensor<128x128xf32>
    %v21 = ingot.constant dense<0.00000000000000000e+00> : tensor<128x128xf32>
    %v22 = ingot.select %v20, %v21, %v18 : tensor<128x128xi1>, tensor<128x128xf32>
    %v23 = ingot.dot %v22, %v5 {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<128x128xf32>, tensor<128x10xf32>) -> tensor<128x10xf32>
    %v24 = ingot.broadcast %v6 {dims = array<i64: 1>, shape = array<i64: 128, 10>} : tensor<10xf32> -> tensor<128x10xf32>
    %v25 = ingot.add %v23, %v24 : tensor<128x10xf32>
    %v26 = ingot.reduce_max %v25 {axes = array<i64: 1>} : tensor<128x10xf32> -> tensor<128xf32>
    %v27 = ingot.reshape %v26 {shape = array<i64: 128, 1>} : tensor<128xf32> -> tensor<128x1xf32>
    %v28 = ingot.stop_gradient %v27 : tensor<128x1xf32>
    %v29 = ingot.broadcast %v28 {dims = array<i64: 0, 1>, shape = array<i64: 128, 10>} : tensor<128x1xf32> -> tensor<128x10xf32>
    %v30 = ingot.sub %v25, %v29 : tensor<128x10xf32>
    %v31 = ingot.exp %v30 : tensor<128x10xf32>
    %v32 = ingot.reduce_sum %v31 {axes = array<i64: 1>} : tensor<128x10xf32> -> tensor<128xf32>
    %v33 = ingot.reshape %v32 {shape = array<i64: 128, 1>} : tensor<128xf32> -> tensor<128x1xf32>
    %v34 = ingot.log %v33 : tensor<128x1xf32>
    %v35 = ingot.broadcast %v34 {dims = array<i64: 0, 1>, shape = array<i64: 128, 10>} : tensor<128x1xf32> -> tensor<128x10xf32>
    %v36 = ingot.sub %v30, %v35 : tensor<128x10xf32>
    %v37 = ingot.reshape %v8 {shape = array<i64: 128, 1>} : tensor<128xi64> -> tensor<128x1xi64>
    %v38 = ingot.gather %v36, %v37 {axis = 1 : i64} : tensor<128x10xf32>, tensor<128x1xi64>
    %v39 = ingot.reduce_sum %v38 {axes = array<i64: 0, 1>} : tensor<128x1xf32> -> tensor<f32>
    %v40 = ingot.constant dense<1.28000000000000000e+02> : tensor<f32>
    %v41 = ingot.div %v39, %v40 : tensor<f32>
    %v42 = ingot.neg %v41 : tensor<f32>
    ingot.yield %v42 : tensor<f32>
  }
  %v44 = ingot.constant dense<1.00000000000000000e+00> : tensor<f32>
  %v45 = ingot.add %arg18, %v44 : tensor<f32>
  %v46 = ingot.constant dense<9.00000000000000022e-01> : tensor<784x256xf32>
  %v47 = ingot.mul %v46, %arg6 : tensor<784x256xf32>
  %v48 = ingot.constant dense<1.00000000000000006e-01> : tensor<784x256xf32>
  %v49 = ingot.mul %v48, %v43#1 : tensor<784x256xf32>
  %v50 = ingot.add %v47, %v49 : tensor<784x256xf32>
  %v51 = ingot.constant dense<9.98999999999999999e-01> : tensor<784x256xf32>
  %v52 = ingot.mul %v51, %arg12 : tensor<784x256xf32>
  %v53 = ingot.constant dense<1.00000000000000002e-03> : tensor<784x256xf32>
  %v54 = ingot.mul %v53, %v43#1 : tensor<784x256xf32>
  %v55 = ingot.mul %v54, %v43#1 : tensor<784x256xf32>
  %v56 = ingot.add %v52, %v55 : tensor<784x256xf32>
  %v57 = ingot.constant dense<9.00000000000000022e-01> : tensor<f32>
  %v58 = ingot.pow %v57, %v45 : tensor<f32>
  %v59 = ingot.constant dense<1.00000000000000000e+00> : tensor<f32>
  %v60 = ingot.sub %v59, %v58 : tensor<f32>
  %v61 = ingot.broadcast %v60 {dims = array<i64>, shape = array<i64: 784, 256>} : tensor<f32> -> tensor<784x256xf32>
  %v62 = ingot.div %v50, %v61 : tensor<784x256xf32>
  %v63 = ingot.constant dense<9.98999999999999999e-01> : tensor<f32>
  %v64 = ingot.pow %v63, %v45 : tensor<f32>
  %v65 = ingot.constant dense<1.00000000000000000e+00> : tensor<f32>
  %v66 = ingot.sub %v65, %v64 : tensor<f32>
  %v67 = ingot.broadcast %v66 {dims = array<i64>, shape = array<i64: 784, 256>} : tensor<f32> -> tensor<784x256xf32>
  %v68 = ingot.div %v56, %v67 : tensor<784x256xf32>
  %v69 = ingot.constant dense<1.00000000000000002e-02> : tensor<784x256xf32>
  %v70 = ingot.mul %v69, %v62 : tensor<784x256xf32>
  %v71 = ingot.sqrt %v68 : tensor<784x256xf32>
  %v72 = ingot.constant dense<1.00000000000000002e-08> : tensor<784x256xf32>
  %v73 = ingot.add %v71, %v72 : tensor<784x256xf32>
  %v74 = ingot.div %v70, %v73 : tensor<784x256xf32>
  %v75 = ingot.sub %arg0, %v74 : tensor<784x256xf32>
  %v76 = ingot.constant dense<9.00000000000000022e-01> : tensor<256xf32>
  %v77 = ingot.mul %v76, %arg7 : tensor<256xf32>
  %v78 = ingot.constant dense<1.00000000000000006e-01> : tensor<256xf32>
  %v79 = ingot.mul %v78, %v43#2 : tensor<256xf32>
  %v80 = ingot.add %v77, %v79 : tensor<256xf32>
  %v81 = ingot.constant dense<9.98999999999999999e-01> : tensor<256xf32>
  %v82 = ingot.mul %v81, %arg13 : tensor<256xf32>
  %v83 = ingot.constant dense<1.00000000000000002e-03> : tensor<256xf32>
  %v84 = ingot.mul %v83, %v43#2 : tensor<256xf32>
  %v85 = ingot.mul %v84, %v43#2 : tensor<256xf32>
  %v86 = ingot.add %v82, %v85 : tensor<256xf32>
  %v87 = ingot.constant dense<9.00000000000000022e-01> : tensor<f32>
  %v88 = ingot.pow %v87, %v45 : tensor<f32>
  %v89 = ingot.constant dense<1.00000000000000000e+00> : tensor<f32>
  %v90 = ingot.sub %v89, %v88 : tensor<f32>
  %v91 = ingot.broadcast %v90 {dims = array<i64>, shape = array<i64: 256>} : tensor<f32> -> tensor<256xf32>
  %v92 = ingot.div %v80, %v91 : tensor<256xf32>
  %v93 = ingot.constant dense<9.98999999999999999e-01> : tensor<f32>
  %v94 = ingot.pow %v93, %v45 : tensor<f32>
  %v95 = ingot.constant dense<1.00000000000000000e+00> : tensor<f32>
  %v96 = ingot.sub %v95, %v94 : tensor<f32>
  %v97 = ingot.broadcast %v96 {dims = array<i64>, shape = array<i64: 256>} : tensor<f32> -> tensor<256xf32>
  %v98 = ingot.div %v86, %v97 : tensor<256xf32>
  %v99 = ingot.constant dense<1.00000000000000002e-02> : tensor<256xf32>
  %v100 = ingot.mul %v99, %v92 : tensor<256xf32>
  %v101 = ingot.sqrt %v98 : tensor<256xf32>
  %v102 = ingot.constant dense<1.00000000000000002e-08> : tensor<256xf32>
  %v103 = ingot.add %v101, %v102 : tensor<256xf32>
  %v104 = ingot.div %v100, %v103 : tensor<256xf32>
  %v105 = ingot.sub %arg1, %v104 : tensor<256xf32>
  %v106 = ingot.constant dense<9.00000000000000022e-01> : tensor<256x128xf32>
  %v107 = ingot.mul %v106, %arg8 : tensor<256x128xf32>
  %v108 = ingot.constant dense<1.00000000000000006e-01> : tensor<256x128xf32>
  %v109 = ingot.mul %v108, %v43#3 : tensor<256x128xf32>
  %v110 = ingot.add %v107, %v109 : tensor<256x128xf32>
  %v111 = ingot.constant dense<9.98999999999999999e-01> : tensor<256x128xf32>
  %v112 = ingot.mul %v111, %arg14 : tensor<256x128xf32>
  %v113 = ingot.constant dense<1.00000000000000002e-03> : tensor<256x128xf32>
  %v114 = ingot.mul %v113, %v43#3 : tensor<256x128xf32>
  %v115 = ingot.mul %v114, %v43#3 : tensor<256x128xf32>
  %v116 = ingot.add %v112, %v115 : tensor<256x128xf32>
  %v117 = ingot.constant dense<9.00000000000000022e-01> : tensor<f32>
  %v118 = ingot.pow %v117, %v45 : tensor<f32>
  %v119 = ingot.constant dense<1.00000000000000000e+00> : tensor<f32>
  %v120 = ingot.sub %v119, %v118 : tensor<f32>
  %v121 = ingot.broadcast %v120 {dims = array<i64>, shape = array<i64: 256, 128>} : tensor<f32> -> tensor<256x128xf32>
  %v122 = ingot.div %v110, %v121 : tensor<256x128xf32>
  %v123 = ingot.constant dense<9.98999999999999999e-01> : tensor<f32>
  %v124 = ingot.pow %v123, %v45 : tensor<f32>
  %v125 = ingot.constant dense<1.00000000000000000e+00> : tensor<f32>
  %v126 = ingot.sub %v125, %v124 : tensor<f32>
  %v127 = ingot.broadcast %v126 {dims = array<i64>, shape = array<i64: 256, 128>} : tensor<f32> -> tensor<256x128xf32>
  %v128 = ingot.div %v116, %v127 : tensor<256x128xf32>
  %v129 = ingot.constant dense<1.00000000000000002e-02> : tensor<256x128xf32>
  %v130 = ingot.mul %v129, %v122 : tensor<256x128xf32>
  %v131 = ingot.sqrt %v128 : tensor<256x128xf32>
  %v132 = ingot.constant dense<1.00000000000000002e-08> : tensor<256x128xf32>
  %v133 = ingot.add %v131, %v132 : tensor<256x128xf32>
  %v134 = ingot.div %v130, %v133 : tensor<256x128xf32>
  %v135 = ingot.sub %arg2, %v134 : tensor<256x128xf32>
  %v136 = ingot.constant dense<9.00000000000000022e-01> : tensor<128xf32>
  %v137 = ingot.mul %v136, %arg9 : tensor<128xf32>
  %v138 = ingot.constant dense<1.00000000000000006e-01> : tensor<128xf32>
  %v139 = ingot.mul %v138, %v43#4 : tensor<128xf32>
  %v140 = ingot.add %v137, %v139 : tensor<128xf32>
  %v141 = ingot.constant dense<9.98999999999999999e-01> : tensor<128xf32>
  %v142 = ingot.mul %v141, %arg15 : tensor<128xf32>
  %v143 = ingot.constant dense<1.00000000000000002e-03> : tensor<128xf32>
  %v144 = ingot.mul %v143, %v43#4 : tensor<128xf32>
  %v145 = ingot.mul %v144, %v43#4 : tensor<128xf32>
  %v146 = ingot.add %v142, %v145 : tensor<128xf32>
  %v147 = ingot.constant dense<9.00000000000000022e-01> : tensor<f32>
  %v148 = ingot.pow %v147, %v45 : tensor<f32>
  %v149 = ingot.constant dense<1.00000000000000000e+00> : tensor<f32>
  %v150 = ingot.sub %v149, %v148 : tensor<f32>
  %v151 = ingot.broadcast %v150 {dims = array<i64>, shape = array<i64: 128>} : tensor<f32> -> tensor<128xf32>
  %v152 = ingot.div %v140, %v151 : tensor<128xf32>
  %v153 = ingot.constant dense<9.98999999999999999e-01> : tensor<f32>
  %v154 = ingot.pow %v153, %v45 : tensor<f32>
  %v155 = ingot.constant dense<1.00000000000000000e+00> : tensor<f32>
  %v156 = ingot.sub %v155, %v154 : tensor<f32>
  %v157 = ingot.broadcast %v156 {dims = array<i64>, shape = array<i64: 128>} : tensor<f32> -> tensor<128xf32>
  %v158 = ingot.div %v146, %v157 : tensor<128xf32>
  %v159 = ingot.constant dense<1.00000000000000002e-02> : tensor<128xf32>
  %v160 = ingot.mul %v159, %v152 : tensor<128xf32>
  %v161 = ingot.sqrt %v158 : tensor<128xf32>
  %v162 = ingot.constant dense<1.00000000000000002e-08> : tensor<128xf32>
  %v163 = ingot.add %v161, %v162 : tensor<128xf32>
  %v164 = ingot.div %v160, %v163 : tensor<128xf32>
  %v165 = ingot.sub %arg3, %v164 : tensor<128xf32>
  %v166 = ingot.constant dense<9.00000000000000022e-01> : tensor<128x10xf32>
  %v167 = ingot.mul %v166, %arg10 : tensor<128x10xf32>
  %v168 = ingot.constant dense<1.00000000000000006e-01> : tensor<128x10xf32>
  %v169 = ingot.mul %v168, %v43#5 : tensor<128x10xf32>
  %v170 = ingot.add %v167, %v169 : tensor<128x10xf32>
  %v171 = ingot.constant dense<9.98999999999999999e-01> : tensor<128x10xf32>
  %v172 = ingot.mul %v171, %arg16 : tensor<128x10xf32>
  %v173 = ingot.constant dense<1.00000000000000002e-03> : tensor<128x10xf32>
  %v174 = ingot.mul %v173, %v43#5 : tensor<128x10xf32>
  %v175 = ingot.mul %v174, %v43#5 : tensor<128x10xf32>
  %v176 = ingot.add %v172, %v175 : tensor<128x10xf32>
  %v177 = ingot.constant dense<9.00000000000000022e-01> : tensor<f32>
  %v178 = ingot.pow %v177, %v45 : tensor<f32>
  %v179 = ingot.constant dense<1.00000000000000000e+00> : tensor<f32>
  %v180 = ingot.sub %v179, %v178 : tensor<f32>
  %v181 = ingot.broadcast %v180 {dims = array<i64>, shape = array<i64: 128, 10>} : tensor<f32> -> tensor<128x10xf32>
  %v182 = ingot.div %v170, %v181 : tensor<128x10xf32>
  %v183 = ingot.constant dense<9.98999999999999999e-01> : tensor<f32>
  %v184 = ingot.pow %v183, %v45 : tensor<f32>
  %v185 = ingot.constant dense<1.00000000000000000e+00> : tensor<f32>
  %v186 = ingot.sub %v185, %v184 : tensor<f32>
  %v187 = ingot.broadcast %v186 {dims = array<i64>, shape = array<i64: 128, 10>} : tensor<f32> -> tensor<128x10xf32>
  %v188 = ingot.div %v176, %v187 : tensor<128x10xf32>
  %v189 = ingot.constant dense<1.00000000000000002e-02> : tensor<128x10xf32>
  %v190 = ingot.mul %v189, %v182 : tensor<128x10xf32>
  %v191 = ingot.sqrt %v188 : tensor<128x10xf32>
  %v192 = ingot.constant dense<1.00000000000000002e-08> : tensor<128x10xf32>
  %v193 = ingot.add %v191, %v192 : tensor<128x10xf32>
  %v194 = ingot.div %v190, %v193 : tensor<128x10xf32>
  %v195 = ingot.sub %arg4, %v194 : tensor<128x10xf32>
  %v196 = ingot.constant dense<9.00000000000000022e-01> : tensor<10xf32>
  %v197 = ingot.mul %v196, %arg11 : tensor<10xf32>
  %v198 = ingot.constant dense<1.00000000000000006e-01> : tensor<10xf32>
  %v199 = ingot.mul %v198, %v43#6 : tensor<10xf32>
  %v200 = ingot.add %v197, %v199 : tensor<10xf32>
  %v201 = ingot.constant dense<9.98999999999999999e-01> : tensor<10xf32>
  %v202 = ingot.mul %v201, %arg17 : tensor<10xf32>
  %v203 = ingot.constant dense<1.00000000000000002e-03> : tensor<10xf32>
  %v204 = ingot.mul %v203, %v43#6 : tensor<10xf32>
  %v205 = ingot.mul %v204, %v43#6 : tensor<10xf32>
  %v206 = ingot.add %v202, %v205 : tensor<10xf32>
  %v207 = ingot.constant dense<9.00000000000000022e-01> : tensor<f32>
  %v208 = ingot.pow %v207, %v45 : tensor<f32>
  %v209 = ingot.constant dense<1.00000000000000000e+00> : tensor<f32>
  %v210 = ingot.sub %v209, %v208 : tensor<f32>
  %v211 = ingot.broadcast %v210 {dims = array<i64>, shape = array<i64: 10>} : tensor<f32> -> tensor<10xf32>
  %v212 = ingot.div %v200, %v211 : tensor<10xf32>
  %v213 = ingot.constant dense<9.98999999999999999e-01> : tensor<f32>
  %v214 = ingot.pow %v213, %v45 : tensor<f32>
  %v215 = ingot.constant dense<1.00000000000000000e+00> : tensor<f32>
  %v216 = ingot.sub %v215, %v214 : tensor<f32>
  %v217 = ingot.broadcast %v216 {dims = array<i64>, shape = array<i64: 10>} : tensor<f32> -> tensor<10xf32>
  %v218 = ingot.div %v206, %v217 : tensor<10xf32>
  %v219 = ingot.constant dense<1.00000000000000002e-02> : tensor<10xf32>
  %v220 = ingot.mul %v219, %v212 : tensor<10xf32>
  %v221 = ingot.sqrt %v218 : tensor<10xf32>
  %v222 = ingot.constant dense<1.00000000000000002e-08> : tensor<10xf32>
  %v223 = ingot.add %v221, %v222 : tensor<10xf32>
  %v224 = ingot.div %v220, %v223 : tensor<10xf32>
  %v225 = ingot.sub %arg5, %v224 : tensor<10xf32>
  return %v75, %v105, %v135, %v165, %v195, %v225, %v50, %v80, %v110, %v140, %v170, %v200, %v56, %v86, %v116, %v146, %v176, %v206, %v45, %v43#0 : tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<784x256xf32>, tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<f32>, tensor<f32>
}

