// Traces and modules are two forms of one program: what goes through the other form comes back equal.
#include "ingot/ir/import/Export.h"
#include "ingot/ir/import/Import.h"
#include "ingot/ir/import/Source.h"

#include "ingot/ir/Dialect.h"
#include "ingot/ir/Location.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <random>

namespace ingot {
namespace {

using Integers = std::vector<int64_t>;

TensorType f32(std::vector<int64_t> shape) { return {DType::F32, Shape(shape)}; }

template <class T> Literal literal(TensorType type, std::vector<T> values, bool splat = false) {
  std::shared_ptr<Buffer> data = Buffer::allocate(values.size() * sizeof(T));
  std::copy(values.begin(), values.end(), data->as<T>());
  return {std::move(type), data, splat};
}

std::shared_ptr<Trace> square_sum() {
  auto trace = std::make_shared<Trace>();
  ValueId x = trace->add_input(f32({3}));
  ValueId y = trace->record(OpKind::Mul, {x, x}, {}, {});
  trace->set_outputs({trace->record(OpKind::ReduceSum, {y}, {Integers{0}}, {})});
  return trace;
}

struct ImportExport : testing::Test {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  std::string error;
  unsigned where = 0; // the line of the last diagnostic
  mlir::ScopedDiagnosticHandler handler{&context, [this](mlir::Diagnostic &diagnostic) {
                                          error += diagnostic.str() + "\n";
                                          if (auto location =
                                                  llvm::dyn_cast<mlir::FileLineColLoc>(diagnostic.getLocation()))
                                            where = location.getLine();
                                        }};

  ImportExport() { context.loadDialect<IngotDialect, mlir::func::FuncDialect>(); }

