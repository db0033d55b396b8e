"""The command `ingot` on good and bad input. usage: test_cli.py BUILD-DIR"""

import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from random import Random

BUILD = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else ""
MODEL = """
func.func @main(%x: tensor<2x3xf32> {ingot.name = "x"}, %w: tensor<3x2xf32> {ingot.name = "w"}) -> tensor<f32> {
  %0 = ingot.dot %x, %w {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %1 = ingot.reduce_sum %0 {axes = array<i64: 0, 1>} : tensor<2x2xf32> -> tensor<f32>
  return %1 : tensor<f32>
}
"""
COPY = """
func.func @main(%x: tensor<4xTYPE>) -> tensor<4xTYPE> {
  %0 = ingot.reverse %x {axes = array<i64: 0>} : tensor<4xTYPE>
  return %0 : tensor<4xTYPE>
}
"""


def npy(path, descr, shape, data, order=False, version=1):
    head = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (descr, order, shape)
    length = struct.pack("<H" if version == 1 else "<I", len(head) + 1)
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY" + bytes([version, 0]) + length + head.encode() + b"\n" + data)


def payload(path):
    with open(path, "rb") as f:
        data = f.read()
    length, = struct.unpack("<H", data[8:10])
    return data[10:10 + length].decode(), data[10 + length:]


