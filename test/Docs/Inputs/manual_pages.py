#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether tools and their manual pages agree: manual_pages.py SOURCE TOOL...

Of a tool that says with --help what is its own, all of that stands in its page."""

import pathlib
import re
import subprocess
import sys

# What in the help's text is the tool's own, rather than LLVM's.
OWN = {"het-lower": r"\nhet-lower:\n\n(.*)", "het-opt": r"(.*)"}
NAMES = {"het-lower": r"^ +(--?[a-z-]+)", "het-opt": r"^ +(--hetir-[a-z-]+)"}


def helpOf(tool):
    return subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout


def faultsOf(source, tool):
    page = source / f"docs/man/{tool}.1"
    if not page.exists():
        return [f"{tool}: found no docs/man/{tool}.1"]
    text = page.read_text().replace("\\-", "-")
    faults = [f"{page}: found no section {section}"
              for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES", "EXIT STATUS", "SEE ALSO")
              if f"\n.SH {section}\n" not in text]
    if f"\n.SH NAME\n{tool} - " not in text:
        faults.append(f"{page}: NAME: found another name, expected '{tool} \\- …'")
    if f"man/{tool}.1" not in (source / "docs/CMakeLists.txt").read_text():
        faults.append(f"docs/CMakeLists.txt: does not install man/{tool}.1")
    if tool in OWN:
        own = re.search(OWN[tool], helpOf(tool), re.S).group(1)
        names = re.findall(NAMES[tool], own, re.M)
        faults += [f"{page}: found nothing about {name}" for name in names if name not in text]
        if not names:
            faults.append(f"{tool} --help: found no options of its own")
    return faults


def main():
    source = pathlib.Path(sys.argv[1])
    faults = [fault for tool in sys.argv[2:] for fault in faultsOf(source, tool)]
    print("\n".join(faults))
    return bool(faults)


sys.exit(main())