  std::string text(mlir::ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module.print(stream, mlir::OpPrintingFlags().enableDebugInfo(true, false));
    return text;
  }
  /// Through the module, its text and its bytecode.
  void expect_round_trip(const Trace &trace) {
    mlir::OwningOpRef<mlir::ModuleOp> module = importTrace(trace, context);
    ASSERT_TRUE(module) << error;
    std::string printed = text(*module);
    mlir::OwningOpRef<mlir::ModuleOp> parsed = parseSource(printed, "printed.mlir", context);
    ASSERT_TRUE(parsed) << error << printed;
    EXPECT_EQ(text(*parsed), printed);
    mlir::FailureOr<std::string> bytecode = writeSealedBytecode(*module);
    ASSERT_TRUE(mlir::succeeded(bytecode)) << error;
    mlir::OwningOpRef<mlir::ModuleOp> read = parseSource(*bytecode, "sealed.mlirbc", context);
    ASSERT_TRUE(read) << error;
    for (mlir::ModuleOp form : {*module, *parsed, *read}) {
      auto exported = exportTrace(form);
      ASSERT_TRUE(mlir::succeeded(exported)) << error;
      EXPECT_EQ((*exported)->hash(), trace.hash());
      EXPECT_EQ((*exported)->serialize(), trace.serialize());
    }
  }
  std::string refusal(llvm::StringRef bytes) {
    error.clear();
    mlir::OwningOpRef<mlir::ModuleOp> module = parseSource(bytes, "bad", context);
    EXPECT_TRUE(!module || mlir::failed(exportTrace(*module))) << bytes.take_front(1000).str();
    EXPECT_NE(error, "");
    return error;
  }
};

TEST_F(ImportExport, KeepsEveryKindOfAttribute) {
  Trace trace;
  ValueId x = trace.add_input(f32({2, 3}), "x");
  ValueId iota = trace.record(OpKind::Iota, {}, {Integers{2, 3}, int64_t(1), DType::F32}, {});
  ValueId sum = trace.record(OpKind::Add, {x, iota}, {}, {});
  ValueId zero = trace.record(OpKind::Constant, {}, {literal<float>(f32({}), {0})}, {});
  ValueId padded = trace.record(OpKind::Pad, {sum, zero}, {Integers{1, 0}, Integers{0, 2}}, {});
  ValueId best = trace.record(OpKind::ArgMax, {padded}, {int64_t(1)}, {});
  trace.set_outputs({best, padded}, {"best", ""});
  expect_round_trip(trace);
}

TEST_F(ImportExport, KeepsLiterals) {
  Trace trace;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  trace.set_outputs({
      trace.record(OpKind::Constant, {}, {literal<float>(f32({3}), {0.1f, -0.0f, nan})}, {}),
      trace.record(OpKind::Constant, {}, {literal<float>(f32({1000, 1000}), {0.5f}, true)}, {}),
      trace.record(OpKind::Constant, {}, {literal<char>({DType::Bool, Shape{9}}, {1, 0, 1, 1, 0, 0, 0, 1, 1})}, {}),
      trace.record(OpKind::Constant, {}, {literal<char>({DType::Bool, Shape{4}}, {1}, true)}, {}),
      trace.record(OpKind::Constant, {}, {literal<int64_t>({DType::I64, Shape{2}}, {INT64_MIN, INT64_MAX})}, {}),
      trace.record(OpKind::Constant, {}, {literal<int32_t>({DType::I32, Shape{0, 4}}, {})}, {}),
  });
  expect_round_trip(trace);
}

TEST_F(ImportExport, EqualElementsAreOneSplat) {
  Trace dense, splat;
  dense.set_outputs({dense.record(OpKind::Constant, {}, {literal<float>(f32({2}), {3, 3})}, {})});
  splat.set_outputs({splat.record(OpKind::Constant, {}, {literal<float>(f32({2}), {3}, true)}, {})});
  EXPECT_EQ(dense.hash(), splat.hash());
  expect_round_trip(dense);
}

TEST_F(ImportExport, RegionsAreTraces) {
  Trace trace;
  ValueId x = trace.add_input(f32({3}));
  ValueId g = trace.record(OpKind::Grad, {x}, {Integers{0}, int64_t(1), std::string("None")}, {}, 0, {square_sum()});
  trace.set_outputs({g, g + 1});
  expect_round_trip(trace);
}

TEST_F(ImportExport, LocationsSayOrdinalScopeAndLine) {
  Trace trace;
  ValueId x = trace.add_input(f32({3}));
  CallSite site(trace.intern_file("model.cpp"), 12, 5);
  ValueId g = trace.record(OpKind::Grad, {x}, {Integers{0}, int64_t(0), std::string("None")}, {}, 0, {square_sum()});
  trace.set_outputs({trace.record(OpKind::Exp, {g}, {}, site, trace.intern_scope("net/softmax"))});
  auto module = importTrace(trace, context);
  ASSERT_TRUE(module) << error;
  mlir::Operation *exp = nullptr;
  module->walk([&](ExpOp op) { exp = op; });
  ASSERT_TRUE(exp);
  EXPECT_EQ(ordinalsOf(exp->getLoc()), (llvm::SmallVector<int64_t>{3})); // grad and the two records inside come first
  LocationFacts facts = factsOf(exp->getLoc());
  EXPECT_EQ(facts.scope, "net/softmax");
  EXPECT_EQ(facts.file, "model.cpp");
  EXPECT_EQ(facts.line, 12u);
}

TEST_F(ImportExport, RefusesWhatIsNoProgram) {
  auto has = [&](llvm::StringRef bytes, const char *part) {
    EXPECT_NE(refusal(bytes).find(part), std::string::npos) << error;
  };
  has("", "there is no function `main`");
  has("func.func private @main()", "there is no function `main`");
  has("func.func @main(%a: tensor<3xcomplex<f32>>) { return }", "is no tensor of a dtype");
  has("func.func @main(%a: tensor<9999999999x9999999999xf32>) { return }", "more elements than memory can hold");
  has("func.func @main() { %0 = ingot.constant dense<true> : tensor<9999999999x9999999999xi1>\n return }",
      "[constant]");
  has("func.func @main(%a: tensor<f32>) -> tensor<f32> { ingot.yield %a : tensor<f32> }", "expects parent op");
}

TEST_F(ImportExport, RefusesNestingWithoutBound) {
  constexpr int kMany = 100000;
  auto deep = [&](const std::string &bytes, unsigned line) {
    EXPECT_NE(refusal(bytes).find("nests deeper"), std::string::npos) << error;
    EXPECT_EQ(where, line);
  };
  for (char open : {'[', '{', '(', '<'})
    deep("\nfunc.func @main() attributes {a = " + std::string(kMany, open), 2);
  deep("module {\n\nfunc.func @main() attributes {a = affine_map<(d0) -> (" + std::string(kMany, '-'), 3);
  std::string types, attributes, regions;
  for (int i = 0; i < kMany; ++i) {
    types += "!t" + std::to_string(i) + " = tuple<" + (i ? "!t" + std::to_string(i - 1) : "f32") + ">\n";
    attributes += "#a" + std::to_string(i) + " = [" + (i ? "#a" + std::to_string(i - 1) : "1") + "]\n";
    regions += "module {\n";
  }
  refusal(types + "func.func @main(%a: !t" + std::to_string(kMany - 1) + ") { return }");
  EXPECT_NE(error.find("nests deeper"), std::string::npos);
  refusal(attributes + "func.func @main() attributes {a = #a" + std::to_string(kMany - 1) + "} { return }");
  EXPECT_NE(error.find("nests deeper"), std::string::npos);
  deep(regions, 257);
}

TEST_F(ImportExport, NestingOfStringsAndComments) {
  const std::string brackets(1000, '[');
  EXPECT_TRUE(parseSource("// " + brackets + "\nfunc.func @main() attributes {a = \"\\\"" + brackets + "\"} { return }",
                          "strings.mlir", context))
      << error;
}

TEST_F(ImportExport, RefusesSizesOfRunTime) {
  Trace trace;
  trace.set_outputs({trace.add_input(f32({kDynamic}))});
  EXPECT_FALSE(importTrace(trace, context));
  EXPECT_NE(error.find("known only at run time"), std::string::npos) << error;
}

/// Text with a few bytes changed, left out, doubled, or replaced by words of other places.
std::string mutate(std::string text, std::mt19937 &random) {
  static const char *const words[] = {"-1",
                                      "99999999999999999999",
                                      "tensor<?xf32>",
                                      "%0",
                                      "loc(",
                                      "<",
                                      "}",
                                      "dense<",
                                      "i1",
                                      "f64",
                                      "array<i64: 0, 0>",
                                      "\"",
                                      "\0\xff",
                                      "@main",
                                      "tensor<0xf32>",
                                      "return"};
  for (int count = 1 + int(random() % 3); count-- > 0 && !text.empty();) {
    const size_t at = random() % text.size(), length = std::min<size_t>(1 + random() % 12, text.size() - at);
    switch (random() % 5) {
    case 0:
      text[at] = char(random());
      break;
    case 1:
      text.erase(at, length);
      break;
    case 2:
      text.insert(at, text.substr(random() % text.size(), length));
      break;
    case 3:
      text.insert(at, words[random() % std::size(words)]);
      break;
    default:
      text.resize(at);
    }
  }
  return text;
}

TEST_F(ImportExport, MutatedTextIsAProgramOrAnError) {
  Trace trace;
  ValueId x = trace.add_input(f32({2, 3}), "x"), v = trace.add_input(f32({3}));
  ValueId y = trace.record(OpKind::Transpose, {x}, {Integers{1, 0}}, {});
  ValueId z = trace.record(OpKind::Dot, {x, y}, {Integers{}, Integers{}, Integers{1}, Integers{0}}, {});
  ValueId c = trace.record(OpKind::Constant, {}, {literal<float>(f32({2, 2}), {1, 2, 3, 4})}, {});
  ValueId s = trace.record(OpKind::Slice, {trace.record(OpKind::Add, {z, c}, {}, {})},
                           {Integers{0, 0}, Integers{1, 2}, Integers{1, 1}}, {});
  ValueId g = trace.record(OpKind::Grad, {v}, {Integers{0}, int64_t(1), std::string("None")}, {}, 0, {square_sum()});
  trace.set_outputs({s, g});
  mlir::OwningOpRef<mlir::ModuleOp> module = importTrace(trace, context);
  ASSERT_TRUE(module) << error;
  const std::string good = text(*module), sealed = *writeSealedBytecode(*module);
  std::mt19937 random(1);
  int refused = 0;
  for (int i = 0; i < 400; ++i) {
    const std::string bad = mutate(good, random);
    error.clear();
    where = 0;
    mlir::OwningOpRef<mlir::ModuleOp> parsed = parseSource(bad, "bad.mlir", context);
    auto exported = parsed ? exportTrace(*parsed) : mlir::FailureOr<std::shared_ptr<const Trace>>();
    if (mlir::failed(exported)) {
      ++refused;
      EXPECT_NE(error, "") << bad;
      continue;
    }
    EXPECT_TRUE(importTrace(**exported, context)) << error << bad; // what is taken is whole
  }
  EXPECT_GT(refused, 200);
  for (int i = 0; i < 400; ++i)
    if (const std::string bad = mutate(sealed, random); bad != sealed)
      refusal(bad);
}

TEST_F(ImportExport, RefusesEveryDamagedByteOfBytecode) {
  mlir::OwningOpRef<mlir::ModuleOp> module = importTrace(*square_sum(), context);
  ASSERT_TRUE(module);
  const std::string sealed = *writeSealedBytecode(*module);
  for (size_t i = 0; i < sealed.size(); ++i) {
    std::string damaged = sealed;
    damaged[i] = char(damaged[i] ^ 0x41);
    refusal(damaged);
    refusal(llvm::StringRef(sealed).take_front(i));
  }
}

} // namespace
} // namespace ingot
