#include "ingot/ir/NativeOps.h"

#include <bit>
#include <map>
#include <mutex>

namespace ingot {
namespace {

class Registry {
public:
  std::shared_ptr<const NativeOp> add(std::string name, NativeShapeRule shape, NativeKernel kernel) {
    std::shared_ptr<const NativeOp> before; // goes after the lock: it may hold anything
    std::lock_guard lock(mutex);
    Name &entry = names[name];
    before = std::move(entry.last);
    size_t number = 0;
    if (before.use_count() == 1) // the registry's own: it goes, and its number is free
      number = size_t(before->registration);
    else
      while (number < entry.numbers.size() && !entry.numbers[number].expired())
        ++number;
    entry.numbers.resize(std::max(entry.numbers.size(), number + 1));
    auto op = std::make_shared<const NativeOp>(
        NativeOp{std::move(name), int64_t(number), std::move(shape), std::move(kernel)});
    entry.numbers[number] = op;
    entry.last = op;
    return op;
  }

  std::shared_ptr<const NativeOp> find(const std::string &name, int64_t registration) {
    std::lock_guard lock(mutex);
    auto found = names.find(name);
    if (found == names.end())
      return nullptr;
    if (registration < 0)
      return found->second.last;
    const auto &numbers = found->second.numbers;
    return size_t(registration) < numbers.size() ? numbers[size_t(registration)].lock() : nullptr;
  }

private:
  struct Name {
    std::shared_ptr<const NativeOp> last;
    std::vector<std::weak_ptr<const NativeOp>> numbers;
  };
  std::mutex mutex;
  std::map<std::string, Name> names;
};

Registry &registry() {
  static auto *instance = new Registry; // outlives what static destructors still call
  return *instance;
}

NativeOpRef reference_to(std::string name, std::shared_ptr<const NativeOp> op) {
  const int64_t number = op ? op->registration : -1;
  return {std::move(name), number, std::move(op)};
}

} // namespace

NativeOpRef register_native_op(std::string name, NativeShapeRule shape, NativeKernel kernel) {
  return reference_to(name, registry().add(name, std::move(shape), std::move(kernel)));
}

NativeOpRef find_native_op(const std::string &name, int64_t registration) {
  return reference_to(name, registry().find(name, registration));
}

std::shared_ptr<const NativeOp> resolve_native_op(const NativeOpRef &ref, const SourceLocation &where) {
  if (ref.op)
    return ref.op;
  if (std::shared_ptr<const NativeOp> op = registry().find(ref.name, ref.registration))
    return op;
  throw DispatchError("No custom-op handler registered for `" + ref.name +
                          "`. Register one on the server via `CustomOpRegistry`/the server builder before starting it.",
                      where);
}

// A scalar is the number of its alternative and its bits.
std::vector<int64_t> pack_scalars(const std::vector<CustomScalar> &scalars) {
  std::vector<int64_t> words;
  for (const CustomScalar &scalar : scalars) {
    words.push_back(int64_t(scalar.index()));
    words.push_back(std::visit(
        []<class T>(T value) {
          if constexpr (std::is_same_v<T, bool>)
            return int64_t(value);
          else
            return std::bit_cast<int64_t>(value);
        },
        scalar));
  }
  return words;
}

std::optional<std::vector<CustomScalar>> unpack_scalars(const std::vector<int64_t> &words) {
  std::vector<CustomScalar> scalars;
  if (words.size() % 2)
    return std::nullopt;
  for (size_t i = 0; i < words.size(); i += 2) {
    switch (words[i]) {
    case 0:
      scalars.push_back(std::bit_cast<double>(words[i + 1]));
      break;
    case 1:
      scalars.push_back(words[i + 1]);
      break;
    case 2:
      scalars.push_back(std::bit_cast<uint64_t>(words[i + 1]));
      break;
    case 3:
      scalars.push_back(words[i + 1] != 0);
      break;
    default:
      return std::nullopt;
    }
  }
  return scalars;
}

// A type is its dtype, its rank and its sizes.
std::vector<int64_t> pack_types(std::span<const TensorSpec> types) {
  std::vector<int64_t> words;
  for (const TensorSpec &type : types) {
    words.push_back(int64_t(type.dtype));
    words.push_back(type.shape.rank());
    words.insert(words.end(), type.shape.begin(), type.shape.end());
  }
  return words;
}

std::optional<std::vector<TensorType>> unpack_types(const std::vector<int64_t> &words) {
  std::vector<TensorType> types;
  for (size_t i = 0; i < words.size();) {
    if (words.size() - i < 2 || words[i] < 0 || words[i] >= kNumDTypes || words[i + 1] < 0 ||
        size_t(words[i + 1]) > words.size() - i - 2)
      return std::nullopt;
    const auto begin = words.begin() + std::ptrdiff_t(i) + 2, end = begin + words[i + 1];
    types.push_back({DType(words[i]), Shape(std::vector<int64_t>(begin, end))});
    i += 2 + size_t(words[i + 1]);
  }
  return types;
}

void run_native_op(const NativeOp &op, std::span<const ConstView> inputs, std::span<const MutableView> outputs,
                   const std::vector<CustomScalar> &scalars) {
  std::vector<ConstBuffer> in;
  std::vector<MutableBuffer> out;
  for (const ConstView &view : inputs)
    in.push_back({view.data, view.type.dtype, view.type.shape, view.type.shape.num_elements()});
  for (const MutableView &view : outputs)
    out.push_back({view.data, view.type.dtype, view.type.shape, view.type.shape.num_elements()});
  op.kernel(in, out, scalars);
}

} // namespace ingot
