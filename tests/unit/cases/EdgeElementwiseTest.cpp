// Every elementwise op of the table, on every combination of edge values of every dtype it takes: compiled code against
// the reference kernel. A new op is covered as it stands in the table.
#include "EdgeValues.h"

#include "ingot/capture/Ingot.h"
#include "ingot/capture/Trace.h"
#include "ingot/tests/unit/ir/Ulp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <sstream>

using namespace ingot;

namespace {

constexpr DType kDTypes[] = {DType::F32, DType::F64, DType::I32, DType::I64, DType::Bool};
/// One element; a masked tail; a vector of f32 and one more; vectors, tasks and a tail.
constexpr std::int64_t kSizes[] = {1, 3, 17, 1000};

/// What is said of an op's results where it is not "the reference's bits" for cheap ones and "within 2 ulp" for those
/// of many instructions.
struct Exception {
  double ulps;
  const char *reason;
};
const std::map<std::string_view, Exception> kExceptions{
    {"div", {0, "IEEE 754 rounds it correctly"}},
    {"logaddexp", {24, "where the larger operand and the logarithm cancel it has the error of the larger one"}},
    {"rem", {0, "is exact"}},
    {"sqrt", {0, "IEEE 754 rounds it correctly"}},
};

double bound_of(const OpInfo &info, DType dtype) {
  if (const auto found = kExceptions.find(info.name); found != kExceptions.end())
    return found->second.ulps;
  // The reference of f64 is the C library, which may be off by one itself.
  return info.has(kExpensive) ? dtype == DType::F64 ? 3 : 2 : 0;
}

/// One way to use an op: the types of its operands and its attributes, and what the reference makes of all edge values.
struct Use {
  std::vector<DType> dtypes;
  std::vector<AttrValue> attributes;
  DType result;
  std::int64_t count;
  std::vector<std::vector<std::byte>> operands;
  std::vector<std::byte> want;
};

/// The values of operand `which` in the product of the edge values of all operands.
void fill_operands(Use &use) {
  std::vector<std::int64_t> counts;
  use.count = 1;
  for (DType dtype : use.dtypes)
    visit_dtype(dtype, [&]<class T>() {
      if constexpr (std::is_arithmetic_v<T>)
        counts.push_back(std::int64_t(cases::edge_values<T>().size()));
    });
  for (std::int64_t n : counts)
    use.count *= n;
  std::int64_t stride = 1;
  for (std::size_t k = 0; k < use.dtypes.size(); ++k) {
    visit_dtype(use.dtypes[k], [&]<class T>() {
      if constexpr (std::is_arithmetic_v<T>) {
        const std::vector<T> values = cases::edge_values<T>();
        std::vector<std::byte> bytes(std::size_t(use.count) * sizeof(T));
        for (std::int64_t i = 0; i < use.count; ++i) {
          const T value = values[std::size_t(i / stride % counts[k])];
          std::memcpy(bytes.data() + std::size_t(i) * sizeof(T), &value, sizeof(T));
        }
        use.operands.push_back(std::move(bytes));
      }
    });
    stride *= counts[k];
  }
}

void run_reference(OpKind kind, Use &use) {
  fill_operands(use);
  std::vector<TensorType> types;
  std::vector<ConstView> in;
  for (std::size_t k = 0; k < use.dtypes.size(); ++k) {
    types.push_back({use.dtypes[k], {use.count}});
    in.push_back({use.operands[k].data(), types.back()});
  }
  use.want.resize(std::size_t(use.count) * dtype_size(use.result));
  MutableView out{use.want.data(), {use.result, {use.count}}};
  EXPECT_EQ(op_info(kind).reference({kind, types, use.attributes}, in, {&out, 1}).code, 0);
}

/// Every combination of dtypes, of operands and attributes, that the shape rule takes.
std::vector<Use> uses_of(OpKind kind) {
  const OpInfo &info = op_info(kind);
  const std::size_t choices = info.numOperands + info.attributes.size();
  for (const AttrInfo &attribute : info.attributes)
    if (attribute.kind != AttrKind::Type) {
      ADD_FAILURE() << info.name << " has an attribute that this test does not know how to give: " << attribute.name;
      return {};
    }
  std::vector<Use> uses;
  for (std::size_t code = 0, all = std::size_t(std::pow(std::size(kDTypes), choices)); code < all; ++code) {
    Use use;
    std::vector<TensorType> types;
    std::size_t rest = code;
    for (std::size_t i = 0; i < choices; ++i, rest /= std::size(kDTypes)) {
      const DType dtype = kDTypes[rest % std::size(kDTypes)];
      if (i >= info.numOperands) {
        use.attributes.emplace_back(dtype);
        continue;
      }
      use.dtypes.push_back(dtype);
      types.push_back({dtype, {1}});
    }
    const Inference inference = infer({kind, types, use.attributes});
    if (!inference)
      continue;
    use.result = inference.results[0].dtype;
    run_reference(kind, use);
    uses.push_back(std::move(use));
  }
  return uses;
}

/// All uses in all sizes as one program.
Graph program_of(OpKind kind, const std::vector<Use> &uses) {
  auto trace = std::make_shared<Trace>();
  std::vector<ValueId> outputs;
  for (const Use &use : uses)
    for (std::int64_t size : kSizes) {
      std::vector<ValueId> operands;
      for (DType dtype : use.dtypes)
        operands.push_back(trace->add_input({dtype, size == 1 ? Shape{} : Shape{size}}));
      outputs.push_back(trace->record(kind, operands, use.attributes, {}));
    }
  trace->set_outputs(std::move(outputs));
  return Graph(std::shared_ptr<const Trace>(trace));
}

/// `size` elements from `first` on, and again from the beginning where they end.
Tensor window(const std::vector<std::byte> &bytes, DType dtype, std::int64_t size, std::int64_t first) {
  Tensor made;
  visit_dtype(dtype, [&]<class T>() {
    if constexpr (std::is_arithmetic_v<T>) {
      const std::int64_t count = std::int64_t(bytes.size() / sizeof(T));
      const auto elements = std::make_unique<T[]>(std::size_t(size));
      for (std::int64_t i = 0; i < size; ++i)
        std::memcpy(&elements[std::size_t(i)], bytes.data() + std::size_t((first + i) % count) * sizeof(T), sizeof(T));
      made = Tensor::from<T>(std::span<const T>(elements.get(), std::size_t(size)), size == 1 ? Shape{} : Shape{size});
    }
  });
  return made;
}

std::string text_of(const std::vector<std::byte> &bytes, DType dtype, std::int64_t i) {
  std::ostringstream text;
  visit_dtype(dtype, [&]<class T>() {
    if constexpr (std::is_arithmetic_v<T>) {
      T value;
      std::memcpy(&value, bytes.data() + std::size_t(i) * sizeof(T), sizeof(T));
      text.precision(17);
      text << value;
    }
  });
  return text.str();
}

class EdgeElementwise : public ::testing::TestWithParam<OpKind> {
protected:
  void compare(const Use &use, const Tensor &got, std::int64_t first);
  int faults = 0;
};

void EdgeElementwise::compare(const Use &use, const Tensor &got, std::int64_t first) {
  const OpInfo &info = op_info(GetParam());
  visit_dtype(use.result, [&]<class T>() {
    if constexpr (std::is_arithmetic_v<T>) {
      const auto values = got.to_vector<T>();
      for (std::size_t i = 0; i < values.size() && faults < 20; ++i) {
        const std::int64_t at = (first + std::int64_t(i)) % use.count;
        T want;
        std::memcpy(&want, use.want.data() + std::size_t(at) * sizeof(T), sizeof(T));
        const T value = values[i];
        bool same = false;
        if constexpr (std::is_floating_point_v<T>)
          same = ingot::testing::ulpError(value, want) <= bound_of(info, use.result);
        else
          same = value == want;
        if (same)
          continue;
        ++faults;
        std::string operands;
        for (std::size_t k = 0; k < use.operands.size(); ++k)
          operands += (k ? ", " : "") + text_of(use.operands[k], use.dtypes[k], at);
        ADD_FAILURE() << info.name << "(" << operands << ") of " << use.dtypes.back() << " is " << +value << ", not "
                      << +want << ", as element " << i << " of " << values.size();
      }
    }
  });
}

std::vector<OpKind> elementwise_kinds() {
  std::vector<OpKind> kinds;
  for (std::size_t i = 0; i < op_table().size(); ++i)
    if (op_table()[i].has(kElementwise) && !op_table()[i].has(kInternal))
      kinds.push_back(OpKind(i));
  return kinds;
}

} // namespace

