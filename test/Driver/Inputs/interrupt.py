# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ends a compilation by a signal while it reads its sources, and looks for what
it has left. The sources include a pipe into which nothing is written, so it does
not end before."""
import os
import signal
import subprocess
import sys
import tempfile
import time

PATIENCE = 300  # seconds for what takes a moment


def await_that(what, condition):
    for _ in range(PATIENCE * 20):
        if condition():
            return
        time.sleep(0.05)  # not timed: PATIENCE only ends a hang
    sys.exit(f"{what}: not after {PATIENCE} seconds")


def open_read(pipe):
    """The pipe, once a compilation has opened it and waits for what will not come."""
    try:
        return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
    except OSError:
        return None


def listen():
    """Whoever runs the tests in the background may have had signals ignored."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def interrupt(hetcc, arguments, number, folder):
    temporary = os.path.join(folder, f"tmp-{number}-{len(arguments)}")
    os.mkdir(temporary)
    compilation = subprocess.Popen(
        [hetcc, *arguments, "-o", "prog"], cwd=folder,
        env=dict(os.environ, TMPDIR=temporary), preexec_fn=listen)
    pipes = []

    def reads():
        pipes.append(open_read(os.path.join(folder, "never.h")))
        return pipes[-1] is not None

    await_that("the compilation reads", reads)
    compilation.send_signal(number)
    if compilation.wait(PATIENCE) != -number:
        sys.exit(f"signal {number}: found status {compilation.returncode}")
    await_that(f"no file is left of {arguments}", lambda: not os.listdir(temporary))
    os.close(pipes[-1])


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.mkfifo(os.path.join(folder, "never.h"))
        for name in ("a.cu", "b.cu"):
            with open(os.path.join(folder, name), "w") as file:
                file.write('#include "never.h"\n')
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            interrupt(sys.argv[1], ["a.cu"], number, folder)
            interrupt(sys.argv[1], ["a.cu", "b.cu"], number, folder)


main()
