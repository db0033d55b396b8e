"""tools/new-op and tools/new-pass in a scratch copy of the sources: which files they touch, and what comes of them."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NEW_OP = ["tools/new-op", "elementwise", "soft_sign", "--summary", "x / (1 + |x|)", "--reference", "x / (T(1) + std::fabs(x))",
          "--emission", "e.div(x, e.add(e.abs(x), e.constant(1, x.getType())))",
          "--partials", "1.0 / ((1.0 + abs(x)) * (1.0 + abs(x)))"]
NEW_PASS = ["tools/new-pass", "HoistViews", "--phase", "Simplified", "--summary", "views behind the work on what they show"]


class Generators(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"], check=True, capture_output=True,
                                text=True).stdout.splitlines()
        for path in listed:
            if (ROOT / path).is_file():
                (self.root / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / path, self.root / path)
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("-c", "user.name=test", "-c", "user.email=test@localhost", "commit", "-qm", "all")

    def git(self, *words):
        return subprocess.run(["git", *words], cwd=self.root, check=True, capture_output=True, text=True).stdout

    def run_tool(self, *words):
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run([sys.executable, *words], cwd=self.root, capture_output=True, text=True, env=environment)

    def good(self, *words):
        done = self.run_tool(*words)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def bad(self, *words, says):
        done = self.run_tool(*words)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(says, done.stderr)
        self.assertEqual(self.touched(), set())

    def touched(self):
        return {line[3:] for line in self.git("status", "--porcelain", "-uall").splitlines()}

    def keeps_the_checks(self):
        for check in ("op-names", "file-size", "docs-fresh"):
            with self.subTest(check):
                self.good("tools/checks/" + check)
        for path in self.touched():
            if path.endswith(".cpp"):
                subprocess.run(["clang-format-19", "--dry-run", "-Werror", self.root / path], check=True)

    def test_an_op_is_one_place(self):
        self.good(*NEW_OP)
        self.assertEqual(self.touched(), {"ir/ops/elementwise/Elementwise.td", "tests/unit/cases/Elementwise.inc",
                                          "tests/lit/ops/soft_sign.mlir", "docs/generated/ops.md", "CHANGELOG.md"})
        self.assertIn("\nCASE_UNARY(soft_sign, -3, 3, true, kFloats)\n", (self.root / "tests/unit/cases/Elementwise.inc").read_text())
        self.assertIn("| `soft_sign` | `soft_sign` | x |", (self.root / "docs/generated/ops.md").read_text())
        self.keeps_the_checks()

    def test_everything_else_comes_from_the_record(self):
        self.good(*NEW_OP)
        records, out = self.root / "ops.json", self.root / "generated"
        out.mkdir()
        os.symlink(self.root, out / "ingot")
        subprocess.run(["/usr/lib/llvm-19/bin/llvm-tblgen", "--dump-json", "-I", "/usr/lib/llvm-19/include", "-I", out,
                        self.root / "ir/AllOps.td", "-o", records], check=True)
        self.good("tools/ingot-tblgen/optable.py", str(records), str(out))
        for name, text in [("OpKinds.h.inc", "INGOT_OP_KIND(SoftSign)"), ("OpTable.cpp.inc", "KernelFault reference_soft_sign("),
                           ("OpFunctions.h.inc", "Tensor soft_sign(Tensor x, Location at = Location::current());"),
                           ("OpFunctions.cpp.inc", 'unary(OpKind::SoftSign, std::move(x), at, "soft_sign")'),
                           ("GradientFunctions.cpp.inc", "return unary<SoftSignOp>(x);")]:
            with self.subTest(name):
                self.assertIn(text, (out / name).read_text())

    def test_refused_ops_change_nothing(self):
        self.bad(*[word.replace("soft_sign", "tanh") for word in NEW_OP], says="already")
        self.bad(*[word.replace("soft_sign", "relu") for word in NEW_OP], says="already")
        self.bad(*[word.replace("soft_sign", "sigmoid") for word in NEW_OP], says="already")
        self.bad(*[word.replace("soft_sign", "SoftSign") for word in NEW_OP], says="lower case")
        self.bad(*NEW_OP, "none", "none", says="three operands")
        self.bad(*NEW_OP, "--commutative", says="does not commute")

    def test_a_pass_is_a_record_a_file_and_a_test(self):
        self.good(*NEW_PASS)
        self.assertEqual(self.touched(), {"passes/Passes.td", "passes/HoistViews.cpp", "passes/CMakeLists.txt",
                                          "tests/lit/passes/hoist-views/doctest.mlir", "docs/generated/passes.md"})
        records = (self.root / "passes/Passes.td").read_text()
        section = records.split("// Simplified ---")[1].split("// Partitioned ---")[0]
        self.assertIn("def HoistViewsPass", section)
        self.assertIn("\n  HoistViews.cpp\n", (self.root / "passes/CMakeLists.txt").read_text())
        self.keeps_the_checks()

    def test_refused_passes_change_nothing(self):
        self.bad(*[word.replace("HoistViews", "Simplify") for word in NEW_PASS], says="already")
        self.bad(*[word.replace("HoistViews", "hoistViews") for word in NEW_PASS], says="CamelCase")
        self.bad(*[word.replace("Simplified", "Later") for word in NEW_PASS], says="Later")


if __name__ == "__main__":
    unittest.main()
