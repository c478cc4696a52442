# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Debian packages. All files lie in one folder for each number of the runtime's soname; links
in the system's folders lead there."""

import gzip
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import textwrap
import time

import completions
import stage

MACHINE = "x86_64-linux-gnu"
MAINTAINER = "hetcc maintainers <maintainers@users.noreply.a-seed-46dfd468.example>"

COPYRIGHT = """Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: hetcc

Files: *
Copyright: 2026 the hetcc authors
License: Apache-2.0-with-LLVM-exceptions
 On Debian systems the Apache License, Version 2.0, is in
 /usr/share/common-licenses/Apache-2.0. These exceptions apply:
 .
 As an exception, if, as a result of your compiling your source code, portions
 of this Software are embedded into an Object form of such source code, you
 may redistribute such embedded portions in such Object form without complying
 with the conditions of Sections 4(a), 4(b) and 4(d) of the License.
 .
 In addition, if you combine or link compiled forms of this Software with
 software that is licensed under the GPLv2 ("Combined Software") and if a
 court of competent jurisdiction determines that the patent provision (Section
 3), the indemnity provision (Section 9) or other Section of the License
 conflicts with the conditions of the GPLv2, you may retroactively and
 prospectively choose to deem waived or otherwise exclude such Section(s) of
 the License, but only in their entirety and only with respect to the Combined
 Software.
"""


class Package:
    """A package's names, text and relations."""

    def __init__(self, name, owner, section, title, text, **relations):
        self.name, self.owner, self.section, self.title, self.text = name, owner, section, title, text
        self.relations = relations  # Depends, Recommends, …: lists


def describe(product):
    """All packages, those of the targets as the build has them."""
    number, same = product.number, f"(= {product.version})"
    runtime, lowerings, target = f"libhetrt{number}", f"het-lowerings{number}", f"het-target{number}"
    compatibility, libraries = f"het-compat{number}", f"het-libraries{number}"
    withLibraries = any(stage.ownerOf(path) == stage.LIBRARIES for path in product.files())
    clang = clangHeaders(product)
    packages = [
        Package(runtime, stage.RUNTIME, "libs", "runtime of CUDA programs built by hetcc",
                "It runs programs that hetcc compiled. Kernels that were lowered ahead of time need\n"
                f"a device's package (het-target-*) besides; all others need {lowerings} as well.",
                Recommends=[lowerings, target], Suggests=[compatibility]),
        Package(compatibility, stage.COMPATIBILITY, "libs", "NVIDIA's library names for hetcc's programs",
                "Libraries that programs and tools around CUDA look for by name, over hetcc's\n"
                "runtime: libcuda, libcudart, NVML, NVTX and CUPTI.",
                Depends=[f"{runtime} {same}"]),
        Package(lowerings, stage.LOWERINGS, "libs", "makes kernels ready for devices while programs run",
                "Kernels in programs are in a portable form. This compiles them when they are\n"
                "first launched, for each device whose package is installed.",
                Depends=[f"{runtime} {same}"]),
        Package("het-tools", stage.TOOLS, "devel", "starts and inspects programs built by hetcc",
                "hetrun starts programs on chosen devices, moves and saves them. hetpkg shows,\n"
                "checks, signs and precompiles packages of kernels.",
                Depends=[f"{runtime} {same}", f"{compatibility} {same}"], Recommends=[lowerings]),
        Package("libhetrt-dev", stage.DEVELOPMENT, "libdevel", "headers and link libraries of hetcc's runtime",
                "What a program that calls CUDA's functions is compiled and linked with.",
                Depends=[f"{runtime} {same}", f"{compatibility} {same}"] + [f"{libraries} {same}"] * withLibraries),
        Package("hetcc", stage.COMPILER, "devel", "CUDA compiler for every accelerator",
                "It takes nvcc's command line and compiles unmodified programs. Kernels go into\n"
                "the program in a portable form, and become machine code where they run.",
                Depends=[f"libhetrt-dev {same}", f"het-tools {same}", f"{lowerings} {same}", clang,
                         "g++ | c++-compiler"],
                Recommends=[target], Suggests=["hetcc-doc"]),
        Package("hetcc-doc", None, "doc", "documentation of hetcc",
                "The manual, the design, the formats and examples."),
    ]
    if withLibraries:
        packages.append(Package(
            libraries, stage.LIBRARIES, "libs", "NVIDIA's libraries for hetcc's programs",
             "What programs link with -lcublas, -lcufft and the like, for every device, over hetcc's\n"
             "runtime. Its kernels are in the portable form. For cuBLAS and cuSOLVER on the host\n"
             "OpenBLAS is faster, for cuFFT FFTW; NCCL between processes needs UCX.",
             Depends=[f"{runtime} {same}"], Recommends=[lowerings],
             Suggests=["libopenblas0", "libfftw3-single3", "libfftw3-double3", "libucx0"]))
    for name in product.targets():
        packages.append(Package(
            f"het-target-{name}{number}", stage.TARGET, "libs", f"devices of the kind {name} for hetcc's programs",
            f"Programs that hetcc compiled use such devices through this plug-in of {runtime}.",
            Depends=[f"{runtime} {same}"], Provides=[target]))
    return packages


