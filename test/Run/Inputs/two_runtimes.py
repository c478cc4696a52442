# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""two_runtimes.py SOURCE BUILD FOLDER LIBRARY: makes FOLDER a runtime of the next version, with
LIBRARY as if it had been built with that."""

import pathlib
import sys

source, build, folder, library = map(pathlib.Path, sys.argv[1:])
sys.path.insert(0, str(source / "tools/dev/packages"))

import rows  # noqa: E402

rows.writeOtherVersion(build, folder, library)
