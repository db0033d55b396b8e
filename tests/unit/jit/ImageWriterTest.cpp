// Images as loaders, unwinders and readers of sections see them, at sizes that no program of the tests has.
#include "ingot/jit/ImageWriter.h"

#include "ingot/runtime/Image.h"
#include "ingot/tests/support/TemporaryDirectory.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <set>

// Of the unwinder, which finds what it unwinds by the index of a library's frame descriptions.
extern "C" {
struct dwarf_eh_bases {
  void *text, *data, *function;
};
const void *_Unwind_Find_FDE(void *, dwarf_eh_bases *);
}

namespace ingot {
namespace {

using Bytes = std::vector<std::byte>;

template <class T> T check(llvm::Expected<T> value) {
  if (!value)
    throw std::runtime_error(llvm::toString(value.takeError()));
  return std::move(*value);
}

/// Machine code of LLVM IR text.
ObjectBytes assemble(const std::string &text) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, error, context);
  if (!module)
    throw std::runtime_error(error.getMessage().str());
  auto machine = check(makeTargetMachine(Target::named("x86-64")));
  prepareModule(*module, *machine);
  for (llvm::Function &function : *module)
    if (!function.isDeclaration())
      function.setUWTableKind(llvm::UWTableKind::Async);
  return check(emitCode(*module, *machine, CodeFormat::Object));
}

/// Of a kernel that gives its number.
std::string nameOf(int number, size_t length) {
  std::string name = "kernel_" + std::to_string(number);
  return name + std::string(length > name.size() ? length - name.size() : 0, 'x');
}

/// Objects with kernels begin .. end, whose last one also gives a number that lies in read-only data.
ObjectBytes kernels(int begin, int end, size_t length) {
  std::string text = "@numbers" + std::to_string(begin) + " = internal constant [2 x i32] [i32 " +
                     std::to_string(begin) + ", i32 " + std::to_string(end - 1) + "], align 64\n";
  for (int i = begin; i < end; ++i) {
    text += "define hidden i32 @" + nameOf(i, length) + "(i32 %at) nounwind {\n";
    if (i + 1 == end)
      text += "%p = getelementptr i32, ptr @numbers" + std::to_string(begin) +
              ", i32 %at\n%v = load i32, ptr %p\nret i32 %v\n}\n";
    else
      text += "ret i32 " + std::to_string(i) + "\n}\n";
  }
  return assemble(text);
}

class Loaded {
public:
  explicit Loaded(const Bytes &bytes) {
    const std::string path =
        directory.write("lib.so", {reinterpret_cast<const char *>(bytes.data()), bytes.size()}).string();
    handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle)
      throw std::runtime_error(dlerror());
  }
  ~Loaded() { dlclose(handle); }
  void *find(const std::string &name) const { return dlsym(handle, name.c_str()); }

private:
  TemporaryDirectory directory;
  void *handle = nullptr;
};

int callAt(void *address, int argument) { return reinterpret_cast<int (*)(int)>(address)(argument); }

using File = llvm::object::ELFFile<llvm::object::ELF64LE>;

File open(const Bytes &bytes) {
  return check(File::create(llvm::StringRef(reinterpret_cast<const char *>(bytes.data()), bytes.size())));
}

const File::Elf_Shdr &sectionNamed(const File &file, llvm::StringRef name) {
  for (const File::Elf_Shdr &section : check(file.sections()))
    if (check(file.getSectionName(section)) == name)
      return section;
  throw std::runtime_error("no section " + name.str());
}

constexpr int kKernels = 10000, kUnits = 5;