def clangHeaders(product):
    """The package of Clang's own headers, which hetcc reads."""
    cache = (product.build / "CMakeCache.txt").read_text()
    folder = re.search(r"^HET_LLVM_ROOT:\w+=(.*)$", cache, re.MULTILINE)[1]
    headers = sorted(pathlib.Path(folder).glob("lib/clang/*/include/stddef.h"))
    if not headers:
        raise stage.Failure(f"{folder}: found no lib/clang/*/include/stddef.h of Clang")
    return stage.execute(["dpkg", "-S", headers[0]]).split(":")[0]


def dependenciesOf(files, folders):
    """What shared libraries the files need, as packages."""
    if not files:
        return []
    with tempfile.TemporaryDirectory() as work:
        debian = pathlib.Path(work) / "debian"
        debian.mkdir()
        (debian / "control").write_text("Source: hetcc\n\nPackage: hetcc\nArchitecture: any\n")
        text = stage.execute(["dpkg-shlibdeps", "-O", "--ignore-missing-info", *[f"-l{folder}" for folder in folders],
                              *[f"-e{file}" for file in files]], cwd=work)
    found = re.search(r"^shlibs:Depends=(.*)$", text, re.MULTILINE)
    return found[1].split(", ") if found else []


def link(root, path, to):
    """A link in the system's folders."""
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(os.path.relpath(to, f"/{pathlib.PurePath(path).parent}"))


