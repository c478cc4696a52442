# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Checks what `hetpkg show --json` says of a precompiled package's artifacts.

import json
import sys

(package,) = json.load(open(sys.argv[1]))["packages"]
artifacts = package["artifacts"]
assert [a["target"] for a in artifacts] == [
    "host", "host", "null", "ptx", "spirv", "tensix"], artifacts
ptx = artifacts[3]
assert ptx["arch"] == "sm_80;ptx80" and ptx["options"] == "" and ptx["version"]
assert [k["name"] for k in ptx["kernels"]] == ["_Z6halvesPdi", "_Z6squarePf"]
for kernel in ptx["kernels"]:
    section = package["sections"][kernel["section"]]
    assert section["type"] == "artifact" and section["ignorable"] is True
    assert section["digest"] == kernel["digest"]
    assert section["size"] == kernel["size"] > 100
