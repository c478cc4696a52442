# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The build step: compiles, runs on the host, packs.

A bundle is a folder: check-gpu and gpu/*.py, lib/ (the runtime, lib/het as installed,
lib/system: shared libraries that the machine may lack), bin/hetrun, a folder for each
part, and manifest.json, which says what there is and what the host printed.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile

import process
import programs

NAME = "hetcc-gpu"
HEAD_LINES = 20  # where a conformance program says how it is compiled
RANDOM_BATCH = 25
HOST_STEP = 65521  # of all floats, how many are tried on the host
# The C library's own parts come with every system.
NEVER_PACKED = re.compile(r"(ld-linux.*|libc|libm|libdl|libpthread|librt|linux-vdso)\.so")


def fail(text):
    raise SystemExit("error: " + text)


def headOf(source, key):
    """The values of lines `// KEY: value` in a program's head."""
    lines = source.read_text().splitlines()[:HEAD_LINES]
    return [line.split(":", 1)[1].strip() for line in lines if line.startswith(f"// {key}:")]


class Bundle:
    def __init__(self, options, root, folder):
        self.options = options
        self.root = root
        self.folder = folder
        self.build = pathlib.Path(options.build)
        if not self.build.is_absolute():
            self.build = root / self.build
        self.hetcc = self.build / "bin" / "hetcc"
        if not self.hetcc.exists():
            fail(f"{self.hetcc}: not there; build first, or name the build with --build")
        self.cache = tempfile.mkdtemp(prefix="check-gpu-cache")
        self.environment = dict(os.environ, HET_DEVICES="host", HET_CACHE_DIR=self.cache,
                                LD_LIBRARY_PATH=str(self.build / "lib"))
        self.manifest = {"producer": self.version(), "parts": options.parts}

    def version(self):
        run = process.execute([str(self.hetcc), "--version"], None, None, 60)
        if run.code != 0:
            fail(f"{self.hetcc}: {run.text()}")
        return run.output.strip().splitlines()[-1].split(",")[0]

    def wanted(self, name):
        return re.search(self.options.only, name) is not None

    def each(self, function, items):
        """The results for the items, in their order."""
        jobs = self.options.jobs or os.cpu_count() or 1
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            return list(pool.map(function, items))

    def compile(self, sources, output, flags=()):
        """None, or what was wrong. The program finds the bundle's runtime by itself."""
        command = [str(self.hetcc), *flags, *map(str, sources), "-o", str(output), "-cudart", "none",
                   "-L", str(self.build / "lib"), "-lhetrt",
                   "-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/../lib"]
        run = process.execute(command, self.environment, None, 300)
        if run.code != 0:
            return run.errors + run.output
        strip(output)
        return None

    # -- what is packed --

    def packTools(self):
        shutil.copy(self.root / "tools/dev/check-gpu", self.folder)
        (self.folder / "gpu").mkdir()
        for file in (self.root / "tools/dev/gpu").glob("*.py"):
            shutil.copy(file, self.folder / "gpu")

    def packRuntime(self):
        library, targets = self.folder / "lib", self.folder / "lib/het/targets"
        targets.mkdir(parents=True)
        (self.folder / "bin").mkdir()
        copies = [(self.build / "lib" / self.soname(), library), (self.build / "bin/hetrun", self.folder / "bin"),
                  (self.build / "lib/het/devicelib.bc", library / "het"),
                  (self.build / "lib/het/het-lowering-worker", library / "het"),
                  (self.build / "lib/het/libhet-lowerings.so", library / "het")]
        # The toolkit's libraries, where they are built.
        copies += [(file, library) for pattern in ("libhetcu*.so.?", "libhetnccl.so.?")
                   for file in (self.build / "lib").glob(pattern)]
        plugins = ["het-host-device.so"] + (["het-host-lowering.so"] if self.options.with_host else [])
        for target in filter(None, self.options.targets.split(",")):
            plugins += [f"het-{target}-device.so", f"het-{target}-lowering.so"]
        copies += [(self.build / "lib/het/targets" / name, targets) for name in plugins]
        for file, to in copies:
            if not file.exists():
                fail(f"{file}: not there; build it first")
            shutil.copy(file, to)
            if file.suffix != ".bc":
                strip(to / file.name)
        self.packSystem([to / file.name for file, to in copies if file.suffix != ".bc"])

    def soname(self):
        """The name by which programs know the runtime."""
        return os.readlink(self.build / "lib/libhetrt.so")

    def packSystem(self, files):
        system = self.folder / "lib/system"
        system.mkdir()
        for file in files:
            for name, path in re.findall(r"(\S+) => (/\S+)", subprocess.check_output(["ldd", file], text=True)):
                if not (NEVER_PACKED.match(name) or name.startswith("libhet") or (system / name).exists()):
                    shutil.copy(path, system / name)
        self.manifest["libraries"] = sorted(path.name for path in system.iterdir())

    # -- the parts --

    def packConformance(self):
        suite = self.root / "test/conformance"
        (self.folder / "conformance").mkdir()
        work = []
        for source in sorted(suite.glob("*/*.cu")):
            flags = headOf(source, "FLAGS") or [""]
            for number, text in enumerate(flags, 1):
                name = f"{source.parent.name}_{source.stem}" + (f"-{number}" if len(flags) > 1 else "")
                if self.wanted(name):
                    work.append((name, source, ["-I", str(suite), *shlex.split(text)]))
        self.manifest["conformance"] = self.each(self.conformanceProgram, work)

    def conformanceProgram(self, item):
        name, source, flags = item
        program = self.folder / "conformance" / name
        also = [source.parent / path for text in headOf(source, "ALSO") for path in text.split()]
        wrong = self.compile([source, *also], program, flags)
        if wrong:
            known = headOf(source, "NOT-YET") or ("not supported" in wrong and headOf(source, "MAY-REFUSE"))
            return {"name": name, "built": False, "known": bool(known), "reason": firstError(wrong)}
        run = process.execute([str(program)], self.environment, program.parent, self.options.timeout)
        return {"name": name, "built": True, "host": process.verdict(run), "output": run.output}

    def packRandom(self):
        (self.folder / "random").mkdir()
        sys.path.insert(0, str(self.root / "test/random"))
        import program
        program.Generator.idioms = self.options.idioms
        last = self.options.seed + self.options.random
        batches = [range(first, min(first + RANDOM_BATCH, last))
                   for first in range(self.options.seed, last, RANDOM_BATCH)]
        self.manifest["random"] = self.each(self.randomBatch, batches)

    def randomBatch(self, seeds):
        import generate
        name = f"random-{seeds[0]}"
        program = self.folder / "random" / name
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / (name + ".cu")
            source.write_text(generate.generate(seeds, self.options.size))
            wrong = self.compile([source], program)
        if wrong:
            return {"name": name, "built": False, "seeds": list(seeds), "reason": firstError(wrong)}
        run = process.execute([str(program)], self.environment, program.parent, self.options.timeout * 5)
        return {"name": name, "built": True, "seeds": list(seeds), "host": process.hashes(run.output)}

    def packMath(self):
        (self.folder / "math").mkdir()
        wrong = self.compile([self.root / "test/benchmarks/NativeMath.cu"], self.folder / "math/native",
                             ["-O3", "--het-math=native"])
        if wrong:
            fail("--het-math=native: " + wrong)
        self.manifest["math"] = {"step": HOST_STEP}

    def packBenchmark(self):
        (self.folder / "benchmark").mkdir()
        folder = self.root / "test/benchmarks"
        sources = [folder / "GpuSpeed.cu", folder / "Kernels.cu"]
        wrong = self.compile(sources, self.folder / "benchmark/speed", ["-O3", "-std=c++17"])
        if wrong:
            fail("the benchmark: " + wrong)
        self.manifest["benchmark"] = {"rival": None}
        nvcc = shutil.which("nvcc")
        if not nvcc:
            return print("nvcc is not here: the benchmark has nothing to be compared with")
        rival = self.folder / "benchmark/speed.nvcc"
        run = process.execute([nvcc, "-O3", "-std=c++17", "-arch=" + self.options.arch, *map(str, sources),
                               "-o", str(rival)], None, None, 600)
        if run.code != 0:
            fail("nvcc: " + run.text())
        strip(rival)
        self.manifest["benchmark"]["rival"] = f"nvcc -O3 -arch={self.options.arch}"

    def packPrograms(self):
        if self.options.programs:
            self.manifest["programs"] = programs.pack(pathlib.Path(self.options.programs),
                                                      self.folder / "programs", self.wanted)

    def run(self):
        self.packTools()
        self.packRuntime()
        for part in self.options.parts:
            getattr(self, "pack" + part.capitalize())()
        (self.folder / "manifest.json").write_text(json.dumps(self.manifest, indent=0))
        shutil.rmtree(self.cache, ignore_errors=True)


