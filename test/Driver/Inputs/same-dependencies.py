# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Fails if two dependency files name different files.

import os
import sys


def files(name):
    with open(name, encoding="utf-8") as file:
        return {os.path.normpath(word) for word in file.read().replace("\\\n", "").split()}


difference = files(sys.argv[1]) ^ files(sys.argv[2])
if difference:
    sys.exit("only one has: " + ", ".join(sorted(difference)))
