# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the options and verbs of `hetrun --help` with the manual page's: manual.py PAGE."""

import re
import subprocess
import sys


def help_of(*verb):
    return subprocess.run(["hetrun", *verb, "--help"], check=True, capture_output=True,
                          text=True).stdout


def options_in(text):
    return set(re.findall(r"(?<![\w-])--\w[\w-]*", text)) - {"--help", "--version"}


with open(sys.argv[1]) as page:
    text = page.read().replace("\\-", "-")
own = text.split(".SH ENVIRONMENT")[0]
own = own + text.split(".SH EXIT STATUS")[1]
top = help_of()
verbs = re.findall(r"^  (\w+) ", top.split("\nVerbs:\n")[1], re.MULTILINE)
helped = options_in(top.split("\nVerbs:\n")[0].split("\nOptions:\n")[1])
for verb in verbs:
    helped |= options_in(help_of(verb).split("\nOptions:\n")[1].split("\n'")[0])
bare = re.sub(r"\\f[A-Z]", "", own)
documented = options_in(bare)
faults = [f"{name}: only in --help" for name in sorted(helped - documented)]
faults += [f"{name}: only in the manual" for name in sorted(documented - helped)]
faults += [f"{verb}: a verb that the manual lacks" for verb in verbs
           if not re.search(rf"\b{verb}\b", bare)]
if not verbs or not helped:
    faults.append("--help: found no verbs or options")
print("\n".join(faults) or f"{len(helped)} options and {len(verbs)} verbs")
sys.exit(bool(faults))