TEST_P(EdgeElementwise, CompiledIsAsTheReference) {
  const std::vector<Use> uses = uses_of(GetParam());
  ASSERT_FALSE(uses.empty());
  const Graph graph = program_of(GetParam(), uses);
  std::int64_t rounds = 0;
  for (const Use &use : uses)
    rounds = std::max(rounds, use.count);
  for (const char *name : {"", "x86-64-v3"}) {
    CompileOptions options;
    if (*name)
      options.target = Target::named(name);
    if (options.target && !options.target->host_can_run())
      continue;
    const Executable run = compile(graph, options);
    // Windows that begin everywhere: each value meets each place of the small ones. The large ones overlap by half.
    std::vector<Tensor> args(graph.inputs().size());
    for (std::int64_t first = 0; first < rounds && faults == 0; ++first) {
      const auto moves = [&](std::int64_t size) { return size < 100 || first % (size / 2) == 0; };
      std::size_t arg = 0, result = 0;
      for (const Use &use : uses)
        for (std::int64_t size : kSizes)
          for (std::size_t k = 0; k < use.operands.size(); ++k, ++arg)
            if (moves(size))
              args[arg] = window(use.operands[k], use.dtypes[k], size, first);
      const std::vector<Tensor> results = run(args);
      for (const Use &use : uses)
        for (std::int64_t size : kSizes)
          if (const Tensor &got = results[result++]; moves(size))
            compare(use, got, first);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, EdgeElementwise, ::testing::ValuesIn(elementwise_kinds()),
                         [](const ::testing::TestParamInfo<OpKind> &info) {
                           return std::string(op_info(info.param).name);
                         });
