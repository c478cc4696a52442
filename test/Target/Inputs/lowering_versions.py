# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that each lowering's version is made from all sources that an artifact depends on.

lowering_versions.py SOURCE BUILD TEMPORARY: every in-tree file that a lowering's sources
include takes part, every source that is compiled into one does, a change of any folder's
file changes the version, and the version does not depend on where the tree lies. The name of
the lowering's function changes with the version and with the build of LLVM.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

source, build, temporary = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)
VERSION = re.compile(r'HET_LOWERING_VERSION "([0-9a-f]{16})"')
ENTRY = re.compile(r"HET_LOWERING_ENTRY (hetLowering_\w+_[0-9a-f]{16})$", re.MULTILINE)
faults = []


def sources_of(target):
    lines = (target / "sources.txt").read_text().splitlines()
    return [line for line in lines if not line.startswith(("#", "!"))]


def included_by(path):
    """The files of the tree that a file includes."""
    folders = [(source / path).parent, source / "include", source / "runtime/devicelib"]
    for name in INCLUDE.findall((source / path).read_text(errors="replace")):
        for folder in folders:
            file = (folder / name).resolve()
            if file.is_file() and source in file.parents and build not in file.parents:
                yield file.relative_to(source).as_posix()
                break


def is_lowering(path):
    """Not the device's own code, which takes part where it finishes artifacts."""
    return "/Device/" not in path


def compiled_into(name):
    """The sources whose objects go into a lowering, by the build's own list."""
    with open(build / "compile_commands.json") as file:
        commands = json.load(file)
    libraries = re.compile(rf"/CMakeFiles/(Het(IR|Transforms|TargetLowering|{name}Lowering)|"
                           rf"het-{name}-lowering(-code)?)\.dir/", re.IGNORECASE)
    for command in commands:
        if libraries.search(command.get("output") or command["command"]):
            path = pathlib.Path(command["directory"], command["file"]).resolve()
            yield path.relative_to(source).as_posix()


def header_of(root, name, sources, header):
    header.unlink(missing_ok=True)
    subprocess.run(["cmake", f"-DROOT={root}", f"-DNAME={name}", f"-DSOURCES={sources}",
                    f"-DHEADER={header}", "-P", source / "cmake/HashSources.cmake"], check=True)
    return header.read_text()


def version_of(root, sources, header):
    return VERSION.search(header_of(root, "any", sources, header)).group(1)


def check_entry(target):
    text = (target / "LoweringVersion.h").read_text()
    sources, header = temporary / "sources.txt", temporary / "entry.h"
    sources.write_text((target / "sources.txt").read_text() + "! another LLVM\n")
    other = header_of(source, target.name, sources, header)
    if VERSION.search(other).group(1) != VERSION.search(text).group(1):
        faults.append(f"{target.name}: the version depends on the build of LLVM")
    if ENTRY.search(other).group(1) == ENTRY.search(text).group(1):
        faults.append(f"{target.name}: the entry does not depend on the build of LLVM")


def check_coverage(target, sources):
    known = set(sources)
    compiled = set(compiled_into(target.name))
    if not compiled:
        faults.append(f"{target.name}: found no compiled sources")
    for path in sorted(compiled - known):
        faults.append(f"{target.name}: {path} is compiled and takes no part in the version")
    for path in sources:
        if not is_lowering(path) or path.endswith((".txt", ".cmake")):
            continue
        for other in included_by(path):
            if other not in known:
                faults.append(f"{target.name}: {path} includes {other}, which takes no part")


def check_version(target, sources):
    copy, header = temporary / target.name, temporary / "version.h"
    for path in sources:
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / path, copy / path)
    built = VERSION.search((target / "LoweringVersion.h").read_text()).group(1)
    if version_of(copy, target / "sources.txt", header) != built:
        faults.append(f"{target.name}: the version of a copy is another; build the tree first")
    for path in {pathlib.PurePath(path).parent: path for path in sources}.values():
        with open(copy / path, "a") as file:
            file.write("\n")
        if version_of(copy, target / "sources.txt", header) == built:
            faults.append(f"{target.name}: a change of {path} leaves the version")
        shutil.copyfile(source / path, copy / path)
    if version_of(copy, target / "sources.txt", header) != built:
        faults.append(f"{target.name}: the version does not come back")


targets = sorted(path.parent for path in build.glob("lowering-versions/*/LoweringVersion.h"))
for target in targets:
    sources = sources_of(target)
    check_coverage(target, sources)
    check_version(target, sources)
    check_entry(target)
print("\n".join(faults) or "versions of: " + " ".join(target.name for target in targets))
sys.exit(bool(faults))
