# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is tried in a customer's system, a row each."""

import os
import pathlib
import re
import shutil

from stage import Failure, execute

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = "/srv/an app"  # with a space: as customers have them
PLAIN = f"'{PROGRAMS}/vector_add'"


def build(source, build_, folder):
    """Builds what a customer gets, by the compiler of the build folder."""
    folder.mkdir()
    hetcc, hetpkg, examples = build_ / "bin/hetcc", build_ / "bin/hetpkg", source / "examples"
    execute([hetcc, examples / "vector_add/vector_add.cu", "-o", folder / "vector_add"])
    execute([hetcc, "-c", examples / "vector_add/vector_add.cu", "-o", folder / "vector_add.o"])
    execute(["g++", folder / "vector_add.o", f"-L{build_}/lib", "-lcudart_static", "-o", folder / "host_linked"])
    execute([hetpkg, "precompile", folder / "vector_add", "--for=host", "-o", folder / "precompiled"])
    (folder / "apart").mkdir()
    execute([hetcc, examples / "ship/ship.cu", "--het-package=ship.hetpkg", "-o", "ship"], cwd=folder)
    (folder / "ship.hetpkg").rename(folder / "apart/ship.hetpkg")
    (folder / "plug-in").mkdir()
    execute([hetcc, "-shared", "-Xcompiler", "-fPIC", HERE / "programs/scale.cu", "--het-package=scale.hetpkg",
             "-o", "scale.so"], cwd=folder / "plug-in")
    execute([hetcc, HERE / "programs/load_plugin.cpp", "-cudart", "none", "-o", folder / "load_plugin"])
    execute([hetcc, HERE / "programs/load_package.cpp", "-o", folder / "load_package"])
    execute([hetcc, HERE / "programs/monitor.cpp", "-lnvidia-ml", "-o", folder / "monitor"])
    execute([hetcc, HERE / "programs/open_names.cpp", "-cudart", "none", "-o", folder / "open_names"])
    shutil.copy(examples / "vector_add/vector_add.cu", folder)
    shutil.copytree(source / "test/compat", folder / "compat")
    writeOtherVersion(build_, folder / "other", folder / "precompiled")
    for file in (folder / "other/lib/het").glob("**/*-lowering.so"):
        file.unlink()


def writeOtherVersion(build_, folder, *programs):
    """A runtime of the next number with its plug-ins, and these programs and libraries as if
    they had been built with it."""
    shutil.copytree(build_ / "lib", folder / "lib", symlinks=True, ignore=shutil.ignore_patterns(
        "*.a", "CMake*", "cmake*", "include", "[A-Z]*"))
    soname = os.readlink(build_ / "lib/libhetrt.so").encode()
    name, number = soname.rsplit(b".", 1)
    other = name + b"." + str(int(number) + 1).encode()

    def renumber(file, to):
        to.write_bytes(file.read_bytes().replace(soname + b"\0", other + b"\0").replace(b"HETRT_1\0", b"HETRT_2\0"))
        to.chmod(0o755)
    for file in (folder / "lib").glob("libhetrt.so*"):
        file.unlink()
    renumber(build_ / "lib" / soname.decode(), folder / "lib" / other.decode())
    for program in programs:
        renumber(program, folder / program.name)


class Checks:
    """Runs rows and prints them."""

    def __init__(self, system, packages):
        self.system, self.packages, self.failed = system, packages, 0

    def row(self, name, command, expected, status=0, **how):
        run = self.system.run(command, **{"HET_DEVICES": "host", **how})
        text = (run.stdout + run.stderr).strip()
        found = re.search(expected, text)
        passed = run.returncode == status and found is not None
        self.failed += not passed
        seen = " ... ".join(found[0].splitlines()[::max(1, len(found[0].splitlines()) - 1)]) if found else text[-200:]
        print(f"  {'PASS' if passed else 'FAIL'}  {name}: {seen}" +
              ("" if passed else f" (status {run.returncode}; expected {status} and '{expected}')\n{text}"), flush=True)

    def install(self, *names):
        """Installs packages by the beginnings of their names."""
        files = []
        for name in names:
            found = sorted(self.packages.glob(f"{name}*_*.deb"))
            if not found:
                raise Failure(f"{self.packages}: found no {name}*.deb; tools/dev/package makes them")
            files += found
        (self.system.folder / "pkg").mkdir(exist_ok=True)
        for file in files:
            shutil.copy(file, self.system.folder / "pkg")
        self.system.install(*[f"/pkg/{file.name}" for file in files])
        shutil.rmtree(self.system.folder / "pkg")


