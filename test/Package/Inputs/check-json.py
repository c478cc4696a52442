# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Checks the output of `hetpkg show --json` for two golden packages.

import json
import sys

first, second = json.load(open(sys.argv[1]))["packages"]
assert first["formatVersion"] == "1.0" and first["embedded"] is False
assert first["producer"] == "golden 2"
assert len(second["kernels"]) == 33

names = [kernel["name"] for kernel in first["kernels"]]
assert names == ["grid_reduce", "reduce", "tiny"], names
kernel = first["kernels"][1]
assert kernel["displayName"] == "reduce(int*)"
assert kernel["parameters"][2] == {"offset": 12, "size": 12, "alignment": 4}
assert kernel["staticSharedBytes"] == 1024 and kernel["dynamicShared"] is True
assert kernel["maxThreadsPerBlock"] == 256
assert kernel["variables"] == ["_ZL7counter", "table"]
assert kernel["safePoints"][1] == {
    "id": 1, "reason": "barrier", "slots": 2, "location": "reduce.cu:7:3"}
assert kernel["slots"][2]["level"] == "team"
assert kernel["parkable"] is True
assert first["kernels"][0]["unparkable"] == "it waits on a lock"
assert kernel["digest"] == first["sections"][kernel["section"]]["digest"]

table = first["variables"][0]
assert table["kind"] == "constant" and table["external"] is True
assert table["relocations"][1] == {
    "offset": 16, "variable": "shared_data", "addend": -8}
assert [s["type"] for s in first["sections"]][:2] == ["kernel index", "variables"]
assert first["sections"][-1]["ignorable"] is True
assert first["signatures"] == [] and second["signatures"] == []
