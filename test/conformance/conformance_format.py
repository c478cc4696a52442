# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A lit test format: one test for each CUDA program and each device, and one in which it
# moves among several.
#
# Devices come from `hetrun devices --json`; one that is absent makes its tests
# UNSUPPORTED, with its reason. A program is compiled once for each line
#     // FLAGS: <options of hetcc>
# in its head (once without options if there is none); the object is shared by
# the devices. A line
#     // ALSO: <files>
# names more sources of the program, by their paths from its folder. It passes by exit code 0 and a line `PASSED`; exit code 77 and a
# line `SKIPPED <reason>` say that this device lacks what it needs. A head line
#     // MAY-REFUSE: <what>
# makes a compilation UNSUPPORTED whose error says "not supported", and
#     // NOT-YET: <what>
# says what hetcc lacks for the program: it fails as expected (XFAIL); so does
#     // NOT-YET-ON <target>, <target>: <what>
# of what only these targets lack.
#
# Steered by the environment of lit:
#   HET_CONFORMANCE_DEVICES   names separated by commas; only these devices, no moves
#   HET_CONFORMANCE_HOP       how programs move, as hetrun's --hop; 5ms:host,spirv:0
#                             unless said, nothing: not at all
#   HET_CONFORMANCE_FLAGS     more options for each compilation
#   HET_CONFORMANCE_LAUNCHER  a command put before each program (hetrun ...); no moves
#   HET_CONFORMANCE_TIMEOUT   seconds for one run; 60 unless said
# and whatever PASSED_ON names, which the programs see.

import json
import os
import shlex
import subprocess
import sys

import lit.formats
import lit.Test

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import conformance_program  # noqa: E402

# What the programs and the runtime may see of lit's own environment.
PASSED_ON = (
    "HET_CONTROL",
    "HET_HOP",
    "HET_HOST_PARK",
    "HET_POLL_INTERVAL",
    "HET_SHORT_LAUNCH",
    "HET_HOST_TEAMS",
    "HET_HOST_THREADS",
    "HET_LITMUS_RUNS",
    "HET_TEXTURE_SAMPLES",
    "HET_LOG",
    "HET_TARGET_PATH",
    "HET_CUDA_DRIVER",
    "HET_LIBRARIES",
    "HET_LEVEL_ZERO_LIBRARY",
    "HET_OPENCL_LIBRARY",
    "HET_SPIRV_DOOR",
    "HET_SPIRV_FORM",
    "HET_SPIRV_FP64",
    "HET_SPIRV_LACKS",
    "HET_SPIRV_SUBGROUP",
    "HET_TENSIX_CORES",
    "HET_TENSIX_PARK",
    "HET_TENSIX_TIMEOUT",
    "HET_TILE_MODEL_CHIP",
    "HET_TILE_MODEL_SEED",
    "HET_TTSIM_LIBRARY",
    "OCL_ICD_VENDORS",
    "LD_LIBRARY_PATH",
)
SKIPPED = 77  # exit code of a program that lacks something here
HEAD_LINES = conformance_program.HEAD_LINES


def variantsOf(source):
    """The lists of options with which a program is compiled."""
    variants = []
    with open(source, encoding="utf-8") as file:
        for _, line in zip(range(HEAD_LINES), file):
            if line.startswith("// FLAGS:"):
                variants.append(shlex.split(line[len("// FLAGS:") :]))
    return variants or [[]]


def headOf(source):
    with open(source, encoding="utf-8") as file:
        return [line for _, line in zip(range(HEAD_LINES), file)]


def headHas(source, key):
    """Whether a program's head has a line of this kind."""
    return any(line.startswith("// %s:" % key) for line in headOf(source))


def targetsLacking(source):
    """The targets that a program's head says can not run it yet."""
    for line in headOf(source):
        if line.startswith("// NOT-YET-ON "):
            names = line[len("// NOT-YET-ON ") :].split(":")[0]
            return [name.strip() for name in names.split(",")]
    return []


