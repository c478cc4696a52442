# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""packages.py SOURCE BUILD FOLDER: prints which packages there are and what is in them, and
writes the tools' completions below FOLDER. Nothing is packed."""

import pathlib
import subprocess
import sys

source, build, folder = map(pathlib.Path, sys.argv[1:4])
sys.path.insert(0, str(source / "tools/dev/packages"))

import completions  # noqa: E402
import debian  # noqa: E402
import stage  # noqa: E402

prefix = pathlib.Path("/usr/lib/het-0")
subprocess.check_call(["cmake", "--install", build, "--prefix", prefix], stdout=subprocess.DEVNULL,
                      env={"PATH": "/usr/bin:/bin", "DESTDIR": str(folder / "installed")})
product = stage.Product(source, build, folder / "installed", prefix, "0.1.0")
for package in debian.describe(product):
    relations = {"Depends": [], **package.relations}
    print(f"{package.name}:", *(f"{kind}: {', '.join(names)}".rstrip() for kind, names in relations.items()))
for path in sorted(product.files()):
    print(f"{stage.ownerOf(path)}: {path}")
try:
    stage.ownerOf("lib/het/other")
except stage.Failure as failure:
    print(f"lost: {failure}")
for tool in sorted((product.here / "bin").iterdir()):
    for place, text in completions.write(tool):
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(text)
subprocess.check_call(["rm", "-rf", folder / "installed"])