struct ImageOfManyKernels : ::testing::Test {
  static std::vector<ObjectBytes> objects() {
    std::vector<ObjectBytes> all;
    for (int unit = 0; unit < kUnits; ++unit)
      all.push_back(kernels(unit * kKernels / kUnits, (unit + 1) * kKernels / kUnits, 40));
    const std::string last = nameOf(kKernels - 1, 40), first = nameOf(7, 40);
    all.push_back(assemble("declare hidden i32 @" + last + "(i32)\ndeclare hidden i32 @" + first +
                           "(i32)\ndefine hidden i32 @entry(i32 %x) nounwind {\n%a = call i32 @" + last +
                           "(i32 %x)\n%b = call i32 @" + first + "(i32 0)\n%c = mul i32 %b, 1000000\n" +
                           "%s = add i32 %a, %c\nret i32 %s\n}\n"));
    return all;
  }
  static const Bytes &complete() {
    static const Bytes bytes = check(writeImage(objects(), {"entry"}, "libmany.so", ImageForm::Complete));
    return bytes;
  }
};

TEST_F(ImageOfManyKernels, RunsInBothForms) {
  const int unitBegin = kKernels - kKernels / kUnits;
  const Loaded shared(complete());
  EXPECT_EQ(callAt(shared.find("entry"), 0), 7000000 + unitBegin);
  EXPECT_EQ(callAt(shared.find("entry"), 1), 7000000 + kKernels - 1);
  EXPECT_EQ(shared.find(nameOf(7, 40)), nullptr) << "kernels are the image's own";
  const Bytes small = check(writeImage(objects(), {"entry"}, "program", ImageForm::Loadable));
  EXPECT_LT(small.size(), complete().size() / 2);
  const Image image = Image::load(small);
  EXPECT_EQ(callAt(image.symbol("entry"), 1), 7000000 + kKernels - 1);
}

TEST_F(ImageOfManyKernels, NamesEveryFunctionAtItsPlace) {
  const File file = open(complete());
  const File::Elf_Shdr &table = sectionNamed(file, ".symtab"), &text = sectionNamed(file, ".text");
  const llvm::StringRef names = check(file.getStringTableForSymtab(table));
  std::set<std::string> functions;
  uint32_t number = 0;
  for (const File::Elf_Sym &symbol : check(file.symbols(&table))) {
    EXPECT_EQ(symbol.getBinding() == llvm::ELF::STB_LOCAL, number++ < table.sh_info) << "local ones come first";
    if (symbol.getType() != llvm::ELF::STT_FUNC)
      continue;
    functions.insert(check(symbol.getName(names)).str());
    EXPECT_EQ(&*check(file.getSection(symbol.st_shndx)), &text);
    EXPECT_GE(symbol.st_value, text.sh_addr);
    EXPECT_LE(symbol.st_value + symbol.st_size, text.sh_addr + text.sh_size);
    EXPECT_GT(symbol.st_size, 0u);
  }
  EXPECT_EQ(functions.size(), size_t(kKernels) + 1);
  EXPECT_TRUE(functions.contains(nameOf(1234, 40)));
}

TEST_F(ImageOfManyKernels, SegmentsHoldTheirSectionsAndNoneIsWritableAndExecutable) {
  const File file = open(complete());
  std::vector<File::Elf_Phdr> loads;
  for (const File::Elf_Phdr &segment : check(file.program_headers())) {
    EXPECT_FALSE((segment.p_flags & llvm::ELF::PF_W) && (segment.p_flags & llvm::ELF::PF_X));
    if (segment.p_type == llvm::ELF::PT_LOAD)
      loads.push_back(segment);
  }
  uint64_t end = 0;
  for (const File::Elf_Shdr &section : check(file.sections())) {
    EXPECT_GE(section.sh_offset, section.sh_type == llvm::ELF::SHT_NULL ? 0 : end) << "sections overlap";
    end = section.sh_offset + section.sh_size;
    if (section.sh_addralign)
      EXPECT_EQ(section.sh_offset % section.sh_addralign, 0u);
    if (section.sh_flags & llvm::ELF::SHF_ALLOC)
      EXPECT_EQ(llvm::count_if(loads,
                               [&](const File::Elf_Phdr &load) {
                                 return section.sh_addr >= load.p_vaddr &&
                                        section.sh_addr + section.sh_size <= load.p_vaddr + load.p_filesz;
                               }),
                1);
  }
}

