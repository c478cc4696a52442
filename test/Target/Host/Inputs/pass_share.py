# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails where a pass takes a third of a lowering: pass_share.py REPORT PASS. The report is
that of --timed: a line ends in a wall time, its share, and a name."""

import re
import sys

report, name = open(sys.argv[1]).read(), sys.argv[2]


def seconds(text, line):
    return sum(map(float, re.findall(r"([0-9.]+) \( *[0-9.]+%\) +" + line + "$", text, re.M)))


whole = seconds(report[report.index("Steps of the lowering"):], "Total")
own = seconds(report, r"(?:\S+::)?" + name)
print(f"{name}: {own} s of {whole} s")
if not own or own > whole / 3:
    sys.exit(f"error: {name} takes too long, or did not run")
