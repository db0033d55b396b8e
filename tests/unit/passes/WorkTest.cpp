// The cost of compiling, counted in visits: twice the program is at most a little more than twice the work.
#include "ingot/passes/Work.h"

#include "ingot/capture/Ingot.h"
#include "ingot/ir/Dialect.h"
#include "ingot/ir/import/Import.h"
#include "ingot/passes/BufferPacking.h"
#include "ingot/passes/Passes.h"
#include "ingot/passes/Pipeline.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

namespace ingot {
namespace {

using Counts = std::map<std::string, int64_t>; // by pass; "ops" and "kernels" beside them

/// Work of the passes up to Planned.
Counts work_of(const Graph &graph, std::vector<int64_t> donate) {
  mlir::DialectRegistry registry;
  registerPipelineDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  mlir::OwningOpRef<mlir::ModuleOp> module = importTrace(graph.trace(), context);
  auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
  main->setAttr(kWork, mlir::DictionaryAttr::get(&context));
  mlir::PassManager passes(&context);
  PipelineOptions options;
  options.donate = std::move(donate);
  buildPipeline(passes, options, Phase::Captured, Phase::Planned);
  EXPECT_TRUE(mlir::succeeded(passes.run(*module)));
  main = module->lookupSymbol<mlir::func::FuncOp>("main");
  Counts counts;
  for (mlir::NamedAttribute entry : main->getAttrOfType<mlir::DictionaryAttr>(kWork))
    counts[entry.getName().str()] = llvm::cast<mlir::IntegerAttr>(entry.getValue()).getInt();
  main.walk([&](mlir::Operation *op) { ++counts["ops"]; });
  for (auto fusion : main.front().getOps<FusionOp>()) {
    ++counts["kernels"];
    EXPECT_LE(fusion->getNumOperands() + fusion->getNumResults(), 64u);
  }
  return counts;
}

void expect_linear(const std::function<Graph(int)> &program, int n, bool donate = false) {
  auto work = [&](int size) {
    const Graph graph = program(size);
    std::vector<int64_t> donated(donate ? graph.inputs().size() : 0);
    std::iota(donated.begin(), donated.end(), 0);
    return work_of(graph, std::move(donated));
  };
  const Counts one = work(n), two = work(2 * n);
  for (const auto &[pass, count] : two) {
    auto before = one.find(pass);
    ASSERT_NE(before, one.end());
    // Up to a number of buffers the plan compares all with all, which BufferPackingTest looks at.
    const double bounded = pass == "plan" ? double(BufferPacking::kMostBySize) * BufferPacking::kMostBySize / 2 : 200;
    EXPECT_LE(double(count), 2.2 * double(before->second) + bounded)
        << pass << ": " << before->second << ", then " << count;
  }
  EXPECT_GE(two.size(), 6u);
}

const TensorSpec kRow = spec(DType::F32, {64});

Tensor chain(Tensor x, int n) {
  for (int i = 0; i < n; ++i)
    x = sin(x) * 1.01 + 0.1;
  return x;
}

Tensor reductions(Tensor x, int n) {
  for (int i = 0; i < n; ++i)
    x = tanh(x - mean(x, -1, true));
  return x;
}

Tensor layers(Tensor x, Tensor w, int n) {
  for (int i = 0; i < n; ++i)
    x = x + relu(matmul(layer_norm(x), w));
  return sum(x);
}

TEST(Work, OfAChainIsLinear) {
  expect_linear([](int n) { return capture([n](Tensor x) { return chain(x, n); }, {kRow}); }, 1000);
}

TEST(Work, OfAChainsGradientIsLinear) {
  expect_linear([](int n) { return grad(capture([n](Tensor x) { return sum(chain(x, n)); }, {kRow}), {0}); }, 600);
}

TEST(Work, OfReductionsIsLinear) {
  auto graph = [](int n) {
    return capture([n](Tensor x) { return sum(reductions(x, n)); }, {spec(DType::F32, {8, 64})});
  };
  expect_linear(graph, 400);
  expect_linear([&](int n) { return grad(graph(n), {0}); }, 200);
}

TEST(Work, OfLayersIsLinear) {
  auto graph = [](int n) {
    return capture([n](Tensor x, Tensor w) { return layers(x, w, n); },
                   {spec(DType::F32, {16, 64}), spec(DType::F32, {64, 64})});
  };
  expect_linear(graph, 60);
  expect_linear([&](int n) { return grad(graph(n), {1}); }, 40);
}

TEST(Work, OfManyOperandsAndResultsIsLinear) {
  expect_linear(
      [](int n) {
        return capture([](std::vector<Tensor> xs) { return stack(xs, 0); },
                       std::vector<TensorSpec>(std::size_t(n), spec(DType::F32, {4})));
      },
      1000);
  expect_linear(
      [](int n) {
        return capture(
            [n](Tensor x) {
              std::vector<Tensor> results;
              for (int i = 0; i < n; ++i)
                results.push_back(exp(x * double(i)));
              return results;
            },
            {kRow});
      },
      500);
}

TEST(Work, OfValuesThatManyReadIsLinear) {
  // Each step reads the sum of all before it: cheap, and so made again where it is read, but not all the way back.
  expect_linear(
      [](int n) {
        return capture(
            [n](Tensor x, Tensor w) {
              Tensor total = x;
              for (int i = 0; i < n; ++i)
                total = total + matmul(total, w);
              return total;
            },
            {spec(DType::F32, {16, 64}), spec(DType::F32, {64, 64})});
      },
      100);
}

TEST(Work, OfDonatedInputsThatChangePlacesIsLinear) {
  expect_linear(
      [](int n) {
        return capture(
            [n](std::vector<Tensor> xs) {
              std::vector<Tensor> turned;
              for (int i = 0; i < n; ++i)
                turned.push_back(xs[std::size_t((i + 1) % n)] * 2.0);
              return turned;
            },
            std::vector<TensorSpec>(std::size_t(n), kRow));
      },
      300, /*donate=*/true);
}

} // namespace
} // namespace ingot