def checkRuntimeAlone(checks):
    """libhetrt and devices, and nothing that lowers."""
    checks.install("libhetrt[0-9]", "het-target-")
    checks.row("precompiled, no lowerings installed", f"'{PROGRAMS}/precompiled'", "PASSED", HOME="/nonexistent")
    checks.row("not precompiled: the error names kernel and remedy", PLAIN, "vector.*(install|precompile)", status=1,
               HOME="/nonexistent")


def checkNames(checks):
    """The libraries of NVIDIA's tools, and NVIDIA's names."""
    names = "libcuda.so.1 libcudart.so.12 libcudart.so.13 libnvidia-ml.so.1 libnvToolsExt.so.1 libcupti.so.12"
    checks.row("linked with -lnvidia-ml", f"'{PROGRAMS}/monitor'", "Success, 1 device", HOME="/nonexistent")
    checks.row("NVIDIA's names under hetrun", f"hetrun '{PROGRAMS}/open_names' {names}", "6 opened", HOME="/nonexistent")
    checks.row("NVIDIA's names without hetrun stay NVIDIA's", f"'{PROGRAMS}/open_names' libcuda.so.1",
               "libcuda.so.1: cannot open", status=1, HOME="/nonexistent")


def checkHomes(checks):
    small = "-t tmpfs -o size=4k,mode=777 tmpfs"
    full = "head -c 4096 /dev/zero > /mnt/full 2>/dev/null; "
    readOnly = "-t tmpfs -o ro tmpfs"
    checks.row("as nobody, home in order", PLAIN, "PASSED", HOME="/tmp/home")
    checks.row("linked by g++ with -lcudart_static", f"'{PROGRAMS}/host_linked'", "PASSED", HOME="/tmp/home")
    checks.row("read-only home and $TMPDIR", PLAIN, "PASSED", mounts=[("/mnt", readOnly)], HOME="/mnt", TMPDIR="/mnt")
    checks.row("read-only home, $TMPDIR and /tmp", PLAIN, "PASSED", mounts=[("/mnt", readOnly), ("/tmp", readOnly)],
               HOME="/mnt", TMPDIR="/mnt")
    checks.row("missing home and $TMPDIR", PLAIN, "PASSED", HOME="/nonexistent", TMPDIR="/nonexistent")
    checks.row("neither set", PLAIN, "PASSED")
    checks.row("full home and $TMPDIR", full + PLAIN, "PASSED", mounts=[("/mnt", small)], HOME="/mnt", TMPDIR="/mnt")
    checks.row("without /proc", PLAIN, "PASSED", proc=False, HOME="/nonexistent")
    checks.row("without /proc, linked by g++", f"'{PROGRAMS}/host_linked'", "PASSED", proc=False, HOME="/nonexistent")
    checks.row("without /proc, by a relative path", "./vector_add", "PASSED", proc=False, folder=PROGRAMS)
    checks.row("hetrun", f"hetrun --devices=host {PLAIN}", "PASSED", HOME="/tmp/home")
    checks.row("hetrun without /proc", f"hetrun --devices=host {PLAIN}", "PASSED", proc=False, HOME="/tmp/home")
    checks.row("hetrun devices", "hetrun devices", "hetcc host", HOME="/tmp/home")


def checkDeliveries(checks):
    where = {"folder": PROGRAMS, "HOME": "/nonexistent"}
    checks.row("package apart from its program", "./ship", "0 1 1 2 3 5 8", HET_PACKAGE_PATH=f"{PROGRAMS}/apart", **where)
    checks.row("package beside its program, without /proc",
               "cp ship apart/ship.hetpkg /tmp/ && /tmp/ship", "0 1 1 2 3 5 8", proc=False, **where)
    checks.row("package nowhere: the error says where it was looked for", "./ship", r"ship\.hetpkg.*HET_PACKAGE_PATH",
               status=1, **where)
    checks.row("plug-in with its own package", "./load_plugin plug-in/scale.so", "^84$", **where)
    checks.row("package of format 1.0", "./load_package compat/hetpkg-1.0/plain.hetpkg _Z3addPKfS0_Pfi", "result 0", **where)
    checks.row("package of format 1.1", "./load_package compat/hetpkg-1.1/precompiled.hetpkg add", "result 0", **where)
    for version in sorted((checks.system.folder / PROGRAMS[1:] / "compat").glob("hetpkg-*/*.hetpkg")):
        name = version.relative_to(checks.system.folder / PROGRAMS[1:])
        checks.row(f"hetpkg show {name.parent.name}/{name.name}", f"hetpkg show '{name}' | head -n 1", "format", **where)