def compress(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as zipped:
        zipped.write(text.encode())


class Builder:
    """Makes one package's folder and file."""

    def __init__(self, product, package, root):
        self.product, self.package, self.root = product, package, root
        self.programs = []

    def addFiles(self):
        package, product = self.package, self.product
        below = str(product.prefix.relative_to("/"))
        for path in product.files():
            if stage.ownerOf(path) != package.owner:
                continue
            if package.owner == stage.TARGET and f"het-target-{targetOf(path)}{product.number}" != package.name:
                continue
            if path.startswith("share/man/"):
                compress(self.root / "usr" / (path + ".gz"), (product.here / path).read_text())
                continue
            to = self.root / below / path
            product.copy(path, to)
            self.addLinks(path)
            if to.is_file() and not to.is_symlink() and to.read_bytes()[:4] == b"\x7fELF":
                self.programs.append(to)

    def addLinks(self, path):
        """A tool in /usr/bin, with its completion; libraries where programs find them."""
        product, name = self.product, pathlib.PurePath(path).name
        if path.startswith("bin/"):
            link(self.root, f"usr/bin/{name}", product.prefix / path)
            for to, text in completions.write(product.here / path):
                (self.root / to).parent.mkdir(parents=True, exist_ok=True)
                (self.root / to).write_text(text)
        elif re.fullmatch(rf"lib/lib\w+\.so\.{product.number}", path):
            link(self.root, f"usr/lib/{MACHINE}/{name}", product.prefix / path)

    def addDocuments(self):
        source, package = self.product.source, self.package
        folder = self.root / "usr/share/doc" / package.name
        folder.mkdir(parents=True)
        (folder / "copyright").write_text(COPYRIGHT)
        # Debian's form, which tools read; CHANGELOG.md is in the documentation's package.
        date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime((source / "CHANGELOG.md").stat().st_mtime))
        compress(folder / "changelog.gz", f"hetcc ({self.product.version}) unstable; urgency=medium\n\n"
                 f"  * CHANGELOG.md of hetcc-doc says what is new.\n\n -- {MAINTAINER}  {date}\n")
        if package.owner is None:
            for name in ("README.md", "CHANGELOG.md"):
                shutil.copy(source / name, folder)
            shutil.copytree(source / "docs", folder / "docs", ignore=shutil.ignore_patterns("CMakeLists.txt", "man"))
            shutil.copytree(source / "examples", folder / "examples")

    def addControl(self):
        package, product = self.package, self.product
        control = self.root / "DEBIAN"
        control.mkdir()
        relations = {kind: list(names) for kind, names in package.relations.items()}
        own = [product.here / "lib", product.here / "lib/het"]
        relations["Depends"] = relations.get("Depends", []) + dependenciesOf(self.programs, own)
        size = sum(file.lstat().st_size for file in self.root.rglob("*") if not file.is_dir()) // 1024
        lines = [f"Package: {package.name}", "Source: hetcc", f"Version: {product.version}",
                 f"Architecture: {'all' if package.owner is None else 'amd64'}", f"Section: {package.section}",
                 "Priority: optional", f"Maintainer: {MAINTAINER}", f"Installed-Size: {size}"]
        lines += [f"{kind}: {', '.join(sorted(set(names)))}" for kind, names in relations.items() if names]
        lines += [f"Description: {package.title}", *(f" {line}" for line in textwrap.wrap(package.text, 76))]
        (control / "control").write_text("\n".join(lines) + "\n")
        libraries = sorted(place.name.split(".")[0] for place in self.root.glob(f"usr/lib/{MACHINE}/lib*"))
        if libraries:
            (control / "triggers").write_text("activate-noawait ldconfig\n")
            (control / "shlibs").write_text("".join(
                f"{name} {product.number} {package.name} (>= {product.version})\n" for name in libraries))
        self.addDigests(control)

    def addDigests(self, control):
        files = sorted(file for file in self.root.rglob("*")
                       if file.is_file() and not file.is_symlink() and control not in file.parents)
        names = [str(file.relative_to(self.root)) for file in files]
        (control / "md5sums").write_text(subprocess.check_output(["md5sum", *names], cwd=self.root, text=True))

    def setModes(self):
        for path in [self.root, *self.root.rglob("*")]:
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or isProgram(path) else 0o644)

    def write(self, output):
        self.addFiles()
        self.addDocuments()
        self.addControl()
        self.setModes()
        stage.execute(["dpkg-deb", "--root-owner-group", "-Zxz", "-z3", "--build", self.root, output])
        return next(output.glob(f"{self.package.name}_{self.product.version}_*.deb"))


def isProgram(path):
    """Whether this is started, and not only loaded: it asks for a dynamic linker. On other
    systems than Debian CMake installs libraries as executable files, too."""
    return os.access(path, os.X_OK) and "INTERP" in stage.execute(["readelf", "-lW", path])


def targetOf(path):
    return re.match(r"het-(.*)-device\.so$", pathlib.PurePath(path).name)[1]


def write(product, output):
    for package in describe(product):
        with tempfile.TemporaryDirectory(prefix="het-deb-") as work:
            yield Builder(product, package, pathlib.Path(work) / "root").write(output)
