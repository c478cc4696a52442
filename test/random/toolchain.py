# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Configurations of a program and how to compile and run it in one.
#
# A configuration is a compiler with options, and an environment for the run. All
# are expected to print the same. Multiply-adds that are not written as fma are not
# fused, so the reference, which knows nothing of fusing, agrees as well.

import functools
import os
import pathlib
import re
import shutil
import subprocess

HERE = pathlib.Path(__file__).parent
HETCC = ["-w", "-fmad=false"]
# -frounding-math keeps g++ from folding -(float)u + 0.0f into -(float)u; a function that
# ends without its return, as the reducer may leave one, stops the program.
REFERENCE = ["-w", "-std=c++17", "-O0", "-fwrapv", "-ffp-contract=off", "-frounding-math",
             "-fsanitize=return", "-fsanitize-undefined-trap-on-error", "-x", "c++",
             "-include", str(HERE / "reference.h")]
# From version 13 on g++ makes traps of what it takes to be never reached, and a fifth of the
# programs come there.
NO_TRAPS = "-fno-unreachable-traps"


class Configuration:
    """How to compile, as a list of options after the compiler's name, and how to run."""

    def __init__(self, compiler, options, environment):
        self.compiler = compiler
        self.options = options
        self.environment = environment

    def build(self):
        return (self.compiler, tuple(self.options))


CONFIGURATIONS = {
    "O3": Configuration("hetcc", HETCC + ["-O3"], {}),
    "O0": Configuration("hetcc", HETCC + ["-O0"], {}),
    # What users pass for unoptimised kernels; -O0 is about host code only.
    "debug": Configuration("hetcc", HETCC + ["-O0", "-G"], {}),
    "threads1": Configuration("hetcc", HETCC + ["-O3"], {"HET_HOST_THREADS": "1"}),
    "threads16": Configuration("hetcc", HETCC + ["-O3"], {"HET_HOST_THREADS": "16"}),
    # Team operations through scratch memory and barriers.
    "scratch": Configuration("hetcc", HETCC + ["-O3"], {"HET_HOST_TEAMS": "scratch"}),
    "debug-scratch": Configuration("hetcc", HETCC + ["-O0", "-G"], {"HET_HOST_TEAMS": "scratch"}),
    # Each block is parked so often, and goes on in other memory.
    "parked": Configuration("hetcc", HETCC + ["-O3"],
                            {"HET_CONTROL": "1", "HET_HOST_PARK": "50",
                             "HET_POLL_INTERVAL": "7"}),
    "parked-debug": Configuration("hetcc", HETCC + ["-O0", "-G"],
                                  {"HET_CONTROL": "1", "HET_HOST_PARK": "50",
                                   "HET_POLL_INTERVAL": "1"}),
    "no-safe-points": Configuration("hetcc", HETCC + ["-O3", "--het-safe-points=none"], {}),
    "reference": Configuration("g++", REFERENCE, {}),
    "reference-reverse": Configuration("g++", REFERENCE, {"REFERENCE_ORDER": "reverse"}),
    "reference-mixed": Configuration("g++", REFERENCE, {"REFERENCE_ORDER": "mixed"}),
}


def configuration(name):
    """The configuration of a name; device:NAME[,OPTION...] is O3 on that device."""
    if name.startswith("device:"):
        return Configuration("hetcc", HETCC + ["-O3"], {"HET_DEVICES": name[7:]})
    if name not in CONFIGURATIONS:
        raise SystemExit("error: configuration: found '%s', expected device:NAME or one of %s" % (
            name, ", ".join(CONFIGURATIONS)))
    return CONFIGURATIONS[name]


@functools.lru_cache
def takesOption(compiler, option):
    command = [compiler, option, "-E", "-x", "c++", os.devnull]
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


class Toolchain:
    """Compiles and runs in a folder of its own."""

    def __init__(self, folder, hetcc, timeout):
        self.folder = pathlib.Path(folder)
        self.hetcc = hetcc
        self.timeout = timeout

    def compile(self, source, config, program):
        """None, or why it failed: a class and what was printed."""
        compiler = self.hetcc if config.compiler == "hetcc" else config.compiler
        options = config.options
        if compiler == "g++" and takesOption(compiler, NO_TRAPS):
            options = options + [NO_TRAPS]
        command = [compiler] + options + [str(source), "-o", str(program)]
        status, out, err = self.execute(command, dict(os.environ), self.timeout * 3)
        if status == 0:
            return None
        if status is None:
            return "compile time-out", ""
        crash = status < 0 or status > 128 or "PLEASE submit a bug report" in err
        return "compile crash" if crash else "compile error", firstError(err)

    def run(self, program, config, seeds=(), scale=1):
        """The lines printed by seed, and None or why the run failed."""
        environment = dict(os.environ, HET_CACHE_DIR=str(self.folder / "cache"))
        environment.setdefault("HET_DEVICES", "host")
        environment.update(config.environment)
        command = [str(program)] + [str(s) for s in seeds]
        status, out, err = self.execute(command, environment, self.timeout * scale)
        lines = {}
        failed = False
        for line in out.splitlines():
            # What a program prints after an error is no result.
            failed = failed or "error: " in line
            found = re.match(r"(\d+) ([0-9a-f]{16})$", line)
            if found and not failed:
                lines[int(found[1])] = found[2]
            failed = failed and not found
        if status is None:
            return lines, ("time-out", "")
        if "invalid: " in out:
            return lines, ("invalid program", re.search("invalid: .*", out)[0])
        if status != 0:
            return lines, ("crash", "status %d; %s" % (status, firstError(err)))
        if "error: " in out:
            return lines, ("run error", re.search("error: .*", out)[0] + " " + firstError(err))
        return lines, None

    def execute(self, command, environment, timeout):
        try:
            done = subprocess.run(command, env=environment, timeout=timeout, stdin=subprocess.DEVNULL,
                                  capture_output=True, errors="replace", cwd=self.folder)
        except subprocess.TimeoutExpired as expired:
            return None, (expired.stdout or b"").decode(errors="replace"), ""
        return done.returncode, done.stdout, done.stderr

    def clearCache(self):
        """Random kernels are never met again."""
        shutil.rmtree(self.folder / "cache", ignore_errors=True)


def firstError(text):
    """The line of a compiler's or runtime's output that says what is wrong."""
    lines = [line for line in text.splitlines() if line.strip()]
    frame = r"^ *#\d+ 0x[0-9a-f]+ (?!llvm::sys::).*(llvm|mlir|het)::"
    for pattern in (r"Assertion|UNREACHABLE|LLVM ERROR", r"\berror:", frame, "."):
        for line in lines:
            if re.search(pattern, line):
                line = re.sub(r"^\S*?([^/ ]+\.(cu|h)):\d+:\d+: ", "", line.strip())
                return re.sub(r"^#\d+ 0x[0-9a-f]+ ", "", line)[:160]
    return ""