TEST_F(ImageOfManyKernels, UnwindersFindEveryFunction) {
  const Loaded shared(complete());
  char *entry = static_cast<char *>(shared.find("entry"));
  const File file = open(complete());
  const File::Elf_Shdr &table = sectionNamed(file, ".symtab");
  const llvm::StringRef names = check(file.getStringTableForSymtab(table));
  uint64_t entryValue = 0;
  for (const File::Elf_Sym &symbol : check(file.symbols(&table)))
    if (check(symbol.getName(names)) == "entry")
      entryValue = symbol.st_value;
  int found = 0;
  for (const File::Elf_Sym &symbol : check(file.symbols(&table))) {
    if (symbol.getType() != llvm::ELF::STT_FUNC)
      continue;
    char *begin = entry - entryValue + symbol.st_value;
    for (char *at : {begin, begin + symbol.st_size - 1}) {
      dwarf_eh_bases bases{};
      ASSERT_NE(_Unwind_Find_FDE(at, &bases), nullptr);
      EXPECT_EQ(bases.function, begin);
    }
    ++found;
  }
  EXPECT_EQ(found, kKernels + 1);
}

TEST(ImageWriter, ManyExportsWithLongNamesAreFoundByEitherHash) {
  constexpr int count = 2000;
  constexpr size_t longest = 6000; // beyond a page each
  std::vector<ObjectBytes> objects;
  std::vector<std::string> names;
  for (int begin : {0, count / 2}) {
    objects.push_back(kernels(begin, begin + count / 2, begin ? longest : 10));
    for (int i = begin; i < begin + count / 2; ++i)
      names.push_back(nameOf(i, begin ? longest : 10));
  }
  const Bytes complete = check(writeImage(objects, names, "libnames.so", ImageForm::Complete));
  const Bytes loadable = check(writeImage(objects, names, "names", ImageForm::Loadable));
  const Loaded shared(complete);
  const Image image = Image::load(loadable);
  for (int i = 0; i < count; ++i) {
    const std::string &name = names[size_t(i)];
    ASSERT_NE(shared.find(name), nullptr) << name;
    EXPECT_EQ(callAt(shared.find(name), 1), i);
    ASSERT_NE(image.symbol(name), nullptr) << name;
    EXPECT_EQ(callAt(image.symbol(name), 1), i);
  }
  EXPECT_EQ(shared.find("kernel_"), nullptr);
  EXPECT_EQ(image.symbol("kernel_"), nullptr);
}

std::string messageOf(const std::string &text, const std::string &entry) {
  auto image = writeImage({assemble(text)}, {entry}, "bad", ImageForm::Complete);
  return image ? "" : llvm::toString(image.takeError());
}

TEST(ImageWriter, RefusesWhatALoaderWouldHaveToDoByItsName) {
  const std::string f = "define i32 @f() {\n";
  auto expect = [&](const std::string &text, const std::string &entry, const char *says) {
    EXPECT_NE(messageOf(text, entry).find(says), std::string::npos) << messageOf(text, entry);
  };
  expect("declare i32 @far()\n" + f + "%x = call i32 @far()\nret i32 %x\n}", "f", "nothing defines the symbol 'far'");
  expect(f + "ret i32 1\n}", "g", "nothing defines the entry point 'g'");
  expect("@v = global i32 1\n" + f + "store i32 2, ptr @v\nret i32 1\n}", "f", "writable section .data");
  expect("@v = global i32 0\n" + f + "store i32 2, ptr @v\nret i32 1\n}", "f", "writable section .bss");
  expect("@t = constant ptr @f\n" + f + "ret i32 1\n}", "f", "writable section .data.rel.ro");
}

} // namespace
} // namespace ingot
