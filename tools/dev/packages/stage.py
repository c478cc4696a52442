# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An installation in a folder of its own, and which of its files go into which package."""

import os
import pathlib
import re
import shutil
import subprocess


class Failure(Exception):
    """What could not be made, and why."""


def execute(command, **others):
    run = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **others)
    if run.returncode:
        raise Failure(f"{command[0]}: {(run.stderr or run.stdout).strip()}")
    return run.stdout


# The first that matches a path below the prefix says whose the file is.
RUNTIME, COMPATIBILITY, LIBRARIES, TARGET, LOWERINGS, TOOLS, DEVELOPMENT, COMPILER = (
    "runtime", "compatibility", "libraries", "target", "lowerings", "tools", "development", "compiler")
OWNERS = (
    (r"lib/het/(lib64|extras)/", DEVELOPMENT),
    (r"lib/libhetrt\.so\.", RUNTIME),
    (r"lib/(libhet(cu(blas|fft|rand|sparse|solver|dnn)|nccl)\.so\.|het/compat/lib(cu(blas|fft|rand|sparse|solver|dnn)|nccl))", LIBRARIES),
    (r"lib/(libhet(cupti|nvml|nvtx|rtc)\.so\.|het/compat/)", COMPATIBILITY),
    (r"lib/het/targets/het-.*-device\.so$", TARGET),
    (r"lib/het/(targets/het-.*-lowering\.so$|lib.*\.so|het-lowering-worker$|devicelib\.bc$)", LOWERINGS),
    (r"(bin|share/man/man1)/(hetrun|hetpkg)", TOOLS),
    (r"include/|lib/cmake/|lib/[^/]*\.(a|so)$|lib/het/(include|lib64)$", DEVELOPMENT),
    (r"bin/|lib/het/(bin|nvvm|version\.|targets/x86_64-linux|het-(text|source)-compiler$)|share/man/", COMPILER),
)


def ownerOf(path):
    for pattern, owner in OWNERS:
        if re.match(pattern, path):
            return owner
    raise Failure(f"{path}: installed, but in no package; name its package in tools/dev/packages/stage.py")


class Product:
    """An installation below `root`, for the folder `prefix`."""

    def __init__(self, source, build, root, prefix, version):
        self.source, self.build, self.root, self.prefix, self.version = source, build, root, prefix, version
        self.here = root / prefix.relative_to("/")
        self.soname = os.readlink(self.here / "lib/libhetrt.so")
        self.number = self.soname.rsplit(".", 1)[1]

    def files(self):
        """The paths of all files and links below the prefix."""
        for folder, folders, names in os.walk(self.here):
            links = [name for name in folders if (pathlib.Path(folder) / name).is_symlink()]
            empty = [name for name in folders if not any((pathlib.Path(folder) / name).iterdir())]
            for name in sorted(names + links + empty):
                yield str((pathlib.Path(folder) / name).relative_to(self.here))

    def targets(self):
        """The names of the targets that were built."""
        names = (re.match(r"het-(.*)-device\.so$", file.name) for file in (self.here / "lib/het/targets").iterdir())
        return sorted(match[1] for match in names if match)

    def copy(self, path, to):
        """Copies a file, link or empty folder below the prefix."""
        to.parent.mkdir(parents=True, exist_ok=True)
        source = self.here / path
        if source.is_dir() and not source.is_symlink():
            to.mkdir(exist_ok=True)
        else:
            shutil.copy2(source, to, follow_symlinks=False)


def install(source, build, work):
    cache = (build / "CMakeCache.txt")
    if not cache.exists():
        raise Failure(f"{build}: no build folder; tools/dev/quickstart makes one")
    version = re.search(r"^CMAKE_PROJECT_VERSION:\w+=(.*)$", cache.read_text(), re.MULTILINE)[1]
    number = os.readlink(build / "lib/libhetrt.so").rsplit(".", 1)[1]
    prefix = pathlib.Path(f"/usr/lib/het-{number}")
    execute(["cmake", "--install", build, "--prefix", prefix, "--strip"],
            env={**os.environ, "DESTDIR": str(work / "installed")})
    return Product(source, build, work / "installed", prefix, version)
