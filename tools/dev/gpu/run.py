# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The run step: everything in a bundle, on each device that is asked for."""

import concurrent.futures
import ctypes
import json
import os
import pathlib
import re
import shutil
import statistics
import sys
import tempfile

import process
import programs
import report


# Of the user's own settings, the rest would change what is tried.
KEPT = ("HET_LOG", "HET_CUDA_DRIVER", "HET_LIBRARIES", "HET_PRELOAD", "HET_SPECIALISE", "HET_TARGET_PATH")


class Machine:
    """Where programs run: their environment without a device."""

    def __init__(self, folder, manifest):
        self.folder = folder
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="check-gpu"))
        library = folder / "lib"
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith("HET_") or name in KEPT}
        self.environment["HET_CACHE_DIR"] = str(self.scratch / "cache")
        self.environment["LD_LIBRARY_PATH"] = os.pathsep.join(
            filter(None, [str(library), str(self.missing(library / "system", manifest["libraries"])),
                          os.environ.get("LD_LIBRARY_PATH")]))

    def missing(self, system, names):
        """A folder with those of the packed libraries that this system lacks."""
        own = self.scratch / "lib"
        own.mkdir()
        for name in names:
            try:
                ctypes.CDLL(name)
            except OSError:
                (own / name).symlink_to(system / name)
        return own

    def on(self, device):
        return dict(self.environment, HET_DEVICES=device)

    def devices(self):
        """What hetrun reports, by name."""
        run = process.execute([str(self.folder / "bin/hetrun"), "devices", "--json"],
                              self.environment, None, 120)
        if run.code != 0:
            raise SystemExit(f"error: hetrun devices: exit status {run.code}: {run.text()}")
        return {device["name"]: device for device in json.loads(run.output)["devices"]}

    def clean(self):
        shutil.rmtree(self.scratch, ignore_errors=True)


class Check:
    """One device."""

    def __init__(self, options, folder, manifest, machine, device):
        self.options = options
        self.folder = folder
        self.manifest = manifest
        self.device = device
        self.environment = machine.on(device)

    def each(self, function, items):
        jobs = self.options.jobs or max(1, min(8, (os.cpu_count() or 2) // 2))
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            return list(pool.map(function, items))

    def chosen(self, part):
        return [item for item in self.manifest.get(part, [])
                if item.get("built", True) and re.search(self.options.only, item["name"])]

    def conformance(self):
        """Verdict and whether the output is the host's, where that passed."""
        def one(item):
            run = process.execute(["./" + item["name"]], self.environment, self.folder / "conformance",
                                  self.options.timeout)
            found = process.verdict(run)
            if found == "pass" and item["host"] == "pass" and run.output != item["output"]:
                found = "differs"
            return {"name": item["name"], "verdict": found, "output": run.text()}
        return self.each(one, self.chosen("conformance"))

    def random(self):
        """For each file: the seeds that end without a result, and those of another one."""
        def one(item):
            found = self.randomResults(item)
            wrong = {seed: "no result" if seed not in found else "differs"
                     for seed, value in item["host"].items() if found.get(seed) != value}
            return {"name": item["name"], "programs": len(item["host"]), "wrong": wrong}
        return self.each(one, self.chosen("random"))

    def randomResults(self, item):
        """All at once; what that leaves out one by one."""
        command, folder = ["./" + item["name"]], self.folder / "random"
        run = process.execute(command, self.environment, folder, self.options.timeout)
        found = process.hashes(run.output)
        for seed in item["host"]:
            if seed not in found:
                single = process.execute([*command, seed], self.environment, folder,
                                         self.options.timeout / 3)
                found.update(process.hashes(single.output))
        return found

    def math(self):
        """Errors of --het-math=native, of all floats; of a few on the host."""
        step = self.manifest["math"]["step"] if self.device.startswith("host") else 1
        run = process.execute(["./native", str(step)], self.environment, self.folder / "math",
                              self.options.timeout * 5)
        rows = [{"what": what, "ulp": float(ulp)}
                for what, ulp in re.findall(r"^(\w+): ([0-9.]+) ULP$", run.output, re.MULTILINE)]
        return {"rows": rows, "good": run.code == 0 and "within" in run.output, "output": run.text()}

    def benchmark(self):
        """(what, our median, nvcc's or None) of each line `what: number unit`."""
        folder = self.folder / "benchmark"
        sides = [["./speed"]] + ([["./speed.nvcc"]] if self.manifest["benchmark"]["rival"] else [])
        if not self.device.startswith("ptx"):
            sides = sides[:1]
        process.execute(sides[0], self.environment, folder, self.options.timeout)  # fills the cache
        values = [{} for _ in sides]
        for _ in range(self.options.repeats):
            for side, command in enumerate(sides):
                run = process.execute(command, self.environment, folder, self.options.timeout)
                if run.code != 0:
                    return {"error": f"{command[0]}: exit status {run.code}: {run.text()}"}
                for what, number, unit in re.findall(r"^(.+): ([0-9.eE+-]+) (\S+)$", run.output, re.MULTILINE):
                    values[side].setdefault((what, unit), []).append(float(number))
        rows = [{"what": what, "unit": unit, "ours": statistics.median(own),
                 "nvcc": statistics.median(values[1][what, unit]) if (what, unit) in values[-1] and
                 len(values) > 1 else None} for (what, unit), own in values[0].items()]
        return {"rows": rows, "rival": self.manifest["benchmark"]["rival"] if len(sides) > 1 else None}

    def programs(self):
        """One at a time: they are timed."""
        found = []
        for item in self.chosen("programs"):
            status, ratio = programs.runBoth(item["command"], self.folder / "programs" / item["name"],
                                             self.environment, self.options.repeats, self.options.timeout)
            found.append({"name": item["name"], "status": status, "ratio": ratio})
        return found

    def run(self):
        return {part: getattr(self, part)() for part in self.options.parts if part in self.manifest}


def check(options, folder):
    manifest = json.loads((folder / "manifest.json").read_text())
    machine = Machine(folder, manifest)
    try:
        known = machine.devices()
        results = []
        for name in options.devices.split(","):
            device = known.get(name)
            if not device or not device["present"]:
                why = device["reason"] if device else "hetrun devices does not list it"
                raise SystemExit(f"error: device {name}: {why}")
            results.append((device, Check(options, folder, manifest, machine, name).run()))
    finally:
        machine.clean()
    text = report.page(manifest, results)
    if options.report:
        pathlib.Path(options.report).write_text(text)
    else:
        print(text)
    good = True
    for device, found in results:
        for line, ok in report.verdicts(device["name"], found):
            print(("ok: " if ok else "WRONG: ") + line)
            good &= ok
    sys.stdout.flush()
    return 0 if good else 1
