# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a file as Google Benchmark does: benchmarks.py OUT FACTOR REPETITIONS [--noise N].

One benchmark takes FACTOR microseconds of real time, the other one 5 ms. With noise the
repetitions differ by up to so much, their median does not.
"""

import argparse
import json

parser = argparse.ArgumentParser()
parser.add_argument("out")
parser.add_argument("factor", type=float)
parser.add_argument("repetitions", type=int)
parser.add_argument("--noise", type=float, default=0)
options = parser.parse_args()

entries = []
for i in range(options.repetitions):
    spread = 1 + options.noise * (i / (options.repetitions - 1) * 2 - 1)
    entries.append({"name": "add/1024/repeats:9", "run_name": "add/1024", "run_type": "iteration",
                    "real_time": 1000 * options.factor * spread, "cpu_time": 900.0, "time_unit": "ns"})
for name in ("mean", "median", "stddev"):
    value = 1000 * options.factor if name != "stddev" else 3.0
    entries.append({"name": f"add/1024_{name}", "run_name": "add/1024", "run_type": "aggregate",
                    "aggregate_name": name, "real_time": value, "cpu_time": value, "time_unit": "ns"})
# Written with --benchmark_report_aggregates_only.
for name, value in (("mean", 7.0), ("median", 5.0)):
    entries.append({"name": f"wait_{name}", "run_name": "wait", "run_type": "aggregate",
                    "aggregate_name": name, "real_time": value, "cpu_time": value, "time_unit": "ms"})
with open(options.out, "w") as out:
    json.dump({"context": {}, "benchmarks": entries}, out)
