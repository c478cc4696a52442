# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""package_contents.py SOURCE BUILD FOLDER: divides an installation into packages, below FOLDER,
and looks at each as a customer's system has it. Prints what is wrong, one line each, then
how large the packages are. Nothing is packed.

 - Each installed file is in one package.
 - A file that links, names or needs another one finds it in its own package, in one that this
   depends on, or in the system.
 - Programs may be started, and nothing else may.
"""

import os
import pathlib
import re
import subprocess
import sys

source, build, folder = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
sys.path.insert(0, str(source / "tools/dev/packages"))

import debian  # noqa: E402
import stage  # noqa: E402

faults = []


class Contents:
    """What a package puts into a system."""

    def __init__(self, product, package):
        self.package, self.root = package, folder / package.name
        builder = debian.Builder(product, package, self.root)
        builder.addFiles()
        builder.setModes()
        self.files = [file for file in sorted(self.root.rglob("*")) if file.is_symlink() or file.is_file()]

    def paths(self):
        return [f"/{file.relative_to(self.root)}" for file in self.files]


def closure(name, packages):
    """The names of a package and of all of ours that it depends on."""
    found, todo = set(), [name]
    while todo:
        at = todo.pop()
        if at in packages and at not in found:
            found.add(at)
            todo += [word.split(" ")[0] for word in packages[at].package.relations.get("Depends", [])]
    return found


def needs(file):
    """The libraries that an ELF file needs, and the folders of its run path."""
    text = subprocess.check_output(["readelf", "-dW", file], text=True)
    folders = re.findall(r"R(?:UN)?PATH\).*\[(.*)\]", text)
    return re.findall(r"NEEDED\).*\[(.*)\]", text), folders[0].split(":") if folders else []


def systemLibraries():
    text = subprocess.check_output(["/sbin/ldconfig", "-p"], text=True)
    return {line.split()[0] for line in text.splitlines()[1:]}


def checkElf(contents, file, present, system):
    at = f"/{file.relative_to(contents.root)}"
    libraries, folders = needs(file)
    for name in folders:
        if not name.startswith("$ORIGIN") and not pathlib.Path(name).is_dir() or name.startswith(str(build)):
            faults.append(f"{contents.package.name}: {at}: run path {name}")
    for name in libraries:
        places = [os.path.normpath(where.replace("$ORIGIN", os.path.dirname(at)) + "/" + name) for where in folders]
        places.append(f"/usr/lib/{debian.MACHINE}/{name}")
        elsewhere = not name.startswith("libhet") and (name in system or any(map(os.path.exists, places)))
        if not elsewhere and not any(place in present for place in places):
            faults.append(f"{contents.package.name}: {at}: needs {name}, which is in none of {', '.join(places)}")
        if re.match("lib(LLVM|MLIR|clang)", name) and contents.package.owner != stage.COMPILER:
            faults.append(f"{contents.package.name}: {at}: needs {name}, which only the compiler may")
    interpreter = "INTERP" in subprocess.check_output(["readelf", "-lW", file], text=True)
    if interpreter != os.access(file, os.X_OK):
        faults.append(f"{contents.package.name}: {at}: {'a program that may not be started' if interpreter else 'executable'}")


def checkFiles(contents, present, system):
    for file in contents.files:
        at = f"/{file.relative_to(contents.root)}"
        if file.is_symlink():
            to = os.path.normpath(os.path.join(os.path.dirname(at), os.readlink(file)))
            if to not in present and not any(path.startswith(to + "/") for path in present):
                faults.append(f"{contents.package.name}: {at}: leads to {to}, which it has not")
            continue
        start = file.read_bytes()[:200]
        if start[:4] == b"\x7fELF":
            checkElf(contents, file, present, system)
        for name in re.findall(rb"INPUT\((\S+)\)", start) if file.name.endswith(".so") else ():
            if os.path.dirname(at) + "/" + name.decode() not in present:
                faults.append(f"{contents.package.name}: {at}: names {name.decode()}, which it has not")


def main():
    prefix = pathlib.Path("/usr/lib/het-0")
    subprocess.check_call(["cmake", "--install", build, "--prefix", prefix], stdout=subprocess.DEVNULL,
                          env={"PATH": "/usr/bin:/bin", "DESTDIR": str(folder / "installed")})
    product = stage.Product(source, build, folder / "installed", prefix, "0.1.0")
    packages = {package.name: Contents(product, package) for package in debian.describe(product) if package.owner}
    holders = {}
    for name, contents in packages.items():
        for path in contents.paths():
            holders.setdefault(path, []).append(name)
    for path in product.files():
        place = f"/usr/{path}.gz" if path.startswith("share/man/") else f"{prefix}/{path}"
        if len(holders.get(place, [])) != 1 and not (product.here / path).is_dir():
            faults.append(f"{path}: in {', '.join(holders.get(place, [])) or 'no package'}, expected one")
    system = systemLibraries()
    for name, contents in packages.items():
        present = {path for of in closure(name, packages) for path in packages[of].paths()}
        checkFiles(contents, present, system)
    for fault in faults:
        print(f"fault: {fault}")
    for name, contents in packages.items():
        size = sum(file.lstat().st_size for file in contents.files)
        print(f"{name}: {size / 1e6:.2f} MB, {'within' if size <= 2e6 else 'above'} 2 MB")


main()
