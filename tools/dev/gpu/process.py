# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Running one program in time."""

import os
import re
import signal
import subprocess


class Run:
    """What a program did. `code` is None if it ran too long."""

    def __init__(self, code, output, errors):
        self.code = code
        self.output = output
        self.errors = errors

    def text(self):
        """The end of what it said, errors first."""
        return (self.errors[-1000:] + self.output[-1000:]).strip()


def execute(command, environment, folder, seconds):
    """Runs a command in a process group of its own and ends all of it in time."""
    try:
        process = subprocess.Popen(command, env=environment, cwd=folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    except OSError as error:
        return Run(127, "", str(error))
    try:
        output, errors = process.communicate(timeout=seconds)
        code = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, errors = process.communicate()
        code = None
    return Run(code, output.decode(errors="replace"), errors.decode(errors="replace"))


def verdict(run):
    """Of a conformance program: pass, skip, timeout or fail."""
    if run.code is None:
        return "timeout"
    if run.code == 77 and "SKIPPED" in run.output:
        return "skip"
    return "pass" if run.code == 0 and "PASSED" in run.output else "fail"


def hashes(output):
    """Of a file of random programs: seed (as text) to hash, of those that ended."""
    return dict(re.findall(r"^(\d+) ([0-9a-f]{16})$", output, re.MULTILINE))
