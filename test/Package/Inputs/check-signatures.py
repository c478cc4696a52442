# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the signatures in the output of hetpkg show --json: two, of which one is trusted."""

import hashlib
import json
import sys

(package,) = json.load(open(sys.argv[1]))["packages"]
signatures = package["signatures"]
assert len(signatures) == 2, signatures
assert sorted(one["trusted"] for one in signatures) == [False, True], signatures
for one in signatures:
    assert one["fits"] is True, one
    digest = hashlib.sha256(bytes.fromhex(one["publicKey"])).hexdigest()
    assert one["key"] == digest[:32], one
assert package["sections"][-1]["type"] == "signatures", package["sections"]
