#include "ingot/ir/import/Source.h"

#include "ingot/runtime/Hash.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <numeric>

namespace ingot {

using namespace mlir;

namespace {

// Bytecode starts with a magic number of four bytes, one byte of version and the producer's name.
constexpr size_t kProducerAt = 5;
constexpr llvm::StringLiteral kProducer = "ingot ";
constexpr size_t kSealAt = kProducerAt + kProducer.size(), kSealSize = 32;

std::string sealOf(llvm::StringRef bytecode) {
  Hasher hasher;
  hasher.add_bytes(bytecode.data(), kSealAt);
  llvm::StringRef rest = bytecode.drop_front(kSealAt + kSealSize);
  hasher.add_bytes(rest.data(), rest.size());
  return hasher.finish().str();
}

/// What is wrong with bytecode; null when it is as it was written.
const char *damage(llvm::StringRef bytecode) {
  if (bytecode.substr(kProducerAt, kProducer.size()) != kProducer)
    return "this bytecode was not written by Ingot; hand over the program's text instead";
  if (bytecode.size() < kSealAt + kSealSize || bytecode.substr(kSealAt, kSealSize) != sealOf(bytecode))
    return "this bytecode is damaged";
  return nullptr;
}

constexpr int kMaxNesting = 256;

/// Follows a text's nesting: brackets, and aliases, which stand for what is nested in their definitions. Affine maps
/// count as nested without bound, for each of their operators nests; no program needs one.
class NestingScan {
public:
  explicit NestingScan(llvm::StringRef text) : text(text) {}

  /// The offset where the text nests deeper than the limit; npos when it never does.
  size_t find() {
    for (size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '"') { // a string ends at its quote, or with an error at the end of its line
        while (++i < text.size() && text[i] != '"' && text[i] != '\n')
          if (text[i] == '\\')
            ++i;
      } else if (c == '/' && text.substr(i, 2) == "//") {
        i = std::min(text.find('\n', i), text.size());
      } else if (text.substr(i).starts_with("affine_")) {
        return i;
      } else if (c == '#' || c == '!') {
        const size_t begin = i;
        while (i + 1 < text.size() && (llvm::isAlnum(text[i + 1]) || llvm::StringRef("_$.-").contains(text[i + 1])))
          ++i;
        alias(text.slice(begin, i + 1), i + 1);
      } else {
        bracket(c, i);
      }
      if (tooDeep())
        return i;
    }
    return llvm::StringRef::npos;
  }

private:
  llvm::StringRef text;
  std::array<int, 4> depth{};
  // The alias being defined, and the deepest that its definition has come.
  llvm::StringRef defined;
  int deepest = 0;
  llvm::StringMap<int> aliases;

  int total() const { return std::accumulate(depth.begin(), depth.end(), 0); }

  void alias(llvm::StringRef name, size_t end) {
    if (text.drop_front(end).ltrim().starts_with("=")) {
      define();
      defined = name;
    } else if (auto found = aliases.find(name); found != aliases.end()) {
      deepest = std::max(deepest, total() + found->second + 1);
    }
  }
  void define() {
    if (!defined.empty())
      aliases[defined] = deepest;
    deepest = 0;
  }
  void bracket(char c, size_t at) {
    constexpr llvm::StringLiteral openers = "([{<", closers = ")]}>";
    if (size_t kind = openers.find(c); kind != llvm::StringRef::npos)
      ++depth[kind];
    else if (kind = closers.find(c); kind != llvm::StringRef::npos && !(c == '>' && at && text[at - 1] == '-'))
      depth[kind] = std::max(0, depth[kind] - 1);
    deepest = std::max(deepest, total());
  }
  bool tooDeep() const {
    return deepest > 4 * kMaxNesting || llvm::any_of(depth, [](int d) { return d > kMaxNesting; });
  }
};

} // namespace

FailureOr<std::string> writeSealedBytecode(ModuleOp module) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  const std::string producer = kProducer.str() + std::string(kSealSize, '0');
  if (failed(writeBytecodeToFile(module, stream, BytecodeWriterConfig(producer))))
    return failure();
  stream.flush();
  if (llvm::StringRef(bytes).substr(kProducerAt, producer.size()) != producer)
    return module.emitError("the bytecode's header is not as expected");
  bytes.replace(kSealAt, kSealSize, sealOf(bytes));
  return bytes;
}

OwningOpRef<ModuleOp> parseSource(llvm::StringRef bytes, llvm::StringRef name, MLIRContext &context) {
  std::unique_ptr<llvm::MemoryBuffer> buffer = llvm::MemoryBuffer::getMemBufferCopy(bytes, name);
  auto refuse = [&](size_t offset, const char *text) {
    llvm::StringRef before = bytes.take_front(offset);
    const size_t column = offset - (before.rfind('\n') + 1); // npos + 1 is 0
    emitError(FileLineColLoc::get(&context, name, unsigned(before.count('\n') + 1), unsigned(column + 1)), text);
    return OwningOpRef<ModuleOp>();
  };
  if (isBytecode(buffer->getMemBufferRef())) {
    if (const char *text = damage(bytes))
      return refuse(0, text);
  } else if (size_t at = NestingScan(bytes).find(); at != llvm::StringRef::npos) {
    return refuse(at, "this nests deeper than any program does");
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
}

} // namespace ingot
