# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# resolve.py LIST...: the files in lists of dependencies must be there when the dots in their
# paths are resolved as text, which is how ninja and CMake name them.

import os
import pathlib
import sys

for name in sys.argv[1:]:
    words = pathlib.Path(name).read_text().replace("\\\n", " ").split()[1:]
    missing = [word for word in words if not os.path.exists(os.path.normpath(word))]
    if missing or len(words) < 3:
        sys.exit(f"{name}: {len(words)} files, of which these are nowhere: {missing[:5]}")