class ConformanceFormat(lit.formats.FileBasedTest):
    def __init__(self, root, environment):
        self.root = root
        self.environment = dict(environment)
        for name in PASSED_ON:
            if name in os.environ:
                self.environment[name] = os.environ[name]
        self.flags = shlex.split(os.environ.get("HET_CONFORMANCE_FLAGS", ""))
        self.launcher = shlex.split(os.environ.get("HET_CONFORMANCE_LAUNCHER", ""))
        self.timeout = float(os.environ.get("HET_CONFORMANCE_TIMEOUT", "60"))
        self.known = None

    def devices(self):
        """What hetrun reports, as far as the user asked for it."""
        if self.known is None:
            # Libraries of drivers may say something beside it.
            asked = subprocess.run(
                ["hetrun", "devices", "--json"],
                env=self.environment, capture_output=True, text=True, timeout=300,
            )
            if asked.returncode != 0:
                reason = (asked.stdout + asked.stderr).strip()
                self.known = [{"name": "none", "present": False, "reason": reason}]
                return self.known
            self.known = json.loads(asked.stdout)["devices"]
            wanted = os.environ.get("HET_CONFORMANCE_DEVICES")
            if wanted:
                names = wanted.split(",")
                here = {device["name"]: device for device in self.known}
                absent = "hetrun devices does not list it"
                self.known = [
                    here.get(name, {"name": name, "present": False, "reason": absent})
                    for name in names
                ]
            elif not self.launcher:
                hop = os.environ.get("HET_CONFORMANCE_HOP", "5ms:host,spirv:0")
                if hop:
                    self.known.append(self.hopping(hop))
        return self.known

    def hopping(self, hop):
        """What stands for a device whose work moves."""
        names = hop.split(":", 1)[1].split(",")
        here = {device["name"]: device for device in self.known}
        known = {
            "name": "hop",
            "hop": hop,
            "present": True,
            "first": names[0],
            "targets": [here[name]["target"] for name in names if name in here],
        }
        for name in names:
            device = here.get(name, {"present": False, "reason": "there is none"})
            if not device["present"]:
                known.update(present=False, reason=name + ": " + device["reason"])
        return known

    def getTestsForPath(self, testSuite, path_in_suite, litConfig, localConfig):
        if localConfig.unsupported:
            return
        for test in super().getTestsForPath(
            testSuite, path_in_suite, litConfig, localConfig
        ):
            source = test.getSourcePath()
            for device in self.devices():
                yield lit.Test.Test(
                    testSuite,
                    path_in_suite + (device["name"],),
                    localConfig,
                    file_path=source,
                )

    def execute(self, test, litConfig):
        name = test.path_in_suite[-1]
        device = next(d for d in self.devices() if d["name"] == name)
        if not device["present"]:
            return lit.Test.UNSUPPORTED, name + ": not here: " + device["reason"]
        targets = device.get("targets") or [device["target"]]
        if "null" in targets:
            return lit.Test.UNSUPPORTED, name + ": it runs nothing"
        source = test.getFilePath()
        code, text = self.runVariants(test, source, name)
        if headHas(source, "NOT-YET") or set(targets) & set(targetsLacking(source)):
            if code.isFailure:
                return lit.Test.XFAIL, text
            # What moves may have been elsewhere when it mattered.
            if code == lit.Test.PASS and "hop" not in device:
                return lit.Test.XPASS, text
        return code, text

    def runVariants(self, test, source, name):
        results = [
            self.runVariant(test, source, variant, name)
            for variant in variantsOf(source)
        ]
        # What is worst counts, and only that is shown.
        for code in (lit.Test.TIMEOUT, lit.Test.FAIL):
            if any(result[0] == code for result in results):
                bad = (text for c, text in results if c.isFailure)
                return code, "\n".join(bad)
        if any(code == lit.Test.PASS for code, _ in results):
            return lit.Test.PASS, "\n".join(text for _, text in results)
        return lit.Test.UNSUPPORTED, "\n".join(text for _, text in results)

    def runVariant(self, test, source, variant, device):
        built, problem = self.compile(test, source, variant)
        if problem:
            refused = "not supported" in problem and headHas(source, "MAY-REFUSE")
            return (lit.Test.UNSUPPORTED if refused else lit.Test.FAIL), problem
        known = next(d for d in self.devices() if d["name"] == device)
        launcher = self.launcher
        if "hop" in known:
            device = known["first"]
            launcher = ["hetrun", "--devices=" + device, "--hop=" + known["hop"]]
        environment = dict(self.environment, HET_DEVICES=device)
        seconds = self.timeout
        if "hop" in known:
            seconds *= 3  # kernels are made for each device
        elif "simulated" in known["description"]:  # by a program that runs each instruction
            environment.setdefault("HET_LITMUS_RUNS", "2000")
        targets = known.get("targets") or [known["target"]]
        if set(targets) & set(targetsLacking(source)):  # it may wait for ever
            seconds = min(seconds, 10)
        command = launcher + [built]
        code, output = conformance_program.runCommand(
            command, environment, os.path.dirname(built), seconds
        )
        text = "HET_DEVICES=%s %s\n%s" % (device, shlex.join(command), output)
        if code is None:
            return lit.Test.TIMEOUT, text + "ran longer than %g s\n" % seconds
        if code == SKIPPED and "SKIPPED" in output:
            return lit.Test.UNSUPPORTED, text
        if code == 0 and "PASSED" in output:
            return lit.Test.PASS, text
        return lit.Test.FAIL, text + "exit code %d\n" % code

    def compile(self, test, source, variant):
        """Builds a program once for all that run it. Returns its path, and what went
        wrong."""
        folder = os.path.join(test.suite.exec_root, "conformance", "programs")
        return conformance_program.build(
            source, self.root, variant + self.flags, folder, self.environment
        )