def firstError(text):
    lines = [line for line in text.splitlines() if "error:" in line] or text.splitlines()[-1:]
    return lines[0][-300:] if lines else "no output"


def strip(file):
    subprocess.run(["strip", str(file)], check=True)


def describe(manifest):
    """A line for each part; true if the host passes what it must."""
    good = True
    programs_ = manifest.get("conformance", [])
    refused = [p for p in programs_ if not p["built"]]
    failed = [p["name"] for p in programs_ if p["built"] and p["host"] not in ("pass", "skip")]
    for program in refused:
        good &= program["known"]
        print(f"{program['name']}: not built{' (known)' if program['known'] else ''}: {program['reason']}")
    if "conformance" in manifest:
        print(f"conformance: {len(programs_) - len(refused)} built, {len(failed)} fail on the host", *failed)
    if "random" in manifest:
        batches = manifest["random"]
        missing = [s for b in batches for s in b["seeds"] if str(s) not in b.get("host", {})]
        count = sum(len(b["seeds"]) for b in batches)
        print(f"random: {count - len(missing)} of {count} programs have the host's results", *missing)
        good &= not missing
    return good and not failed


def archive(folder, output):
    """By what the name ends in; xz itself is faster than Python's."""
    if output.suffix == ".xz" and shutil.which("xz"):
        with open(output, "wb") as file, subprocess.Popen(["xz", "-T0", "-3"], stdin=subprocess.PIPE,
                                                          stdout=file) as xz:
            with tarfile.open(fileobj=xz.stdin, mode="w|") as tar:
                tar.add(folder, NAME)
            xz.stdin.close()
            if xz.wait():
                fail(f"{output}: xz failed")
        return
    with tarfile.open(output, "w:xz" if output.suffix == ".xz" else "w") as tar:
        tar.add(folder, NAME)


def pack(options, root):
    if options.random < 1:
        fail(f"--random: found {options.random}, expected at least 1; leave random out of --parts")
    output = pathlib.Path(options.bundle)
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        top = pathlib.Path(folder) / NAME
        top.mkdir()
        bundle = Bundle(options, root, top)
        bundle.run()
        archive(top, output)
    good = describe(bundle.manifest)
    print(f"{options.bundle}: {os.stat(options.bundle).st_size >> 20} MiB")
    return 0 if good else 1
