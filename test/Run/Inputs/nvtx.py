# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What a trace has of the program's own ranges, and around which kernels they are.
import json
import sys

events = json.load(open(sys.argv[1]))["traceEvents"]
lines = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
places = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
program = {pid for pid, name in places.items() if name == "program"}
for event in events:
    if event["pid"] in program and event["ph"] in "Xbei":
        line = lines[event["pid"], event["tid"]].partition(" (")[2].rstrip(")")
        print(event["ph"], event["name"], json.dumps(event["args"], sort_keys=True), line)
kernels = [e for e in events if e["ph"] == "X" and e["name"].startswith("work")]
for kernel in sorted(kernels, key=lambda e: e["ts"]):
    around = [e["name"] for e in events if e["ph"] == "X" and e["pid"] in program
              and e["ts"] <= kernel["ts"] and kernel["ts"] + kernel["dur"] <= e["ts"] + e["dur"]]
    print("kernel on", lines[kernel["pid"], kernel["tid"]], "in", *sorted(around))
