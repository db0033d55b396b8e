# IR in, IR out: ingot-opt and ingot over files of IR, judged by FileCheck.
# Parameter: build, the build directory whose tools are tested.
import os

import lit.formats

build = lit_config.params["build"]
config.name = "ingot"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(build, "lit")
os.makedirs(config.test_exec_root, exist_ok=True)
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(build, "bin"), "/usr/lib/llvm-19/bin", os.environ.get("PATH", "")])