class Cli(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)
        self.write("net.mlir", MODEL)
        npy(self.path("x.npy"), "<f4", (2, 3), struct.pack("<6f", 1, 2, 3, 4, 5, 6))
        npy(self.path("w.npy"), "<f4", (3, 2), struct.pack("<6f", 1, 0, 0, 1, 1, 1), version=2)

    def path(self, name):
        return os.path.join(self.dir.name, name)

    def write(self, name, text):
        with open(self.path(name), "w") as f:
            f.write(text)

    def ingot(self, *words):
        return subprocess.run([os.path.join(BUILD, "bin", "ingot"), *words], cwd=self.dir.name, capture_output=True, text=True)

    def good(self, *words):
        done = self.ingot(*words)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return done.stdout

    def bad(self, *words, says):
        done = self.ingot(*words)
        self.assertEqual(done.returncode, 1, (words, done.stderr))
        self.assertEqual(done.stdout, "")
        for part in says:
            self.assertIn(part, done.stderr)

    def run_net(self, *words, x="x.npy"):
        return ("run", "net.mlir", "--input", "x=" + x, "--input", "w=w.npy", "--output-dir", "out", *words)

    def test_run_writes_every_output(self):
        self.assertEqual(self.good(*self.run_net()), "")
        header, data = payload(self.path("out/out0.npy"))
        self.assertEqual(struct.unpack("<f", data)[0], 30)
        self.assertIn("'shape': ()", header)
        self.assertEqual((10 + len(header)) % 64, 0)

    def test_every_dtype_passes_through(self):
        for mlir, code, packed in [("f32", "<f4", "<4f"), ("f64", "<f8", "<4d"), ("i32", "<i4", "<4i"), ("i64", "<i8", "<4q"), ("i1", "|b1", "<4?")]:
            with self.subTest(mlir):
                self.write("copy.mlir", COPY.replace("TYPE", mlir))
                values = (0, 1, 1, 0) if mlir == "i1" else (1, 2, 3, 4)
                npy(self.path("v.npy"), code, (4,), struct.pack(packed, *values))
                self.good("run", "copy.mlir", "--input", "in0=v.npy", "--output-dir", "copied")
                header, data = payload(self.path("copied/out0.npy"))
                self.assertEqual(struct.unpack(packed, data), tuple(reversed(values)))
                self.assertIn(code, header)

    def test_bad_arrays_are_named(self):
        npy(self.path("f.npy"), "<f4", (2, 3), bytes(24), order=True)
        npy(self.path("c.npy"), "<c8", (2, 3), bytes(48))
        npy(self.path("b.npy"), ">f4", (2, 3), bytes(24))
        npy(self.path("short.npy"), "<f4", (2, 3), bytes(23))
        npy(self.path("long.npy"), "<f4", (2, 3), bytes(25))
        npy(self.path("huge.npy"), "<f4", (1 << 62, 1 << 62), bytes(24))
        npy(self.path("d.npy"), "<f8", (2, 3), bytes(48))
        self.write("text.npy", "no array")
        self.write("empty.npy", "")
        for name, says in [("f", "Fortran"), ("c", "c8"), ("b", "f4"), ("short", "cut off"), ("long", "too long"), ("huge", "shape"),
                           ("d", "2x3xf64"), ("text", "not a .npy"), ("empty", "not a .npy"), ("none", "cannot read")]:
            with self.subTest(name):
                self.bad(*self.run_net(x=name + ".npy"), says=[name + ".npy", says])

    def test_inputs_are_checked_by_name(self):
        self.bad("run", "net.mlir", "--input", "x=x.npy", "--output-dir", "out", says=["net.mlir", "w"])
        self.bad(*self.run_net("--input", "zz=x.npy"), says=["zz", "x, w"])
        self.bad(*self.run_net("--input", "x=x.npy"), says=["twice"])
        self.bad(*self.run_net("--input", "x"), says=["NAME=FILE"])
        self.bad("run", "net.mlir", "--input", "x=x.npy", "--input", "w=w.npy", says=["--output-dir"])

    def test_bad_models_are_named(self):
        self.write("cut.mlir", MODEL[:100])
        self.write("op.mlir", MODEL.replace("ingot.dot", "ingot.dott"))
        with open(self.path("junk.mlirbc"), "wb") as f:
            f.write(bytes(range(256)) * 8)
        for name in ("cut.mlir", "op.mlir", "junk.mlirbc", "none.mlir", "x.npy"):
            with self.subTest(name):
                self.bad("inspect", name, says=[name])
        self.bad("inspect", says=["model"])
        self.bad("inspect", "net.mlir", "net.mlir", says=["one model"])

    def test_mutated_models_are_refused_or_run(self):
        random = Random(1)
        self.good("compile", "net.mlir", "-o", "good.mlirbc")
        with open(self.path("good.mlirbc"), "rb") as f:
            bytecode = f.read()
        for number in range(60):
            source, name = (MODEL.encode(), "bad.mlir") if number % 2 else (bytecode, "bad.mlirbc")
            bad = bytearray(source)
            for _ in range(random.randint(1, 3)):
                bad[random.randrange(len(bad))] = random.randrange(256)
            if number % 5 == 0:
                del bad[random.randrange(len(bad)):]
            with open(self.path(name), "wb") as f:
                f.write(bad)
            done = self.ingot("inspect", name, "--phase", "captured")
            self.assertIn(done.returncode, (0, 1), (bytes(bad), done.stderr))
            if done.returncode:
                self.assertIn(name + ":", done.stderr)
            elif name == "bad.mlirbc":
                self.assertEqual(bytes(bad), bytecode)

    def test_nesting_without_bound_is_refused(self):
        self.write("deep.mlir", "func.func @main() attributes {a =\n" + "[" * 100000)
        self.bad("inspect", "deep.mlir", says=["deep.mlir:2"])

    def test_compile_by_suffix(self):
        for suffix in ("o", "so", "s", "ll", "h", "mlir", "mlirbc"):
            self.good("compile", "net.mlir", "-o", "copy." + suffix)
            self.assertGreater(os.path.getsize(self.path("copy." + suffix)), 0)
        symbols = subprocess.run(["nm", self.path("copy.o")], capture_output=True, text=True, check=True).stdout
        self.assertIn(" T copy", symbols)
        self.good("compile", "net.mlir", "-o", "named.o", "--name", "other", "--target", "x86-64-v3")
        self.bad("compile", "net.mlir", "-o", "net.xyz", says=["net.xyz", ".mlirbc"])
        self.bad("compile", "net.mlir", "-o", "2-x.o", says=["2-x"])
        self.bad("compile", "net.mlir", "-o", "none/net.o", says=["none/net.o"])
        self.bad("compile", "net.mlir", says=["-o"])
        self.bad("compile", "net.mlir", "-o", "t.o", "--target", "nowhere", says=["nowhere", "x86-64-v3"])

    def test_grad(self):
        self.good("grad", "net.mlir", "--wrt", "w,x", "-o", "g.mlir")
        self.good("run", "g.mlir", "--input", "x=x.npy", "--input", "w=w.npy", "--output-dir", "g")
        _, data = payload(self.path("g/out0.npy"))
        self.assertEqual(struct.unpack("<6f", data), (5, 5, 7, 7, 9, 9))
        _, data = payload(self.path("g/out1.npy"))
        self.assertEqual(struct.unpack("<6f", data), (1, 1, 2, 1, 1, 2))
        self.bad("grad", "net.mlir", "--wrt", "q", "-o", "g.mlir", says=["q", "x, w"])
        self.bad("grad", "net.mlir", "--wrt", "w", "-o", "g.o", says=["g.o"])

    def test_inspect(self):
        report = json.loads(self.good("inspect", "net.mlir", "--json"))
        self.assertEqual([i["shape"] for i in report["inputs"]], [[2, 3], [3, 2]])
        self.assertEqual(report["memory"]["argument_bytes"], 48)
        self.assertGreaterEqual(len(report["kernels"]), 1)
        self.assertIn("kernels", self.good("inspect", "net.mlir", "--html", "r.html"))
        with open(self.path("r.html")) as f:
            self.assertIn("&lt;2x3xf32&gt;", f.read())
        for phase in ("captured", "differentiated", "simplified", "partitioned", "fused", "planned", "kernels", "native"):
            self.assertTrue(self.good("inspect", "net.mlir", "--phase", phase).strip())
        self.bad("inspect", "net.mlir", "--phase", "soon", says=["soon", "captured"])

    def test_native_ops_are_named_and_not_run(self):
        self.write("net.mlir", """func.func @main(%x: tensor<4xf32> {ingot.name = "x"}) -> tensor<4xf32> {
  %0 = ingot.custom_call "softsign"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
""")
        npy(self.path("x.npy"), "<f4", (4,), struct.pack("<4f", 1, 2, 3, 4))
        self.assertRegex(self.good("inspect", "net.mlir"), r"softsign +custom .* net.mlir:2")
        self.assertIn('ingot.custom_call "softsign"', self.good("inspect", "net.mlir", "--phase", "planned"))
        unknown = "No custom-op handler registered for `softsign`"
        self.bad("run", "net.mlir", "--input", "x=x.npy", "--output-dir", "out", says=[unknown])
        self.bad("check", "net.mlir", says=[unknown])
        self.bad("check", "net.mlir", says=["(net.mlir:2)"])
        for suffix in ("o", "so", "s"):
            self.bad("compile", "net.mlir", "-o", "net." + suffix, says=["[softsign] a native custom op is a function of this"])

    def test_bench_and_check(self):
        self.assertIn("GFLOP/s", self.good("bench", "net.mlir", "--seconds", "0.05", "--threads", "1", "--json", "b.json"))
        with open(self.path("b.json")) as f:
            self.assertGreater(json.load(f)["median_seconds"], 0)
        self.assertIn("agree", self.good("check", "net.mlir"))
        self.bad("bench", "net.mlir", "--seconds", "-1", says=["--seconds"])
        self.bad("bench", "net.mlir", "--threads", "many", says=["--threads"])

    def test_bench_suite_drives_the_benchmark(self):
        os.makedirs(self.path("bin"))
        shutil.copy(os.path.join(BUILD, "bin", "ingot"), self.path("bin/ingot"))

        def suite(*words):
            return subprocess.run([self.path("bin/ingot"), "bench", *words], cwd=self.dir.name, capture_output=True, text=True)

        done = suite("--suite", "all")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("ninja ingot-bench", done.stderr)
        self.write("bin/ingot-bench", "#!/bin/sh\necho \"$@\"\n[ \"$4\" = none ] || echo '{}' >> \"$2\"\n[ \"$4\" != bad ]\n")
        os.chmod(self.path("bin/ingot-bench"), 0o755)
        self.assertIn("net.mlir", suite("--suite", "all", "net.mlir").stderr)
        done = suite("--suite", "gemm", "--threads", "1", "--seconds", "0.5", "--json", "b.json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, "--json b.json --only gemm --threads 1 --seconds 0.500000\n")
        self.assertRegex(suite("--suite", "all").stdout, r"^--json \S+\n$")
        for name, says in [("none", "no row"), ("bad", "code 1")]:
            done = suite("--suite", name)
            self.assertEqual(done.returncode, 1)
            self.assertIn(says, done.stderr)

    def test_help_and_wrong_commands(self):
        self.assertIn("inspect", self.good("--help"))
        self.assertRegex(self.good("--version"), r"\d+\.\d+")
        self.bad(says=["--help"])
        self.bad("fly", says=["fly"])
        self.bad("check", "net.mlir", "--fast", says=["--fast"])
        self.bad("compile", "net.mlir", "-o", says=["needs a value"])


if __name__ == "__main__":
    unittest.main()
