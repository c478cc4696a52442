# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the versions on the pages of docs/spec with the constants in the code:
spec_versions.py ROOT.
"""

import pathlib
import re
import sys

# What is versioned, where the code has the version (a group for each part), and each place
# that a page says it.
VERSIONS = [
    ("hetpkg", ("lib/Package/Format.h", r"versionMajor = (\d+);\s.*versionMinor = (\d+);"), [
        ("docs/spec/hetpkg.md", r"^Version (\d+)\.(\d+)\. "),
        ("docs/spec/hetpkg.md", r"\| major version \| (\d+) \|\n.*\| minor version \| (\d+);"),
    ]),
    ("package reference", ("lib/Package/PackageReference.cpp", r"uint32_t version = (\d+);"), [
        ("docs/spec/hetpkg.md", r"`HETPKREF` \|\n.*\| u32 \| version \| (\d+) \|"),
    ]),
    ("hetckpt", ("lib/Package/CheckpointFormat.h",
                 r"versionMajor = (\d+);\s.*versionMinor = (\d+);"), [
        ("docs/spec/hetckpt.md", r"^Version (\d+)\.(\d+)\. "),
    ]),
    ("target interface", ("include/het/Target/TargetABI.h",
                          r"define HET_TARGET_ABI_VERSION (\d+)u"), [
        ("docs/spec/target-abi.md", r"^Version (\d+)\. "),
    ]),
    ("hetIR", ("include/het/IR/Module.h", r"dialectMajor = (\d+), dialectMinor = (\d+);"), [
        ("docs/spec/hetir.md", r"^# hetIR (\d+)\.(\d+)$"),
        ("docs/spec/hetir.md", r'`hetir\.version = "(\d+)\.(\d+)"`'),
    ]),
]


def find(root, path, pattern):
    """The version, or what is wrong with the place; and its line."""
    text = (root / path).read_text(encoding="utf-8")
    found = re.search(pattern, text, re.MULTILINE)
    if not found:
        return None, 1
    return ".".join(found.groups()), text.count("\n", 0, found.start(1)) + 1


def main():
    root = pathlib.Path(sys.argv[1])
    faults, count = [], 0
    for name, (code, pattern), places in VERSIONS:
        expected, line = find(root, code, pattern)
        if not expected:
            faults.append(f"{code}:{line}: found no version of {name}, expected /{pattern}/")
            continue
        for page, said in places:
            count += 1
            version, line = find(root, page, said)
            if not version:
                faults.append(f"{page}:{line}: found no version of {name}, expected /{said}/")
            elif version != expected:
                faults.append(f"{page}:{line}: {name}: found {version}, expected {expected}, "
                              f"which {code} has")
    print("\n".join(faults) or f"{count} versions are the code's")
    return 1 if faults else 0


sys.exit(main())
