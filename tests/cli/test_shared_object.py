"""Shared objects and objects as linkers, debuggers and other tools read them. usage: test_shared_object.py BUILD-DIR"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else ""
MODEL = """
func.func @main(%x: tensor<2x3xf32> {ingot.name = "x"}, %w: tensor<3x2xf32> {ingot.name = "w"}) -> tensor<f32> {
  %0 = ingot.dot %x, %w {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %1 = ingot.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %2 = ingot.mul %0, %1 : tensor<2x2xf32>
  %3 = ingot.reduce_sum %2 {axes = array<i64: 0, 1>} : tensor<2x2xf32> -> tensor<f32>
  return %3 : tensor<f32>
}
"""
# Valid as C99 and as C++17.
PROGRAM = """
#include <stdio.h>
#include "net.h"

static unsigned char memory[net_WORKSPACE_BYTES + net_WORKSPACE_ALIGNMENT];

int main(void) {
  const float x[6] = {1, 2, 3, 4, 5, 6}, w[6] = {1, 0, 0, 1, 1, 1};
  float y = 0;
  const void *inputs[2];
  void *outputs[1];
  size_t past = (size_t)memory % net_WORKSPACE_ALIGNMENT;
  inputs[0] = x;
  inputs[1] = w;
  outputs[0] = &y;
  if (net(NULL, inputs, outputs, memory + (past ? net_WORKSPACE_ALIGNMENT - past : 0)) != 0)
    return puts("the call failed"), 1;
  if (y != 88)
    return printf("%g is wrong\\n", y), 1;
  return 0;
}
"""
LINKERS = [("cc", "bfd"), ("cc", "gold"), ("clang-19", "lld")]


def has(compiler, linker):
    return shutil.which(compiler) and (linker == "lld" and shutil.which("ld.lld-19") or shutil.which("ld." + linker))


class SharedObject(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dir = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.dir)
        for name, text in (("net.mlir", MODEL), ("main.c", PROGRAM), ("main.cpp", PROGRAM)):
            with open(os.path.join(cls.dir, name), "w") as f:
                f.write(text)
        for out in ("libnet.so", "net.o", "net.h"):
            subprocess.run([os.path.join(BUILD, "bin", "ingot"), "compile", "net.mlir", "-o", out, "--name", "net"], cwd=cls.dir, check=True)

    def run_tool(self, *words):
        done = subprocess.run(words, cwd=self.dir, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
        self.assertEqual((done.returncode, done.stderr), (0, ""), (words, done.stdout))
        return done.stdout

    def link(self, compiler, source, *flags):
        standard = "-std=c++17" if source.endswith(".cpp") else "-std=c99"
        self.run_tool(compiler, standard, "-Wall", "-Wextra", "-pedantic", "-Werror", source, "-o", "program", *flags)

    def test_programs_link_it(self):
        for compiler, linker in LINKERS:
            if not has(compiler, linker):
                continue
            for source in ("main.c", "main.cpp"):
                for more in ([], ["-Wl,--as-needed"], ["-Wl,-z,now"], ["-Wl,--no-undefined,-z,defs,--fatal-warnings"], ["-Wl,--gc-sections,-z,relro"]):
                    with self.subTest(compiler=compiler, linker=linker, source=source, more=more):
                        self.link(compiler, source, "-fuse-ld=" + linker, "-L.", *more, "-lnet", "-Wl,-rpath," + self.dir)
                        self.assertIn("Shared library: [libnet.so]", self.run_tool("readelf", "-dW", "program"))
                        self.run_tool("./program")

    def test_objects_link(self):
        for compiler, linker in LINKERS:
            if has(compiler, linker):
                with self.subTest(linker=linker):
                    self.link(compiler, "main.c", "net.o", "-fuse-ld=" + linker, "-Wl,--fatal-warnings")
                    self.run_tool("./program")

    def test_a_name_of_its_own_is_what_programs_ask_for(self):
        self.run_tool(os.path.join(BUILD, "bin", "ingot"), "compile", "net.mlir", "-o", "other-name.so", "--name", "net")
        self.assertIn("soname: [other-name.so]", self.run_tool("readelf", "-dW", "other-name.so"))

    def test_what_is_stripped_still_links_and_runs(self):
        for flag in ("--strip-debug", "--strip-unneeded", "--strip-all"):
            with self.subTest(flag):
                os.makedirs(os.path.join(self.dir, "stripped"), exist_ok=True)
                self.run_tool("strip", flag, "libnet.so", "-o", "stripped/libnet.so")
                self.link("cc", "main.c", "-Lstripped", "-lnet", "-Wl,-rpath," + self.dir + "/stripped")
                self.run_tool("./program")
                self.run_tool("readelf", "-aW", "stripped/libnet.so")

    def test_sections_and_segments(self):
        sections = self.run_tool("readelf", "-SW", "libnet.so")
        for name in (".gnu.hash", ".hash", ".dynsym", ".dynstr", ".rodata", ".eh_frame_hdr", ".eh_frame", ".text", ".dynamic", ".symtab", ".strtab", ".shstrtab"):
            self.assertIn(" " + name + " ", sections)
        segments = self.run_tool("readelf", "-lW", "libnet.so")
        self.assertRegex(segments, r"GNU_STACK .* RW +0x")
        self.assertNotIn("RWE", segments)
        self.assertNotIn("TEXTREL", self.run_tool("readelf", "-dW", "libnet.so"))
        self.assertIn("There are no relocations", self.run_tool("readelf", "-rW", "libnet.so"))

    def test_kernels_have_names(self):
        self.assertRegex(self.run_tool("nm", "-D", "libnet.so"), r"^[0-9a-f]+ T net\n$")
        for file in ("libnet.so", "net.o"):
            symbols = self.run_tool("nm", file)
            self.assertRegex(symbols, r" T net\n")
            self.assertRegex(symbols, r" t ingot_contract_0\n")
            self.assertRegex(self.run_tool("objdump", "-d", file), r"<ingot_contract_0>:")
        if shutil.which("gdb"):
            self.assertRegex(self.run_tool("gdb", "-nx", "-batch", "-ex", "info functions", "libnet.so"), r"0x[0-9a-f]+ +ingot_contract_0\n")

    def test_every_function_can_be_unwound(self):
        self.run_tool("readelf", "-aW", "libnet.so")
        functions = self.run_tool("nm", "libnet.so").upper().count(" T ")
        self.assertGreater(functions, 1)
        for file in ("libnet.so", "net.o"):
            self.assertEqual(self.run_tool("readelf", "--debug-dump=frames", file).count(" FDE "), functions)

    def test_checkers_find_nothing(self):
        self.run_tool("ldd", "libnet.so")
        if shutil.which("eu-elflint"):
            self.assertEqual(self.run_tool("eu-elflint", "libnet.so"), "No errors\n")


if __name__ == "__main__":
    unittest.main(verbosity=1)
