# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the examples of a Markdown page: run_doc.py PAGE.

A fenced block whose first line is a comment that is a file's name
(`// app.cu`) is written to that file. In a block marked `console`, a line
`$ command` is run, and the lines under it must occur in its output in that
order; `…` within a line, or alone on one, stands for anything. A command that
fails is an error.
"""

import os
import re
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def matcher(line):
    parts = [re.escape(part) for part in line.strip().split("…")]
    return re.compile(r"\s*" + ".*".join(parts) + r"\s*$")


def compare(command, expected, output):
    """Each expected line must match one after the line of the one before."""
    lines = output.splitlines()
    position = 0
    for want in expected:
        if want.strip() in ("…", ""):
            continue
        pattern = matcher(want)
        while position < len(lines) and not pattern.match(lines[position]):
            position += 1
        if position == len(lines):
            sys.exit(f"$ {command}\nerror: the page promises this line:\n{want}\n"
                     f"the output is:\n{output}")
        position += 1


def parts(page):
    """The files of a page by name, and its commands, each with the lines that it promises."""
    with open(page, encoding="utf-8") as file:
        blocks = FENCE.findall(file.read())
    files, commands = {}, []
    for language, text in blocks:
        name = re.match(r"(?://|#) (\S+\.\w+)\n", text)
        if name and language != "console":
            files[name.group(1)] = text
        for line in text.splitlines() if language == "console" else ():
            if line.startswith("$ "):
                commands.append((line[2:], []))
            elif commands:
                commands[-1][1].append(line)
    return files, commands


def write(files, folder):
    for name, text in files.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)


def main():
    files, commands = parts(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        write(files, folder)
        for command, expected in commands:
            done = subprocess.run(command, shell=True, cwd=folder, text=True, timeout=120,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if done.returncode != 0:
                sys.exit(f"$ {command}\nerror: exit status {done.returncode}:\n{done.stdout}")
            compare(command, expected, done.stdout)
    print(f"{sys.argv[1]}: {len(commands)} commands, as promised")


if __name__ == "__main__":
    main()
