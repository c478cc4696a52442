# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An archive that runs from any folder, and the runtime as a Python wheel."""

import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import zipfile

import completions
import debian
import stage

README = """hetcc {version}, to be used from any folder

bin/hetrun, bin/hetpkg and what hetcc's programs need run as they are, with a C library as new
as Debian 12's.

bin/hetcc needs g++, and the shared libraries and headers of LLVM {llvm}, MLIR and Clang, which
are not in this archive. Without them it says that it cannot open libclang-cpp.so.{llvm} or another
of those that 'ldd bin/hetcc' lists. They come with

  Debian 12      its security archive: apt install {packages} g++
  Debian 13      the same
  Ubuntu 24.04   not of its own; from https://apt.llvm.org, not tried

Programs find the runtime here by the run path that bin/hetcc gives them. After this folder
has been moved they find it again by bin/hetrun PROGRAM, or with LD_LIBRARY_PATH=FOLDER/lib.
"""


def writeArchive(product, output):
    name = f"hetcc-{product.version}-linux-x86_64"
    folder = product.root / "archive" / name
    shutil.copytree(product.here, folder, symlinks=True)
    shutil.copy(product.source / "LICENSE", folder)
    headers = debian.clangHeaders(product)
    llvm = re.search(r"\d+", headers)[0]
    packages = " ".join([f"libllvm{llvm}", f"libmlir-{llvm}", f"libclang-cpp{llvm}", headers])
    (folder / "README").write_text(README.format(version=product.version, llvm=llvm, packages=packages))
    for tool in sorted((folder / "bin").iterdir()):
        for path, text in completions.write(tool):
            to = folder / pathlib.PurePath(path).relative_to("usr")
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_text(text)
    file = output / f"{name}.tar.zst"
    file.unlink(missing_ok=True)
    stage.execute(["tar", "--owner=0", "--group=0", "--sort=name", "-I", "zstd -T0 -10", "-cf", file,
                   "-C", folder.parent, name])
    shutil.rmtree(folder.parent)
    yield file


MODULE = '''# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The runtime of CUDA programs that hetcc compiled.

An extension module that hetcc linked needs {soname}. 'import hetrt' before it loads that.
"""

import ctypes
import os
import sys

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib")
LIBRARY = os.path.join(FOLDER, "{soname}")

runtime = ctypes.CDLL(LIBRARY, mode=ctypes.RTLD_GLOBAL)


def hetrun():
    """Becomes the tool hetrun."""
    tool = os.path.join(os.path.dirname(FOLDER), "bin", "hetrun")
    os.execv(tool, [tool, *sys.argv[1:]])
'''

METADATA = """Metadata-Version: 2.1
Name: hetrt
Version: {version}
Summary: Runtime of CUDA programs that hetcc compiled
License: Apache-2.0 WITH LLVM-exception
Requires-Python: >=3.7
"""


def glibc(files):
    """The newest version of glibc's symbols that the files ask for."""
    newest = (2, 17)
    for file in files:
        for word in subprocess.check_output(["objdump", "-T", file], text=True).split():
            if word.strip("()").startswith("GLIBC_2."):
                newest = max(newest, tuple(int(part) for part in word.strip("()")[6:].split(".")[:2]))
    return newest


def wheelContents(product):
    """Pairs of a name in the wheel and the file that it comes from."""
    # A wheel has no links: the file itself has the name that programs look for.
    links = {os.path.realpath(product.here / path) for path in product.files() if (product.here / path).is_symlink()}
    for path in product.files():
        owned = stage.ownerOf(path) in (stage.RUNTIME, stage.COMPATIBILITY, stage.TARGET, stage.LOWERINGS)
        if (owned or path == "bin/hetrun") and str(product.here / path) not in links:
            yield f"hetrt/{path}", (product.here / path).resolve()


def writeWheel(product, output):
    files = list(wheelContents(product))
    programs = [file for _, file in files if file.read_bytes()[:4] == b"\x7fELF"]
    major, minor = glibc(programs)
    tag = f"py3-none-manylinux_{major}_{minor}_x86_64"
    wheel = output / f"hetrt-{product.version}-{tag}.whl"
    info = f"hetrt-{product.version}.dist-info"
    texts = {
        "hetrt/__init__.py": MODULE.format(soname=product.soname),
        f"{info}/METADATA": METADATA.format(version=product.version),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: hetcc\nRoot-Is-Purelib: false\nTag: {tag}\n",
        f"{info}/entry_points.txt": "[console_scripts]\nhetrun = hetrt:hetrun\n",
        f"{info}/LICENSE": (product.source / "LICENSE").read_text(),
    }
    record = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        def add(name, contents, mode=0o644):
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, contents, zipfile.ZIP_DEFLATED)
            digest = base64.urlsafe_b64encode(hashlib.sha256(contents).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(contents)}")
        for name, file in files:
            add(name, file.read_bytes(), file.stat().st_mode & 0o755)
        for name, text in texts.items():
            add(name, text.encode())
        add(f"{info}/RECORD", ("\n".join(record) + f"\n{info}/RECORD,,\n").encode())
    yield wheel

