// The passes, grouped by the phase they lead to. One pass is one record and one file.
#ifndef INGOT_PASSES_TD
#define INGOT_PASSES_TD

include "mlir/Pass/PassBase.td"

// Any phase ------------------------------------------------------------------------------------------------------

def SetTargetPass : Pass<"ingot-set-target", "::mlir::ModuleOp"> {
  let summary = "set the machine that the module is compiled for, by name";
  let description = [{
    Promises: the module has `ingot.target`, whole. Without a name it keeps the one it has, and gets the host's when it
    has none. Fails for an unknown name. Programs that come from a graph get theirs from the options, by value.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
  let options = [Option<"name", "name", "std::string", "\"\"", "x86-64, x86-64-v3, x86-64-v4, aarch64 or host">];
}

// Differentiated -------------------------------------------------------------------------------------------------

def DifferentiatePass : Pass<"ingot-differentiate", "::mlir::func::FuncOp"> {
  let summary = "expand ingot.grad by reverse-mode differentiation";
  let description = [{
    Needs: ops of the dialect. Promises: no ingot.grad is left; ops it made carry `ingot.backward`, with the
    strategy of the region where that is not None, and the location of the op they differentiate. Works from the inside out, so gradients of gradients need no second rule. Does not
    simplify. Fails at an op that has no derivative.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

// Simplified -----------------------------------------------------------------------------------------------------

def SimplifyPass : Pass<"ingot-simplify", "::mlir::func::FuncOp"> {
  let summary = "algebra that keeps every bit, products in canonical form, bounded constant folding";
  let description = [{
    Needs: no ingot.grad. Promises: each dot has at most one batch, one row, one column and one summed dimension; no
    stop_gradient or saved; scatters of one index per line are comparisons; movement next to movement is one op, and changes of
    shape stand behind the work on products instead of in front of it. Every rewrite keeps every bit, NaN, infinity and
    signed zero included (but a sum of the one element -0 may become -0), unless `fast-math` is set. Does not contract
    multiply-adds and does not change the order of sums.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
  let options = [Option<"foldLimit", "fold-limit", "int64_t", "1024", "most elements a folded constant may have">,
                 Option<"fastMath", "fast-math", "bool", "false", "multiply by reciprocals of constants, drop + 0">];
}

def FormFmaPass : Pass<"ingot-form-fma", "::mlir::func::FuncOp"> {
  let summary = "a * b + c with one rounding where the product has no other use";
  let description = [{
    Promises: no float sum or difference reads a product that nothing else reads; of two such products the first operand
    is taken. The only place where multiply-adds are contracted: it looks at ops alone, so the bits of a program do not
    depend on what is fused with what.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def CheckIndicesPass : Pass<"ingot-check-indices", "::mlir::func::FuncOp"> {
  let summary = "insert ingot.check_index before gathers and scatters whose indices are not known to be in range";
  let description = [{
    Promises: one check for each tensor of indices, right behind its definition, for the shortest axis it is used on.
    Literals, counters and positions of extrema need none.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

// Partitioned ----------------------------------------------------------------------------------------------------

def PartitionPass : Pass<"ingot-partition", "::mlir::func::FuncOp"> {
  let summary = "decide what the backward keeps and what it computes again";
  let description = [{
    Needs: `ingot.backward` on what differentiation made; all that depends on it counts as backward. Promises: the
    backward reads only values that a minimum cut chose to keep, with the bytes of each value as its cost (next to
    nothing where products, reductions or results read it anyway); pointwise ops behind the cut are copied next to their
    first user and marked `ingot.recompute`. Does not repeat products, reductions, random bits or, unless asked to,
    expensive functions. For balanced regions memory counts and time does not: what the op table flags as memory bound
    costs nothing to repeat, and a value that the forward alone would free costs its bytes; only links of a chain that
    passes many products stay.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
  let options = [Option<"recomputeExpensive", "recompute-expensive", "bool", "false",
                        "compute functions like exp again as well, to save memory">];
}

// Fused ----------------------------------------------------------------------------------------------------------

def FusePass : Pass<"ingot-fuse", "::mlir::func::FuncOp"> {
  let summary = "group ops into ingot.fusion regions, one per kernel";
  let description = [{
    Needs: canonical products, checked indices. Promises: every op but literals and reshapes of memory lies in a fusion.
    Reductions and products anchor clusters; pointwise ops join the latest producer in whose domain they live, else
    they are computed where they are read if that repeats no expensive work. A merge must keep the quotient graph
    acyclic, keeps the backward of a balanced region apart from the forward, whose values it frees, and stays within the
    budget of one kernel (code, operands): a long chain becomes several. Greedy: a better grouping may exist.
  }];
  let dependentDialects = ["::ingot::IngotDialect", "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect", "::mlir::LLVM::LLVMDialect"];
  let options = [Option<"fuse", "enable", "bool", "true", "false makes every op a cluster of its own">];
}

// Planned --------------------------------------------------------------------------------------------------------

def SchedulePass : Pass<"ingot-schedule", "::mlir::func::FuncOp"> {
  let summary = "order clusters for a small memory peak; readers of a donated input before its overwriter";
}

def PlanPass : Pass<"ingot-plan", "::mlir::func::FuncOp"> {
  let summary = "give every result its memory: an output or a range of the workspace";
  let dependentDialects = ["::ingot::IngotDialect"];
  let options = [Option<"memoryLimit", "memory-limit", "int64_t", "0", "most bytes of workspace; 0 is no limit">];
}

// Kernels --------------------------------------------------------------------------------------------------------

def EmitKernelsPass : Pass<"ingot-emit-kernels", "::mlir::ModuleOp"> {
  let summary = "emit each distinct cluster as one kernel and main as calls of them";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::func::FuncDialect"];
  let options = [Option<"entry", "entry", "std::string", "\"main\"", "symbol of the entry point">];
}

// Contracts ------------------------------------------------------------------------------------------------------

def ContractPass : Pass<"ingot-contract", "::mlir::ModuleOp"> {
  let summary = "fail unless the module keeps what its phase guarantees";
  let description = [{
    Needs: a module at the end of `phase`. Promises: an error at each op that breaks a guarantee of that phase or of an
    earlier one that still stands, or nothing. Does not change the module.
  }];
  let options = [Option<"phase", "phase", "std::string", "\"captured\"", "the phase">];
}
#endif
