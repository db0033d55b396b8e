// Every op family, for the op table.
include "ingot/ir/ops/constant/Constant.td"
include "ingot/ir/ops/elementwise/Elementwise.td"
include "ingot/ir/ops/view/View.td"
include "ingot/ir/ops/reduction/Reduction.td"
include "ingot/ir/ops/contraction/Contraction.td"
include "ingot/ir/ops/indexing/Indexing.td"
include "ingot/ir/ops/random/Random.td"
include "ingot/ir/ops/structure/Structure.td"
