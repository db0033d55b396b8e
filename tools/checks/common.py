"""What the checks share: the files of the repository and how a check ends."""

import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def files(*suffixes):
    """Paths, from the root, of the repository's files that end in one of the suffixes."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard"],
                            check=True, capture_output=True, text=True).stdout.splitlines()
    return sorted({f for f in listed if (not suffixes or f.endswith(suffixes)) and os.path.isfile(os.path.join(ROOT, f))})


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def main(name, check, self_test):
    """Runs the check over the repository, or its own test; prints what is wrong and exits."""
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        print(f"{name}: self-test ok")
        return
    if sys.argv[1:]:
        sys.exit(f"usage: {name} [--self-test]")
    problems = check()
    for problem in problems:
        print(f"{name}: {problem}")
    sys.exit(1 if problems else 0)