def checkVersions(checks):
    where = {"folder": PROGRAMS, "HOME": "/nonexistent", "LD_LIBRARY_PATH": f"{PROGRAMS}/other/lib", "LD_DEBUG": "libs"}
    checks.row("two runtimes side by side: the one that is installed", "./precompiled 2>&1 | grep -v 'trying file'",
               r"calling init: /\S*/libhetrt\.so\.0\n", **where)
    checks.row("two runtimes side by side: the other one, with its own plug-ins", "./other/precompiled 2>&1 | grep -v 'trying file'",
               r"calling init: [^\n]*other/lib/libhetrt\.so\.1\n(.*\n)*.*calling init: [^\n]*other/lib/het/targets/", **where)


def checkArchives(checks):
    archive = next(iter(checks.packages.glob("hetcc-*.tar.zst")), None)
    if archive:
        folder = checks.system.folder / "opt/an archive"
        folder.mkdir()
        execute(["tar", "-I", "zstd", "-xf", archive, "-C", folder, "--strip-components=1"])
        checks.row("archive in a folder with spaces", f"'/opt/an archive/bin/hetrun' --devices=host {PLAIN}", "PASSED",
                   HOME="/nonexistent")
    wheel = next(iter(checks.packages.glob("hetrt-*.whl")), None)
    if wheel:
        try:
            checks.system.install("python3-venv")
        except Failure as failure:
            print(f"  SKIP  wheel in a virtual environment: {failure}", flush=True)
            return
        shutil.copy(wheel, checks.system.folder / "tmp")
        venv = f"python3 -m venv /tmp/venv && /tmp/venv/bin/pip install --no-index -q /tmp/{wheel.name} && "
        script = f"import hetrt, ctypes; print(hetrt.LIBRARY, ctypes.CDLL('{PROGRAMS}/plug-in/scale.so').run())"
        checks.row("wheel in a virtual environment", venv + f'/tmp/venv/bin/python -c "{script}"',
                   r"/tmp/venv/\S*/libhetrt\.so\.\d 84$", HOME="/tmp/home")
        checks.row("hetrun of the wheel", f"/tmp/venv/bin/hetrun --devices=host {PLAIN}", "PASSED", HOME="/tmp/home")


def checkCompiler(checks):
    """The compiler, on systems that have its LLVM; elsewhere what is said."""
    archive = "'/opt/an archive/bin/hetcc'"
    compiled = f"-o /tmp/compiled '{PROGRAMS}/vector_add.cu' && HET_DEVICES=host /tmp/compiled"
    library = r"libclang-cpp\.so\.\d+"
    readme = checks.system.folder / "opt/an archive/README"
    version = re.search(r"LLVM (\d+)", readme.read_text())[1]
    checks.row("compiler of the archive without LLVM: the library is named, README says more",
               f"{archive} --version 2>&1; grep -h 'LLVM {version}' '/opt/an archive/README'",
               rf"{library}.*\n.*LLVM {version}", HOME="/nonexistent")
    if not checks.system.offers(f"libclang-cpp{version}"):
        print(f"  SKIP  compiler: the system has no LLVM {version}; the archive's README says where there is one", flush=True)
        return
    checks.install("libhetrt-dev", "hetcc_")
    checks.row("compiler", f"hetcc {compiled}", "PASSED", HOME="/tmp/home")
    checks.row("compiler of the archive", f"{archive} {compiled}", "PASSED", HOME="/nonexistent")
    text = "echo '.version 8.0 .target sm_80 .address_size 64 .visible .entry k() { ret; }' | tr '~' '\\n' > /tmp/k.ptx"
    checks.row("PTX text is compiled while a program runs", f"{text} && '{PROGRAMS}/load_package' /tmp/k.ptx k", "result 0",
               HOME="/nonexistent")


def check(system, packages, programs):
    """Returns how many rows have failed."""
    place = system.folder / PROGRAMS[1:]
    shutil.copytree(programs, place, symlinks=True)
    (system.folder / "tmp").chmod(0o1777)
    checks = Checks(system, packages)
    checkRuntimeAlone(checks)
    checks.install("het-lowerings", "het-compat", "het-tools")
    checkNames(checks)
    checkHomes(checks)
    checkDeliveries(checks)
    checkVersions(checks)
    checkArchives(checks)
    checkCompiler(checks)
    return checks.failed
