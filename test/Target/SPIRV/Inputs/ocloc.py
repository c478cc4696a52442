# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles the kernels of CUDA programs for Intel's GPUs, which need not be there:
#
#   ocloc.py --devices dg2,pvc [--emulate] [--flags "-I DIR"] PROGRAM.cu...
#
# Each kernel is lowered as for a device with sub-groups of 32, and `ocloc` gets the
# SPIR-V module. A device without 64-bit floating point computes it in software, which
# is Intel's compiler's own option; or, with --emulate, the lowering's. Prints a line for
# each failure and one on all.

import argparse
import json
import os
import pathlib
import shlex
import struct
import subprocess
import sys
import tempfile

ARCH = "spirv1.3;teams32"
EMULATING = ARCH + ";nofp64;softfp64"
# The compiler's switches for arithmetic that the device has not.
EMULATION = {"IGC_EnableDPEmulation": "1", "OverrideDefaultFP64Settings": "1"}


def run(command, **more):
    try:
        return subprocess.run(command, capture_output=True, errors="replace", **more)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", "ran too long")


def firstError(done):
    lines = [l for l in (done.stdout + done.stderr).splitlines() if l.strip()]
    return next((l for l in lines if "error" in l.lower()), lines[-1] if lines else "")


def kernelsOf(program):
    shown = json.loads(run(["hetpkg", "show", "--json", program]).stdout)
    return [k["name"] for package in shown["packages"] for k in package["kernels"]]


def flagsOf(source):
    """The first options that a program of the conformance suite asks for."""
    for line in pathlib.Path(source).read_text().splitlines()[:20]:
        if line.startswith("// FLAGS:"):
            return shlex.split(line[len("// FLAGS:"):])
    return []


class Checker:
    def __init__(self, options, folder):
        self.options = options
        self.folder = pathlib.Path(folder)
        self.compiled = self.failed = 0
        self.arch = EMULATING if options.emulate else ARCH
        self.environment = dict(os.environ, **({} if options.emulate else EMULATION))

    def fail(self, *what):
        self.failed += 1
        print("failed:", *what, flush=True)

    def program(self, source):
        program = str(self.folder / "program")
        flags = shlex.split(self.options.flags) + flagsOf(source)
        done = run(["hetcc", "-w"] + flags + [source, "-o", program])
        if done.returncode:
            return self.fail(source, "hetcc:", firstError(done))
        for kernel in kernelsOf(program):
            self.kernel(source, program, kernel)

    def kernel(self, source, program, kernel):
        text, artifact = str(self.folder / "kernel.mlir"), self.folder / "kernel.artifact"
        module = str(self.folder / "kernel.spv")
        run(["hetpkg", "extract", program, "--kernel", kernel, "-o", text])
        done = run(["het-lower", "--target=spirv", "--arch=" + self.arch, "--kernel=" + kernel,
                    text, "-o", str(artifact)])
        if done.returncode:
            return self.fail(source, kernel, "lowering:", firstError(done))
        data = artifact.read_bytes()
        code = data[data.index(struct.pack("<I", 0x07230203)):]
        pathlib.Path(module).write_bytes(code)
        for device in self.options.devices.split(","):
            done = run(["ocloc", "compile", "-spirv_input", "-file", module, "-device", device,
                        "-output", str(self.folder / "out")],
                       env=self.environment, cwd=self.folder,
                       timeout=self.options.timeout)
            if done.returncode or "Build succeeded" not in done.stdout:
                self.fail(source, kernel, device + ":", firstError(done))
            else:
                self.compiled += 1


def main():
    parser = argparse.ArgumentParser(description="Compiles kernels for Intel's GPUs.")
    parser.add_argument("--devices", default="dg2,pvc")
    parser.add_argument("--emulate", action="store_true",
                        help="64-bit floating point by the lowering's integers")
    parser.add_argument("--timeout", type=float, help="seconds for a kernel")
    parser.add_argument("--flags", default="", help="options of hetcc")
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(options, folder)
        for source in options.programs:
            checker.program(source)
    print("ocloc: %d compiled, %d failed" % (checker.compiled, checker.failed))
    sys.exit(1 if checker.failed else 0)


if __name__ == "__main__":
    main()
